"""Length from which nobody expects a text to be read without any error."""

LONG_TEXT = 150
"""Characters; a field or a line has fewer, a paragraph or a page more."""


def is_long(median: float) -> bool:
    """Return whether texts with this median number of characters are long, such as whole pages.

    Long texts are hardly ever perfect, so that the share of perfect ones says nothing, and a
    confidence cannot be the probability of one.

    Examples
    --------
    >>> is_long(12), is_long(1800), is_long(float("nan"))
    (False, True, False)
    """
    return median > LONG_TEXT
