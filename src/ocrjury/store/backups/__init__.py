"""Backups of a store, restoring them, and moving a store to PostgreSQL."""
