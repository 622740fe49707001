begin;
select plan(1);
set local role byssus_owner;

select is(
    (byssus.started_body('default', 'w"f', 'r', 'order', 'pending', 'started_new') || '}')::jsonb,
    '{"workflow_id":"w\"f","run_id":"r","workflow_type":"order","namespace":"default","status":"pending",
    "payload_codec":"avro","outcome":"started_new","command_status":"accepted","command_source":"control_plane"}',
    'is an object but for its closing brace'
);

select * from finish();
rollback;
