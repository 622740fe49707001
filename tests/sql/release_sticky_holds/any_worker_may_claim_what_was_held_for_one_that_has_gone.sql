begin;
select plan(7);
set local role byssus_owner;

select register_sticky('w2');
select retained_run('a');
select retained_run('b');
select start('other');
select claim('w2', 'p');
select retain(run('other'), '{}', wait_for());
select signal('go', 'a');
select signal('go', 'b');
select signal('go', 'other');
select is((the_task(run('a'))).held_until, moment(5), 'it is held');
select is(byssus.release_sticky_holds((the_registration()).registration_token, moment()), true, 'there were some');
select is((the_task(run('a'))).held_until, moment(), 'it is free');
select is((the_task(run('b'))).held_until, moment(), 'so is the other');
select is((the_task(run('a'))).status, 'ready', 'and as ready as before');
select is((the_task(run('other'))).held_until, moment(5), 'what is held for another worker stays so');
select is(byssus.release_sticky_holds((the_registration()).registration_token, moment()), false, 'nothing is held any more');

select * from finish();
rollback;
