"""Transitions that time brings about, and what operators ask."""
