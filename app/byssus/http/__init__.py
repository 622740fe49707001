"""The HTTP contract: one table of endpoints (endpoints.py) over the transitions of the store."""
