"""Tolerance of erratic raters, read by reports too, which load nothing that fits."""

TOLERANCE = 2.5
"""Multiple of the median error variance up to which a rater has full weight."""
