begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', timer());
select signal();
select claim();
select complete(run(), timer());
select signal('unseen');
select byssus.close_run(the_run(), moment(), 'terminated', 'terminated', '{}', '{}', 'Ended', '{}', false);
select is(payload('SignalRejected') ->> 'signal_name', 'unseen', 'only the one that no answered task had been given');
select is(payload('SignalRejected', 2), null, 'and no other');

select * from finish();
rollback;
