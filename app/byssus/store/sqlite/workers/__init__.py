"""Transitions of workers: registration and liveness."""
