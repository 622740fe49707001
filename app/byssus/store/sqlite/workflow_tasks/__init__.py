"""Transitions of workflow tasks."""
