"""The SQLite store: every transition as a Python function, beside its PostgreSQL routine of the same name."""
