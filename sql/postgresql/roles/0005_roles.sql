-- Three roles without a login; logins are made by the DBA and granted one of them.
-- byssus_owner owns and migrates; byssus_app may call the transitions; byssus_audit may read the audit views.
do $$
declare
    v_role text;
begin
    foreach v_role in array array['byssus_owner', 'byssus_app', 'byssus_audit'] loop
        if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
            execute format('create role %I nologin', v_role);
        end if;
    end loop;
end;
$$;
