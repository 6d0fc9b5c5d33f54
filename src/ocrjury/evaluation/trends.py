"""Change of the pool's quality since earlier evaluations of the same campaign.

An evaluation keeps its row of the trend with its results. A later one computes its own row only,
and those of evaluations that were compared with another one, or in another way.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.estimation import RatedSample, trend, within_scale
from ocrjury.estimation.interval import Part
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.compared_evaluation import ComparedEvaluation, fingerprints
from ocrjury.evaluation.earlier_cases import earlier_cases
from ocrjury.evaluation.evidence import Evidence, evidence_on
from ocrjury.evaluation.rated_sample import KnownSample, Sample
from ocrjury.findings.trend import Drift, Repeats, Trend, TrendRow
from ocrjury.store.results import latest_verdicts

Earlier = Sequence[ComparedEvaluation]
"""Earlier evaluations, the oldest first."""
Rows = Mapping[str, tuple[TrendRow, ...]]
"""Rows that evaluations kept, the last of which is their own, by the evaluation's name."""


@dataclass(frozen=True)
class Side:
    """An evaluation in a trend, whose sample is put together only where its row is computed."""

    past: ComparedEvaluation
    rate: Callable[[], RatedSample]

    @cached_property
    def rated(self) -> RatedSample:
        """Rated sample."""
        return self.rate()


class Lookback(NamedTuple):
    """Earlier evaluations of the campaign, seen from one; a rehearsal sees none.

    Attributes
    ----------
    earlier
        Those that it may be compared with.
    repeats
        The others: nothing has changed since, and a difference is one of raters. None without any.
    of_judges
        Those whose judges may be compared, who may score the same outputs in another way.
    """

    earlier: Earlier
    repeats: Repeats | None
    of_judges: Earlier


def look_back(case: Case) -> Lookback:
    """Earlier evaluations, seen from one."""
    pasts = [ComparedEvaluation(past) for past in earlier_cases(case)]
    if not pasts:
        return Lookback([], None, [])
    own = fingerprints(case)
    again = [past for past in pasts if past.fingerprints.repeat(own)]
    alike = [past.name for past in again if past.fingerprints.ratings == own.ratings]
    others = [past.name for past in again if past.name not in alike]
    return Lookback(
        earlier=[past for past in pasts if past not in again],
        repeats=Repeats(same_ratings=tuple(alike), same_outputs=tuple(others)) if again else None,
        of_judges=[past for past in pasts if not past.fingerprints.repeat(own.without_outputs())],
    )


def newest_of_each(earlier: Earlier) -> Earlier:
    """Evaluations without those that a later one repeats, the oldest first."""
    return [
        past
        for place, past in enumerate(earlier)
        if not any(past.fingerprints.repeat(later.fingerprints) for later in earlier[place + 1 :])
    ]


def agreed_on(earlier: Earlier, dimension: str) -> tuple[Earlier, tuple[str, ...]]:
    """Evaluations with an estimate of a dimension, and names of those whose raters disagreed."""
    known = [past for past in earlier if dimension in past.estimated]
    left_out = tuple(past.name for past in known if not _agreed(past.case, dimension))
    return [past for past in known if past.name not in left_out], left_out


def measure_trends(
    case: Case, samples: Mapping[str, Sample | KnownSample], earlier: Earlier
) -> list[Trend]:
    """Compare the means with those of earlier evaluations; no record where this is the first.

    Documents that come again are compared with themselves. An evaluation whose raters did not
    agree on a dimension is left out there, and one whose outputs a later one judged again.
    """
    trends = []
    for name, sample in samples.items():
        agreed, left_out = agreed_on(earlier, name)
        shown = newest_of_each(agreed)
        if shown:
            trend = _trend([*shown, ComparedEvaluation(case)], sample, name)
            names = {past.name for past in shown}
            repeated = tuple(past.name for past in agreed if past.name not in names)
            trends.append(replace(trend, left_out=left_out, repeated=repeated))
    return trends


