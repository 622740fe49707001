begin;
select plan(2);
set local role byssus_app;

select is(
    (byssus.start_run('elsewhere', 'wf', 'order', 'q', 'fail', null, 'd', start_options())).outcome,
    'namespace_not_found', 'nothing is made there'
);
select is(rows_of('workflows'), 0::bigint, 'the workflow id stays free');

select * from finish();
rollback;
