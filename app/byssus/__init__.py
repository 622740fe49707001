"""Byssus: a durable-workflow server whose every state transition is a stored procedure."""

__version__ = "0.1.0"
