begin;
select plan(3);
set local role byssus_owner;

select leased_run();
update byssus.runs set last_authored_position = 2;
create temporary table made as
select * from byssus.record_side_effect(the_run(), '{"type":"record_side_effect","fields":"{\"result\":{\"a\":  1}}"}');
select is((select types from made), array['SideEffectRecorded'], 'one event');
select is((select payloads from made), array['{"sequence":2,"result":{"a":  1}}'], 'at its position');
select is((select wakes from made), false, 'nothing has to be woken');

select * from finish();
rollback;
