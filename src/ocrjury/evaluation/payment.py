"""Items, hours and cost by rater and round: what somebody is paid for.

Paid is what was handed in, whether or not it counts as a measurement: practice, gold, repeated
items, decisions of adjudicators, votes of experts, and ratings that were set aside or withdrawn
later. An item counts once; handing it in again costs time, which is in the hours, and no further
price. An output of a page that is rated side by side is an item.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ocrjury.campaign.prices import currency_of
from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.database import Engine
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.raters import list_raters
from ocrjury.store.working_time import ALWAYS, Period, Sitting, list_sittings

Lack = Literal["not measured", "partly measured", "no price", "no currency"]
COLUMNS = (
    "evaluation", "round", "kind", "rater", "items", "items_timed", "hours", "price", "currency",
    "cost", "lacks", "first", "last",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """Work of a rater in a round, and its cost.

    Attributes
    ----------
    timed
        Items whose time was measured.
    hours
        Working time of `ocrjury.store.working_time`; None where none was measured.
    price
        Of an item; None where `raters.csv` has none.
    currency
        Empty where nobody has named one: prices only weigh raters against each other then.
    """

    evaluation: str
    round: int
    kind: str
    rater: str
    items: int
    timed: int
    hours: float | None
    price: float | None
    currency: str
    first: datetime | None
    last: datetime | None

    @property
    def cost(self) -> float | None:
        """Price of all items; None without a price or a currency."""
        if self.price is None or not self.currency:
            return None
        return self.items * self.price

    @property
    def lacks(self) -> list[Lack]:
        """Reasons why hours or cost are missing or incomplete."""
        missing: list[Lack] = []
        if self.timed < self.items:
            missing.append("not measured" if self.hours is None else "partly measured")
        if self.price is None:
            missing.append("no price")
        elif not self.currency:
            missing.append("no currency")
        return missing

    @property
    def cells(self) -> dict[str, object]:
        """Values by `COLUMNS`; what is undefined is None, and `lacks` says why."""
        return {
            "evaluation": self.evaluation,
            "round": self.round,
            "kind": self.kind,
            "rater": self.rater,
            "items": self.items,
            "items_timed": self.timed,
            "hours": None if self.hours is None else round(self.hours, 4),
            "price": self.price,
            "currency": self.currency,
            "cost": None if self.cost is None else round(self.cost, 4),
            "lacks": "; ".join(self.lacks),
            "first": _second(self.first),
            "last": _second(self.last),
        }


def list_payments(
    engine: Engine,
    names: Iterable[str],
    *,
    period: Period = ALWAYS,
    currency: str | None = None,
) -> list[Payment]:
    """Payments of evaluations, each read by itself, by round and rater.

    Parameters
    ----------
    currency
        Of campaigns that name none.
    """
    return [
        payment
        for name in names
        for payment in _of_evaluation(engine, name, period=period, currency=currency)
    ]


def totals(payments: Iterable[Payment]) -> dict[str, float]:
    """Sum of what is known, by currency."""
    sums: dict[str, float] = defaultdict(float)
    for payment in payments:
        if payment.cost is not None:
            sums[payment.currency] += payment.cost
    return dict(sorted(sums.items()))


def _of_evaluation(
    engine: Engine, name: str, *, period: Period, currency: str | None
) -> Iterator[Payment]:
    config = read_evaluation(engine, name).config
    by_round: dict[tuple[int, str, str], list[Sitting]] = defaultdict(list)
    for sitting in list_sittings(engine, name, period=period):
        by_round[sitting.round, sitting.kind, sitting.rater].append(sitting)
    who = {rater for _, _, rater in by_round}
    people = {entry.pseudonym: entry for entry in list_raters(engine, who, evaluation=name)}
    unit = currency_of(config) or currency or ""
    for (number, kind, rater_), sittings in sorted(by_round.items()):
        yield _payment((name, number, kind), people[rater_], sittings, currency=unit)


def _payment(
    of: tuple[str, int, str], person: RaterEntry, sittings: Sequence[Sitting], *, currency: str
) -> Payment:
    evaluation, number, kind = of
    seconds = [row.seconds for row in sittings if row.seconds is not None]
    return Payment(
        evaluation=evaluation,
        round=number,
        kind=kind,
        rater=person.pseudonym,
        items=sum(row.items for row in sittings),
        timed=sum(row.timed for row in sittings),
        hours=sum(seconds) / 3600 if seconds else None,
        price=person.price,
        currency=currency,
        first=min((row.first for row in sittings if row.first), default=None),
        last=max((row.last for row in sittings if row.last), default=None),
    )


def _second(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="seconds")
