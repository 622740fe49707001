-- Two roles without a login; logins are made by the DBA and granted one of them.
-- byssus_app may call the transitions; byssus_audit may read the audit views. The account that runs these files owns
-- everything: the routines act with its rights.
CREATE ROLE IF NOT EXISTS byssus_app;
CREATE ROLE IF NOT EXISTS byssus_audit;
