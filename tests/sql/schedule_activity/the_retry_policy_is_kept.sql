begin;
select plan(4);
set local role byssus_owner;

select waiting_run('wf', schedule('{"retry_policy":"{\"x\":1}","max_attempts":7}'));
select is((the_activity()).max_attempts, 7, 'how often');
select is((the_activity()).backoff_seconds::jsonb, '[10,20]', 'how long to wait');
select is((the_activity()).non_retryable_error_types::jsonb, '["Fatal"]', 'for what not');
select is((the_activity()).retry_policy::jsonb, '{"x":1}', 'and as it was given');

select * from finish();
rollback;
