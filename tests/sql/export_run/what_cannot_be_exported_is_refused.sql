begin;
select plan(5);

select start();
select is((byssus.export_run('default', 'nobody', run())).outcome, 'instance_not_found', 'an unknown workflow');
select is((byssus.export_run('default', 'wf', 'no-run')).outcome, 'run_not_found', 'an unknown run');
select is((byssus.export_run('elsewhere', 'wf', run())).outcome, 'namespace_not_found', 'an unknown namespace');
update byssus.runs set history_size_bytes = 8388609;
select is((byssus.export_run('default', 'wf', run())).outcome, 'history_export_too_large', 'too many bytes');
select is(
    (byssus.export_run('default', 'wf', run())).body::jsonb -> 'history_size_bytes', '8388609', 'it says how many'
);

select * from finish();
rollback;
