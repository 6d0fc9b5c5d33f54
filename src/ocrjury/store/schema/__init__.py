"""Tables of the database; ids are text, times are UTC, human data is insert-only."""
