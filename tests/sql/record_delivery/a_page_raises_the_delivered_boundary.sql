begin;
select plan(4);
set local role byssus_owner;

select leased_run();
select leased_run('other');
select byssus.record_delivery(the_task(), 7);
select is((the_task()).delivered_sequence, 7::bigint, 'it goes further than any before');
select byssus.record_delivery(the_task(), 3);
select is((the_task()).delivered_sequence, 7::bigint, 'a page from further back does not lower it');
select byssus.record_delivery(the_task(), null);
select is((the_task()).delivered_sequence, 7::bigint, 'nor does an empty one');
select is((the_task(run('other'))).delivered_sequence, 1::bigint, 'another lease has its own');

select * from finish();
rollback;
