"""Lists of many problems or names in errors: the first few, and the number of the rest."""

from collections.abc import Iterable, Sequence

NAMED = 10
"""Problems or names that an error lists."""


def first_named(names: Iterable[str]) -> str:
    """The first names, each shortened, and the number of the others.

    Examples
    --------
    >>> first_named(["item", "rater"])
    "'item', 'rater'"
    >>> first_named(str(number) for number in range(12))
    "'0', '1', '2', '3', '4', '5', '6', '7', '8', '9' and 2 more"
    """
    shown = [f"{name!r:.60}" for name in names]
    rest = f" and {len(shown) - NAMED:,} more" if len(shown) > NAMED else ""
    return ", ".join(shown[:NAMED]) + rest


def refusal(source: str, problems: Sequence[str]) -> str:
    r"""Error about a file: its only problem in a sentence, or the first of many in lines.

    Examples
    --------
    >>> refusal("raters.csv", ["it names no rater."])
    'raters.csv, it names no rater.'
    >>> refusal("raters.csv", ["row 2: a", "row 3: b"])
    'raters.csv has 2 problems:\n- row 2: a\n- row 3: b'
    """
    if len(problems) == 1:
        return f"{source}, {problems[0]}"
    named = "".join(f"\n- {text}" for text in problems[:NAMED])
    rest = f"\n- and {len(problems) - NAMED:,} more" if len(problems) > NAMED else ""
    return f"{source} has {len(problems):,} problems:{named}{rest}"
