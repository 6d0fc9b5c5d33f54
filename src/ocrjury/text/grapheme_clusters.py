"""Boundaries of the characters that readers see: grapheme clusters (Unicode Annex 29)."""

import regex

_CLUSTER = regex.compile(r"\X")


def split_graphemes(text: str) -> list[str]:
    r"""Grapheme clusters of a text.

    >>> [len(cluster) for cluster in split_graphemes("e\u0301t\u00e9")]
    [2, 1, 1]
    """
    clusters: list[str] = _CLUSTER.findall(text)
    return clusters
