begin;
select plan(3);
set local role byssus_app;

select waiting_run('other', schedule('{"task_queue":"q2"}'));
select start();
select is(
    (byssus.probe_wakeups(
        '[["workflow","default","q"],["activity","default","q"],["workflow","default","q2"],["activity","default","q2"]]', '[]', 5
    )).body::jsonb, '{"ready":[["workflow","default","q"],["activity","default","q2"]],"held":[],"grown":[]}', 'in the order of the question'
);
select is((byssus.probe_wakeups('[["workflow","elsewhere","q"]]', '[]', 5)).body, '{"ready":[],"held":[],"grown":[]}', 'no other namespace''s');
select is((byssus.probe_wakeups('[]', '[]', 5)).body, '{"ready":[],"held":[],"grown":[]}', 'nothing asked, nothing answered');

select * from finish();
rollback;
