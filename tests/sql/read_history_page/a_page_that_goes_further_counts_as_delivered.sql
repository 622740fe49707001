begin;
select plan(5);
set local role byssus_app;

select retained_run();
select signal();
select byssus.claim_workflow_task(poll('w1', 'p2', '{"page_size":1}'));
select is((the_task()).delivered_sequence, 2::bigint, 'the first page');
select byssus.read_history_page('default', task(), 'w1', 1, 0, 1);
select is((the_task()).delivered_sequence, 2::bigint, 'one from the beginning takes nothing back');
select byssus.read_history_page('default', task(), 'w2', 1, 2, 100);
select is((the_task()).delivered_sequence, 2::bigint, 'one that is refused delivers nothing');
select byssus.read_history_page('default', task(), 'w1', 1, 2, 100);
select is((the_task()).delivered_sequence, 3::bigint, 'one that goes on does');
select byssus.read_history_page('default', task(), 'w1', 1, 3, 100);
select is((the_task()).delivered_sequence, 3::bigint, 'an empty one does not');

select * from finish();
rollback;
