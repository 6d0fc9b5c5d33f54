"""Who comes in, by which door, and what a request needs to prove: raters and leads alike."""
