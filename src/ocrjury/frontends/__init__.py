"""Frontends in which raters work; every way in goes through `ocrjury.frontends.ingest`."""
