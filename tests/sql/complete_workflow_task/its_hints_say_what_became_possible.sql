begin;
select plan(1);
set local role byssus_app;

select leased_run();
select is(
    (complete(run(), schedule(), timer(30))).hints::jsonb,
    jsonb_build_array(
        jsonb_build_array('run', run()), '["activity","default","q"]'::jsonb,
        '["due","2030-01-01T00:00:30.000000Z"]'::jsonb
    ),
    'the history grew, an activity is ready, a timer is due'
);

select * from finish();
rollback;
