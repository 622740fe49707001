"""Transitions of runs as clients see them."""
