"""Prefect flows: the order of the steps, readable as a table of contents."""
