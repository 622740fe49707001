"""Measurements that people run by hand; see README.md beside this file."""
