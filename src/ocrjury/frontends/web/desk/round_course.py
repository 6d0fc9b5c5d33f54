"""Course of an open round: assignments against the deadline, agreement by rated items."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeVar

from ocrjury.estimate import Estimate
from ocrjury.frontends.web.desk.agreement_bodies import AgreementBody
from ocrjury.frontends.web.desk.bodies import EvaluationBody, RoundBody
from ocrjury.language import said, tr, trn
from ocrjury.pages.geometry import axis_ends
from ocrjury.pages.numbers import bounded, estimate_text, has_interval, interval_text
from ocrjury.pages.statistic_numbers import in_unit
from ocrjury.statistics import statistic
from ocrjury.store.database import Engine
from ocrjury.store.timelines import estimate_history, list_hand_ins

T = TypeVar("T")
MOST_POINTS: Final = 60
MOST_MEASUREMENTS: Final = 24
SPOKEN: Final = 6
"""Number of points of a chart in its text alternative."""
FEW: Final = 5
"""Fewer assignments than this say nothing about when the last one will be done."""
_STEPS: Final = tuple(timedelta(hours=hours) for hours in (1, 3, 6, 12, 24, 48, 96, 168, 336, 672))
_MOST_TICKS: Final = 5


class Tick(NamedTuple):
    """A mark on an axis of time."""

    at: float
    label: str


class PaceChart(NamedTuple):
    """Assignments of a round over time, beside the even pace that its deadline asks for.

    Moments are in seconds since 1970; `points` are moments with the number done by then.
    """

    title: str
    note: str
    spoken: str
    points: Sequence[tuple[float, int]]
    opened: float
    deadline: float
    now: float
    end: float
    asked: int
    ticks: Sequence[Tick]


class AgreementChart(NamedTuple):
    """Statistic of the gate on a dimension, by the number of items that it was measured on."""

    title: str
    key: str
    statistic: str
    note: str
    spoken: str
    points: Sequence[Estimate]
    floor: float
    ends: tuple[float, float]

    @property
    def sure(self) -> list[Estimate]:
        """Measurements with an interval."""
        return [point for point in self.points if has_interval(point)]


class OverTime(NamedTuple):
    """Charts of an evaluation; None and empty where there is nothing to draw yet."""

    pace: PaceChart | None
    agreement: Sequence[AgreementChart]


def over_time_view(
    engine: Engine,
    shown: EvaluationBody,
    agreement: AgreementBody,
    *,
    titles: Mapping[str, str],
    now: datetime,
) -> OverTime:
    """Charts of the last round and of the agreement that is shown."""
    pace = None
    if shown.round is not None and shown.round.asked:
        moments = list_hand_ins(engine, shown.evaluation, shown.round.number)
        zone = shown.zone
        local = [moment.astimezone(zone) for moment in moments]
        pace = pace_chart(local, shown.round, now=now.astimezone(zone))
    return OverTime(pace, _agreement_charts(engine, agreement, titles))


def pace_chart(moments: Sequence[datetime], round_: RoundBody, *, now: datetime) -> PaceChart:
    """Chart of the assignments of a round.

    Parameters
    ----------
    moments
        When each assignment was done, in the time zone of the chart, the earliest first.
    now
        The present moment in this zone.
    """
    opened, deadline = round_.opened_at, round_.deadline
    last = moments[-1] if moments else opened
    present = now if round_.state == "open" else max(last, opened)
    end = max(deadline, present, opened + timedelta(minutes=1))
    numbers = _spread(range(len(moments)), MOST_POINTS)
    points = [(moments[place].timestamp(), place + 1) for place in numbers]
    title, note = _pace_title(round_, now=now), _pace_note(round_, now=now)
    return PaceChart(
        title=title,
        note=note,
        spoken=tr("; ").join(
            [
                title,
                *(
                    tr("{when}: {n}", when=f"{moments[place]:%m-%d %H:%M}", n=place + 1)
                    for place in _spread(range(len(moments)), SPOKEN)
                ),
            ]
        ),
        points=points,
        opened=opened.timestamp(),
        deadline=deadline.timestamp(),
        now=present.timestamp(),
        end=end.timestamp(),
        asked=round_.asked,
        ticks=_ticks(opened.astimezone(now.tzinfo), end.astimezone(now.tzinfo)),
    )


def expected(round_: RoundBody, *, now: datetime) -> int:
    """Assignments that an even pace from opening to deadline would have brought by now."""
    whole = (round_.deadline - round_.opened_at).total_seconds()
    gone = (now - round_.opened_at).total_seconds()
    share = min(max(gone / whole, 0.0), 1.0) if whole > 0 else 1.0
    return round(share * round_.asked)


def _pace_title(round_: RoundBody, *, now: datetime) -> str:
    """Title of the chart of a round, a sentence on its pace."""
    if round_.done >= round_.asked:
        return tr("All {n} assignments are done", n=round_.asked)
    if round_.state != "open":
        return tr("{done} of {asked} assignments were done", done=round_.done, asked=round_.asked)
    if round_.overdue:
        missing = round_.asked - round_.done
        return trn(
            "{n} assignment is missing after the deadline",
            "{n} assignments are missing after the deadline",
            missing,
        )
    ahead = round_.done - expected(round_, now=now)
    if ahead > 0:
        return trn(
            "{n} assignment ahead of an even pace", "{n} assignments ahead of an even pace", ahead
        )
    if ahead < 0:
        return trn(
            "{n} assignment behind an even pace", "{n} assignments behind an even pace", -ahead
        )
    return tr("Assignments are done at an even pace")


def _pace_note(round_: RoundBody, *, now: datetime) -> str:
    """Sentence on when the last assignment is done at the average pace; empty if unknown."""
    if round_.state != "open" or not FEW <= round_.done < round_.asked:
        return ""
    gone = now - round_.opened_at
    finish = now + gone * (round_.asked - round_.done) / round_.done
    if finish - now > timedelta(days=365):
        return ""
    when = f"{finish.astimezone(now.tzinfo):%Y-%m-%d %H:%M %Z}"
    return tr("At the average pace so far, the last assignment is done on {when}.", when=when)


def _ticks(first: datetime, end: datetime) -> list[Tick]:
    """At most five marks at whole hours or days of the zone."""
    step = next((step for step in _STEPS if (end - first) / step <= _MOST_TICKS), _STEPS[-1])
    day = timedelta(days=1)
    moment = first.replace(hour=0, minute=0, second=0, microsecond=0)
    while moment < first:
        moment += step
    ticks: list[Tick] = []
    while moment <= end and len(ticks) < 2 * _MOST_TICKS:
        label = f"{moment:%m-%d}" if step >= day or not moment.hour else f"{moment:%H:%M}"
        ticks.append(Tick(moment.timestamp(), label))
        moment += step
    return ticks


def _agreement_charts(
    engine: Engine, agreement: AgreementBody, titles: Mapping[str, str]
) -> list[AgreementChart]:
    """Charts of the dimensions that were measured on two numbers of items or more."""
    if agreement.source not in {"interim", "judged"} or agreement.round is None:
        return []
    statistics = {name: metric.gate_statistic for name, metric in agreement.metrics.items()}
    measured: dict[str, list[Estimate]] = {name: [] for name in statistics}
    for kind in ("interim", "agreement") if agreement.source == "judged" else ("interim",):
        history = estimate_history(
            engine,
            agreement.evaluation,
            statistics,
            number=agreement.round,
            most=MOST_MEASUREMENTS,
            kind=kind,
        )
        for name, rows in history.items():
            measured[name] += [bounded(statistics[name], row.estimate) for row in rows]
    charts = []
    for name, estimates in measured.items():
        # Of several on the same items, the last one has most ratings.
        points = [*{each.n_items: each for each in estimates if each.defined}.values()]
        if len(points) > 1:
            metric = agreement.metrics[name]
            title = tr(
                "{name}: {value}, {word}",
                name=titles[name],
                value=in_unit(points[-1].value, statistics[name]),
                word=metric.interpretation,
            )
            charts.append(
                _agreement_chart(title, statistics[name], points, floor=agreement.threshold)
            )
    return charts


def _agreement_chart(
    title: str, name: str, points: Sequence[Estimate], *, floor: float
) -> AgreementChart:
    """Chart of one dimension."""
    points = sorted(points, key=lambda point: point.n_items)
    label, share = said(statistic(name).label), statistic(name).is_share
    spoken = tr("; ").join(_spoken(point, share=share) for point in _spread(points, SPOKEN))
    return AgreementChart(
        title=title,
        key=name,
        statistic=label,
        note=_agreement_note(points, share=share),
        spoken=tr("{title}. {caption}: {values}.", title=title, caption=label, values=spoken),
        points=points,
        floor=floor,
        ends=axis_ends(points, floor, step=0.1, low=-1.0, high=1.0),
    )


def _spoken(point: Estimate, *, share: bool) -> str:
    """A measurement in words."""
    value = estimate_text(point, share=share)
    return trn("{n} item: {value}", "{n} items: {value}", point.n_items, value=value)


def _agreement_note(points: Sequence[Estimate], *, share: bool) -> str:
    """Sentence on the change of the interval from the first measurement to the last."""
    first, last = points[0], points[-1]
    if not (has_interval(first) and has_interval(last)):
        return ""
    return tr(
        "Interval at {first} items: {before}; at {last} items: {after}.",
        first=first.n_items,
        last=last.n_items,
        before=interval_text(first, share=share),
        after=interval_text(last, share=share),
    )


def _spread(rows: Sequence[T], most: int) -> list[T]:
    """At most so many of some rows: the first, the last, and others evenly between."""
    steps = min(most, len(rows))
    places = {round(step * (len(rows) - 1) / max(steps - 1, 1)) for step in range(steps)}
    return [rows[place] for place in sorted(places)]