def _trend(pasts: Earlier, sample: Sample | KnownSample, dimension: str) -> Trend:
    newest = pasts[-1].case
    scale, target = newest.campaign.rubric.scales[dimension], newest.campaign.report.target
    kept = {past.name: values for past in pasts[:-1] if (values := _kept(past, dimension))}

    def side(past: ComparedEvaluation, view: Callable[[Evidence], Evidence]) -> Side:
        def rate() -> RatedSample:
            of = sample if past is pasts[-1] else past.sample(dimension)
            return view(evidence_on(past.case, dimension)).of_sample(of)

        return Side(past, rate)

    mean = trend_rows(
        [side(past, lambda evidence: evidence) for past in pasts],
        {name: values.mean for name, values in kept.items()},
        bounds=(scale.low, scale.high),
    )
    level = None if target is None or target.dimension != dimension else target.share_at_least
    if level is None:
        return Trend(dimension=dimension, mean=mean)
    shares = trend_rows(
        [side(past, lambda of: of.as_shares(lambda r: r >= level)) for past in pasts],
        {name: values.share for name, values in kept.items() if values.share_at_least == level},
        bounds=(0.0, 1.0),
    )
    return Trend(dimension=dimension, mean=mean, share=shares, share_at_least=level)


def _kept(past: ComparedEvaluation, dimension: str) -> Trend | None:
    """Trend that an evaluation kept of a dimension."""
    return past.findings(Trend, kind="trend").get(dimension)


def trend_rows(
    sides: Sequence[Side], kept: Rows, *, bounds: tuple[float, float]
) -> tuple[TrendRow, ...]:
    """One row for each evaluation; the number lies between the bounds."""
    newest = sides[-1].past.case
    usable = dict(_usable(sides, kept))
    rows: list[TrendRow] = []
    for before, side in zip([None, *sides[:-1]], sides, strict=True):
        drifts = [row.drift for row in rows if row.drift]
        row = usable.get(side.past.name) or _computed(before, side, drifts)
        if before is None:
            row = replace(row, change=Estimate(float("nan")), both=0)
        same = side.past.case.rubrics == newest.rubrics
        mean = within_scale(row.mean, low=bounds[0], high=bounds[1])
        rows.append(replace(row, mean=mean, same_rubric=same))
    return tuple(rows)


def _coordinated(before: Side | None, side: Side) -> bool:
    """Return whether both draws share their random numbers: one seed, and one kind of unit."""
    return before is None or before.past.draws == side.past.draws


def _usable(sides: Sequence[Side], kept: Rows) -> Iterator[tuple[str, TrendRow]]:
    """Yield the kept rows that say what would be computed now."""
    for before, side in zip([None, *sides[:-1]], sides, strict=True):
        rows = kept.get(side.past.name, ())
        if len(rows) < 2:  # the one before, and its own
            continue
        if before is None or _compared(rows[-2], before.past, side.past):
            yield side.past.name, rows[-1]


def _compared(row: TrendRow, before: ComparedEvaluation, after: ComparedEvaluation) -> bool:
    """Return whether an evaluation was compared with the current state of another one."""
    first, second = before.estimated_at, after.estimated_at
    if first is None or second is None:
        return False
    return row.evaluation == before.name and first <= second


def _computed(before: Side | None, side: Side, drifts: Sequence[Drift]) -> TrendRow:
    """Row of an evaluation, with its change since the one before; ``drifts`` are earlier ones."""
    pair = [side] if before is None else [before, side]
    samples = {of.past.name: of.rated for of in pair}
    coordinated = _coordinated(before, side)
    known = [Part(drift.variance, drift.df, drift.measured) for drift in drifts]
    row = trend(samples, coordinated=coordinated, drifts=known).to_dict("records")[-1]
    return TrendRow(
        evaluation=side.past.name,
        period=side.past.case.row.period,
        mean=Estimate(
            *(row["value"], row["low"], row["high"]),
            n_items=int(row["n_items"]),
            gold_corrected=bool(row["gold_corrected"]),
        ),
        change=Estimate(row["change"], row["change_low"], row["change_high"]),
        both=int(row["n_both"]),
        drift=_kept_drift(row["drift"]),
    )


def _kept_drift(drift: Part | None) -> Drift | None:
    """Drift of the raters as a row keeps it."""
    if drift is None:
        return None
    return Drift(variance=drift.variance, df=drift.df, measured=drift.measured or 0.0)


def _agreed(earlier: Case, dimension: str) -> bool:
    """Return whether the raters of an evaluation agreed on a dimension, as far as is known."""
    verdicts = latest_verdicts(earlier.work.engine, earlier.name)
    return all(v.decision != "FAIL" for v in verdicts if v.dimension == dimension)
