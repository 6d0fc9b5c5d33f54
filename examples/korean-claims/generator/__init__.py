"""Fictional Korean insurance forms, scanned badly on purpose and read by Tesseract."""
