"""The end of what is kept: texts of documents after an evaluation, old rows of the audit log."""
