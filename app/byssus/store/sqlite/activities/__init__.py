"""Transitions of activities."""
