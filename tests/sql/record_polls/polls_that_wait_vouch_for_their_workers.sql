begin;
select plan(7);
set local role byssus_app;

select register_sticky('w1');
select register_sticky('w2');
select register_sticky('w3');
select register('cold');
create temporary table answered as
select * from byssus.record_polls(
    '[["default","cold"],["default","w1"],["default","w2"],["default","w2"],["default","w9"],["elsewhere","w3"]]', 7
);
select is((select outcome from answered), 'recorded', 'recorded');
select is((select body from answered), '{"recorded":true}', 'no more is said');
select is((select hints from answered), null, 'nothing has become possible');
select is((the_liveness('w1')).polling_until, moment(7), 'a sticky worker');
select is((the_liveness('w2')).polling_until, moment(7), 'with two polls');
select is((the_liveness('w3')).polling_until, null, 'not one whose poll is of another namespace');
select is((the_liveness('cold')).polling_until, null, 'a worker that keeps nothing is not waited for');

select * from finish();
rollback;
