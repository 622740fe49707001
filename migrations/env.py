"""Alembic's entry. Byssus calls it with a connection, or with a dialect to render SQL for (`byssus db`)."""

from __future__ import annotations

from alembic import context


def run() -> None:
    """Apply or render the revisions; a transaction for each, inside the caller's if it holds one.

    On MySQL, where DDL commits by itself, revisions note their own progress.
    """
    attributes = context.config.attributes
    connection = attributes.get("connection")
    dialect = attributes["dialect"] if connection is None else connection.dialect.name
    context.configure(
        connection=connection,
        dialect_name=None if connection is not None else dialect,
        version_table_schema="byssus" if dialect == "postgresql" else None,
        transactional_ddl=dialect != "mysql",
        transaction_per_migration=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run()
