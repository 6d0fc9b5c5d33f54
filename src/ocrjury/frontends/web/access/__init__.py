"""Access of raters and leads: the doors, and what a request needs to prove."""
