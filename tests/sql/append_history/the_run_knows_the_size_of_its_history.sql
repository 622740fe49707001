begin;
select plan(2);
set local role byssus_owner;

select leased_run();
create temporary table before as select (the_run()).history_size_bytes as bytes;
select byssus.append_history(run(), 1, moment(5), array['Abc', 'D'], array['{"é":1}', '{}']);
select is(
    (the_run()).history_size_bytes - (select bytes from before), (3 + 8 + 1 + 2)::bigint,
    'types and payloads are counted in bytes'
);
select is((the_run()).last_progress_at, moment(5), 'and the run made progress then');

select * from finish();
rollback;
