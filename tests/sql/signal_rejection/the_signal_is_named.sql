begin;
select plan(1);
set local role byssus_owner;

select is(
    byssus.signal_rejection('{"signal_id":"s1","signal_name":"a\"b","arguments":[1]}'),
    '{"signal_id":"s1","signal_name":"a\"b","rejection_reason":"run_not_active"}', 'by id and name, with the reason'
);

select * from finish();
rollback;
