"""A rater's own work: how much, how fast, until when, and how near gold as far as it is shown.

Gold is hidden among other items. A figure that changed after an item would tell that it was gold;
one about few items, or about a side to which they lean, what was right. So the figure moves only
when a round is over, by at least `FEWEST` items at a time, and it is one share for all dimensions.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from fastapi import APIRouter
from fastapi.responses import Response

from ocrjury.evaluation.certificates import passed_raters
from ocrjury.frontends.web.access.guests import Guest, Visitor
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.item_page import guest_page, pace_of
from ocrjury.store.database import writing
from ocrjury.store.gold_answers import GoldAnswer, list_gold_answers
from ocrjury.store.visits import seconds_per_item
from ocrjury.store.working_time import Sitting, list_sittings

FEWEST: Final = 10
"""Gold items by which the figure moves at least."""
router = APIRouter(include_in_schema=False)


class OwnRound(NamedTuple):
    """Work of a rater in a round; `minutes` is None where no time was measured."""

    round: int
    kind: str
    items: int
    timed: int
    minutes: int | None


class GoldShare(NamedTuple):
    """Gold items on which every answer was near the known one, with a 95 % interval by Wilson."""

    near: int
    items: int
    low: float
    high: float


@router.get("/work")
def show_own_work(visitor: Visitor) -> Response:
    """Show a rater what they did, how fast, and what is left until when."""
    wanted = visitor.campaign.rounds.page.gold_feedback
    with writing(visitor.site.store.engine) as connection:
        pace = pace_of(connection, visitor)
        sittings = list_sittings(connection, visitor.link.evaluation, rater=visitor.who)
        seconds = seconds_per_item(connection, visitor.link)
        answers = list_gold_answers(connection, visitor.link) if wanted else []
        note(connection, visitor, "view own work", target=visitor.link.evaluation)
    left = None if pace.deadline is None else pace.deadline - visitor.site.now()
    return guest_page(
        "work",
        visitor,
        pace,
        rounds=own_rounds(sittings),
        seconds=seconds,
        days=None if left is None else max(left, timedelta()) / timedelta(days=1),
        gold=gold_share(near_by_round(answers, tolerances_of(visitor))),
        fewest=FEWEST if wanted else None,
        passed=visitor.who in passed_raters(visitor.site.store.engine, visitor.link.evaluation),
    )


def own_rounds(sittings: Iterable[Sitting]) -> list[OwnRound]:
    """Items and minutes by round, the first first."""
    return [
        _own_round(number, kind, list(rows))
        for (number, kind), rows in groupby(sittings, attrgetter("round", "kind"))
    ]


def _own_round(number: int, kind: str, sittings: Sequence[Sitting]) -> OwnRound:
    seconds = [row.seconds for row in sittings if row.seconds is not None]
    return OwnRound(
        number,
        kind,
        sum(row.items for row in sittings),
        sum(row.timed for row in sittings),
        round(sum(seconds) / 60) if seconds else None,
    )


def tolerances_of(guest: Guest) -> dict[str, float]:
    """Tolerance of answers to gold on each dimension, as in a pilot."""
    criterion, scales = guest.campaign.rounds.pilot.criterion, guest.campaign.rubric.scales
    return {name: criterion.tolerance_on(scale) for name, scale in scales.items()}


def near_by_round(
    answers: Iterable[GoldAnswer], tolerances: Mapping[str, float]
) -> list[list[bool]]:
    """Closeness of each gold item to its known ratings on all its dimensions, by round.

    Examples
    --------
    >>> rows = [GoldAnswer(2, "a", "meaning", 4, 5), GoldAnswer(2, "a", "layout", 1, 5)]
    >>> near_by_round([*rows, GoldAnswer(4, "b", "meaning", 4, 5)], {"meaning": 1, "layout": 1})
    [[False], [True]]
    """
    scores: dict[int, dict[str, bool]] = defaultdict(dict)
    for row in answers:
        near = abs(row.value - row.expected) <= tolerances[row.dimension] + 1e-9
        scores[row.round][row.item] = scores[row.round].get(row.item, True) and near
    return [list(scores[number].values()) for number in sorted(scores)]


def gold_share(rounds: Iterable[Sequence[bool]]) -> GoldShare | None:
    """Share of gold items that were near, None before the first `FEWEST`.

    A round with fewer waits until one that closes later brings the rest.

    Examples
    --------
    >>> gold_share([[True] * 9]), gold_share([[True] * 9, [False] * 3])[:2]
    (None, (9, 12))
    >>> gold_share([[True] * 12, [False] * 9])[:2]
    (12, 12)
    """
    from ocrjury.text.shares import wilson_interval  # noqa: PLC0415  # it loads numpy

    shown: list[bool] = []
    waiting: list[bool] = []
    for items in rounds:
        waiting += items
        if len(waiting) >= FEWEST:
            shown, waiting = [*shown, *waiting], []
    if not shown:
        return None
    near, n = sum(shown), len(shown)
    return GoldShare(near, n, *wilson_interval(near / n, n))
