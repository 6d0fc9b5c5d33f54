"""Prefect tasks: load, one call of the library, store, one artifact."""
