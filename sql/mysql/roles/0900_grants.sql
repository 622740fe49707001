-- Who may do what. Applied again after every load of routines, since the rights on a routine go with it when it is
-- dropped and made anew.
GRANT EXECUTE ON PROCEDURE register_worker TO byssus_app;
GRANT EXECUTE ON PROCEDURE heartbeat_worker TO byssus_app;
GRANT EXECUTE ON PROCEDURE deregister_worker TO byssus_app;
GRANT EXECUTE ON PROCEDURE record_polls TO byssus_app;
GRANT EXECUTE ON PROCEDURE start_run TO byssus_app;
GRANT EXECUTE ON PROCEDURE describe_run TO byssus_app;
GRANT EXECUTE ON PROCEDURE list_runs TO byssus_app;
GRANT EXECUTE ON PROCEDURE read_history TO byssus_app;
GRANT EXECUTE ON PROCEDURE cancel_run TO byssus_app;
GRANT EXECUTE ON PROCEDURE terminate_run TO byssus_app;
GRANT EXECUTE ON PROCEDURE signal_run TO byssus_app;
GRANT EXECUTE ON PROCEDURE claim_workflow_task TO byssus_app;
GRANT EXECUTE ON PROCEDURE read_history_page TO byssus_app;
GRANT EXECUTE ON PROCEDURE heartbeat_workflow_task TO byssus_app;
GRANT EXECUTE ON PROCEDURE complete_workflow_task TO byssus_app;
GRANT EXECUTE ON PROCEDURE fail_workflow_task TO byssus_app;
GRANT EXECUTE ON PROCEDURE release_workflow_task TO byssus_app;
GRANT EXECUTE ON PROCEDURE claim_activity_task TO byssus_app;
GRANT EXECUTE ON PROCEDURE heartbeat_activity TO byssus_app;
GRANT EXECUTE ON PROCEDURE complete_activity TO byssus_app;
GRANT EXECUTE ON PROCEDURE fail_activity TO byssus_app;
GRANT EXECUTE ON PROCEDURE release_activity_task TO byssus_app;
GRANT EXECUTE ON PROCEDURE fire_due_timers TO byssus_app;
GRANT EXECUTE ON PROCEDURE expire_leases TO byssus_app;
GRANT EXECUTE ON PROCEDURE enforce_timeouts TO byssus_app;
GRANT EXECUTE ON PROCEDURE prune_receipts TO byssus_app;
GRANT EXECUTE ON PROCEDURE probe_wakeups TO byssus_app;
GRANT EXECUTE ON PROCEDURE read_sticky_metrics TO byssus_app;
GRANT EXECUTE ON PROCEDURE read_schema_state TO byssus_app;

GRANT SELECT ON audit_runs TO byssus_audit;
GRANT SELECT ON audit_history TO byssus_audit;
GRANT SELECT ON audit_workflow_tasks TO byssus_audit;
GRANT SELECT ON audit_affinities TO byssus_audit;
GRANT SELECT ON audit_activities TO byssus_audit;
GRANT SELECT ON audit_timers TO byssus_audit;
GRANT SELECT ON audit_workers TO byssus_audit;
