begin;
select plan(7);
set local role byssus_owner;

select waiting_run('wf', timer());
create function pg_temp.misplaced(variadic p_commands jsonb[]) returns integer language sql as
'select byssus.misplaced_command(byssus_test.the_run(), array_to_json(p_commands))';
select is(pg_temp.misplaced(leaf(timer(), 2, 0, 2), leaf(timer(), 2, 1, 2)), null, 'at the next position');
select is(pg_temp.misplaced(timer(), leaf(timer(), 3, 0, 1)), null, 'behind another command');
select is(pg_temp.misplaced(timer(), leaf(timer(), 2, 0, 1)), null, 'at a position that was just taken: sent again');
select is(pg_temp.misplaced(leaf(timer(), 3, 0, 1)), 0, 'not ahead');
select is(pg_temp.misplaced(leaf(timer(), 2, 0, 2), leaf(timer(), 3, 1, 2)), 1, 'not with a gap');
select is(pg_temp.misplaced(leaf(timer(), 1, 0, 1)), null, 'a position of an earlier task is sent again');
select is(pg_temp.misplaced(timer(), completes()), null, 'commands without a group are always in place');

select * from finish();
rollback;
