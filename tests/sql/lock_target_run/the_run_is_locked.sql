begin;
select plan(1);
set local role byssus_owner;

select start();
select byssus.lock_target_run('default', 'wf', null);
reset role;
create extension pgrowlocks schema pgtap;
select is(
    (select array_agg(modes::text) from pgrowlocks('byssus.runs')), array['{"For No Key Update"}'], 'against other commands'
);

select * from finish();
rollback;
