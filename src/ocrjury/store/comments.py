"""Comments of raters beside ratings, with the letter under which the output was seen."""

from typing import NamedTuple


class Comment(NamedTuple):
    """A comment as it was typed; `letter` is empty where the output stood alone."""

    comment: str = ""
    letter: str = ""


def with_letter(letter: str, comment: str) -> str:
    """Comment as people read it, who could not tell else what its "B" is beside.

    Examples
    --------
    >>> with_letter("A", "B is shorter"), with_letter("A", ""), with_letter("", "shorter")
    ('[A] B is shorter', '', 'shorter')
    """
    return f"[{letter}] {comment}" if letter and comment else comment
