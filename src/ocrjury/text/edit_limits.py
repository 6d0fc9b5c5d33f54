"""Lengths of texts up to which a shortest list of edits is sought."""

EXACT_CELLS = 2_500_000_000
"""Product of two lengths up to which edits are exact: 50,000 by 50,000, about a quarter second."""

WINDOW = 10_000
"""Characters or words of both texts that are aligned at once beyond."""

LIMIT_NAME = f"align:window{WINDOW}>{EXACT_CELLS / 1e9:g}e9"
"""Part of a signature that says that such texts were compared."""


def is_too_long(n_reference: int, n_hypothesis: int) -> bool:
    """Return whether texts of these lengths are too long for an exact comparison in any case."""
    return n_reference * n_hypothesis > EXACT_CELLS
