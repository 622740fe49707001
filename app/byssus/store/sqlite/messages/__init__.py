"""Transitions of messages to runs."""
