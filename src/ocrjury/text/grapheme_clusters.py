"""Where one character as readers see it ends and the next begins (Unicode Annex 29)."""

import regex

_CLUSTER = regex.compile(r"\X")


def split_graphemes(text: str) -> list[str]:
    r"""Return the grapheme clusters of a text.

    >>> [len(cluster) for cluster in split_graphemes("e\u0301t\u00e9")]
    [2, 1, 1]
    """
    clusters: list[str] = _CLUSTER.findall(text)
    return clusters
