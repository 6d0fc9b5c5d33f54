"""Boundaries of the characters that readers see: grapheme clusters (Unicode Annex 29)."""

import re
from itertools import pairwise

import regex

_CLUSTER = regex.compile(r"\X")
# Two regional indicators are a flag. To find out whether one of a run is the first or the second,
# the library counts from the beginning of the run, again for each; so long runs are cut between
# two flags.
_FLAGS = re.compile("[\U0001f1e6-\U0001f1ff]{100}(?=[\U0001f1e6-\U0001f1ff])")


def split_graphemes(text: str) -> list[str]:
    r"""Grapheme clusters of a text.

    >>> [len(cluster) for cluster in split_graphemes("e\u0301t\u00e9")]
    [2, 1, 1]
    """
    return [cluster for part in between_flags(text) for cluster in _CLUSTER.findall(part)]


def between_flags(text: str) -> list[str]:
    """Parts of a text, cut at places that are boundaries of characters and of words."""
    ends = [match.end() for match in _FLAGS.finditer(text)]
    return [text[start:end] for start, end in pairwise([0, *ends, len(text)])] if ends else [text]
