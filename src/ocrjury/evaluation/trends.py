"""Change of the pool's quality since earlier evaluations of the same campaign."""

from collections.abc import Mapping, Sequence

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.estimation import RatedSample, trend, within_scale
from ocrjury.evaluation.case import Case, earlier_cases
from ocrjury.evaluation.evidence import evidence_on
from ocrjury.evaluation.rated_sample import Sample, rated_sample
from ocrjury.findings.trend import Trend, TrendRow
from ocrjury.store.results import latest_results, latest_verdicts

Earlier = Sequence[tuple[Case, pd.DataFrame]]
"""Earlier evaluations, the oldest first, each with its pool."""


def earlier_pools(case: Case) -> Earlier:
    """Earlier evaluations that this one may be compared with.

    A rehearsal compares with none, and an evaluation with the same ratings shows no change.
    """
    return [(past, past.pool()) for past in earlier_cases(case) if not same_ratings(past, case)]


def same_ratings(one: Case, other: Case) -> bool:
    """Whether two evaluations hold the same ratings, so that nothing can have changed."""
    return _given(one) == _given(other)


def agreed_on(earlier: Earlier, dimension: str) -> tuple[Earlier, tuple[str, ...]]:
    """Evaluations with an estimate of a dimension, and names of those whose raters disagreed."""
    known = [
        (past, pool)
        for past, pool in earlier
        if dimension in latest_results(past.work.engine, past.name, "estimate")
    ]
    left_out = tuple(past.name for past, _ in known if not _agreed(past, dimension))
    return [(past, pool) for past, pool in known if past.name not in left_out], left_out


def measure_trends(case: Case, samples: Mapping[str, Sample], earlier: Earlier) -> list[Trend]:
    """Compare the means with those of earlier evaluations; no record where this is the first.

    Documents that come again are compared with themselves. An evaluation whose raters did not
    agree on a dimension is left out there.
    """
    trends = []
    for name, sample in samples.items():
        shown, left_out = agreed_on(earlier, name)
        if shown:
            sides = [(past, rated_sample(past, pool, [name])) for past, pool in shown]
            trends.append(_trend([*sides, (case, sample)], name, left_out=left_out))
    return trends


def _trend(
    sides: Sequence[tuple[Case, Sample]], dimension: str, *, left_out: tuple[str, ...]
) -> Trend:
    newest = sides[-1][0]
    scale, target = newest.campaign.rubric.scales[dimension], newest.campaign.report.target
    evidence = [(case, sample, evidence_on(case, dimension)) for case, sample in sides]
    rated = [(case, of.of_sample(sample)) for case, sample, of in evidence]
    level = None if target is None or target.dimension != dimension else target.share_at_least
    if level is None:
        return Trend(
            dimension=dimension,
            mean=trend_rows(rated, low=scale.low, high=scale.high),
            left_out=left_out,
        )
    shares = [
        (case, of.as_shares(lambda r: r >= level).of_sample(sample))
        for case, sample, of in evidence
    ]
    return Trend(
        dimension=dimension,
        mean=trend_rows(rated, low=scale.low, high=scale.high),
        share=trend_rows(shares, low=0.0, high=1.0),
        share_at_least=level,
        left_out=left_out,
    )


def trend_rows(
    sides: Sequence[tuple[Case, RatedSample]], *, low: float, high: float
) -> tuple[TrendRow, ...]:
    """One row for each evaluation; the number lies between `low` and `high`."""
    newest = sides[-1][0]
    samples = {case.name: sample for case, sample in sides}
    # Random numbers belong to a seed, and to a document or to its page.
    draws = {(case.row.seed, case.campaign.rounds.page.systems) for case, _ in sides}
    rows = trend(samples, coordinated=len(draws) == 1).to_dict("records")
    return tuple(
        TrendRow(
            evaluation=case.name,
            period=case.row.period,
            mean=within_scale(
                Estimate(row["value"], row["low"], row["high"], n_items=int(row["n_items"])),
                low=low,
                high=high,
            ),
            change=Estimate(row["change"], row["change_low"], row["change_high"]),
            both=int(row["n_both"]),
            same_rubric=case.row.rubric_hash == newest.row.rubric_hash,
        )
        for row, (case, _) in zip(rows, sides, strict=True)
    )


def _given(case: Case) -> set[tuple[object, ...]]:
    """Who gave which document what: two evaluations with the same are one."""
    columns = ["item", "rater", "dimension", "rating"]
    return set(case.first_pass[columns].itertuples(index=False, name=None))


def _agreed(earlier: Case, dimension: str) -> bool:
    """Whether the raters of an evaluation agreed on a dimension, as far as is known."""
    verdicts = latest_verdicts(earlier.work.engine, earlier.name)
    return all(v.decision != "FAIL" for v in verdicts if v.dimension == dimension)
