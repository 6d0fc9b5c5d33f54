"""What can be wrong with ratings, in sentences for whoever sent them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ocrjury.campaign.problems import shown
from ocrjury.errors import InputError
from ocrjury.scales import Scale


class Problem(NamedTuple):
    """What is wrong with one submission; `where` names it in the sender's terms."""

    where: str
    what: str

    def __str__(self) -> str:
        """Line that the sender reads."""
        return f"{self.where}: {self.what}"


def value_problems(
    values: Mapping[str, float],
    *,
    dimensions: Iterable[str],
    scale: Scale,
    flagged: Iterable[str] = (),
) -> list[str]:
    """Problems with the values of one submission, dimension by dimension.

    `flagged` are the dimensions that have a reason in place of a value.
    """
    wanted, excused = list(dimensions), set(flagged)
    unknown = [name for name in (*values, *sorted(excused)) if name not in wanted]
    missing = [name for name in wanted if name not in values and name not in excused]
    twice = [name for name in wanted if name in values and name in excused]
    known = ", ".join(wanted)
    problems = [f"there is no dimension {shown(name)}; there are {known}" for name in unknown]
    problems += [f"no rating on dimension {name!r}" for name in missing]
    problems += [f"both a rating and a flag on dimension {name!r}" for name in twice]
    problems += [
        f"{value:g} on {name!r} is outside the scale ({scale})"
        for name, value in values.items()
        if name in wanted and not on_scale(value, scale)
    ]
    return problems


def on_scale(value: float, scale: Scale) -> bool:
    """Whether a number is a rating on the scale.

    Examples
    --------
    >>> on_scale(3.0, Scale.likert(1, 5)), on_scale(3.5, Scale.likert(1, 5))
    (True, False)
    """
    if scale.kind == "interval":
        return scale.low <= value <= scale.high
    return value in scale.numbers


def refuse(problems: list[Problem], *, source: str, limit: int = 20) -> None:
    """Raise one error that names every problem, if there is any."""
    if not problems:
        return
    lines = "\n".join(f"  {problem}" for problem in problems[:limit])
    rest = f"\n  and {len(problems) - limit} more" if len(problems) > limit else ""
    raise InputError(
        f"{source}: {len(problems)} problem(s), so nothing was stored.\n{lines}{rest}\n"
        "Fix them and send all of it again."
    )
