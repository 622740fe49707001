-- Who may do what. Applied again after every load of routines, since a routine that was dropped and made anew
-- is open to everybody until this has run.
revoke all on schema byssus from public;
revoke all on all tables in schema byssus from public;
revoke all on all routines in schema byssus from public;

grant usage on schema byssus to byssus_app, byssus_audit;

grant execute on function byssus.register_worker to byssus_app;
grant execute on function byssus.heartbeat_worker to byssus_app;
grant execute on function byssus.deregister_worker to byssus_app;
grant execute on function byssus.record_polls to byssus_app;
grant execute on function byssus.start_run to byssus_app;
grant execute on function byssus.describe_run to byssus_app;
grant execute on function byssus.list_runs to byssus_app;
grant execute on function byssus.list_workflow_runs to byssus_app;
grant execute on function byssus.export_run to byssus_app;
grant execute on function byssus.read_history to byssus_app;
grant execute on function byssus.cancel_run to byssus_app;
grant execute on function byssus.terminate_run to byssus_app;
grant execute on function byssus.signal_run to byssus_app;
grant execute on function byssus.claim_workflow_task to byssus_app;
grant execute on function byssus.read_history_page to byssus_app;
grant execute on function byssus.heartbeat_workflow_task to byssus_app;
grant execute on function byssus.complete_workflow_task to byssus_app;
grant execute on function byssus.fail_workflow_task to byssus_app;
grant execute on function byssus.release_workflow_task to byssus_app;
grant execute on function byssus.claim_activity_task to byssus_app;
grant execute on function byssus.heartbeat_activity to byssus_app;
grant execute on function byssus.complete_activity to byssus_app;
grant execute on function byssus.fail_activity to byssus_app;
grant execute on function byssus.release_activity_task to byssus_app;
grant execute on function byssus.fire_due_timers to byssus_app;
grant execute on function byssus.expire_leases to byssus_app;
grant execute on function byssus.enforce_timeouts to byssus_app;
grant execute on function byssus.prune_receipts to byssus_app;
grant execute on function byssus.probe_wakeups to byssus_app;
grant execute on function byssus.read_sticky_metrics to byssus_app;
grant execute on function byssus.read_schema_state to byssus_app;

grant select on byssus.audit_namespaces to byssus_audit;
grant select on byssus.audit_workflows to byssus_audit;
grant select on byssus.audit_runs to byssus_audit;
grant select on byssus.audit_run_payloads to byssus_audit;
grant select on byssus.audit_history to byssus_audit;
grant select on byssus.audit_workflow_tasks to byssus_audit;
grant select on byssus.audit_affinities to byssus_audit;
grant select on byssus.audit_activities to byssus_audit;
grant select on byssus.audit_timers to byssus_audit;
grant select on byssus.audit_inbox to byssus_audit;
grant select on byssus.audit_receipts to byssus_audit;
grant select on byssus.audit_workers to byssus_audit;
grant select on byssus.audit_liveness to byssus_audit;
grant select on byssus.audit_incarnations to byssus_audit;
grant select on byssus.audit_routines to byssus_audit;
