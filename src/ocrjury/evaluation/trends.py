"""How the pool's worth changed since earlier evaluations of the same campaign."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ocrjury.estimation import RatedSample, trend
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.earlier_evaluations import earlier_cases
from ocrjury.evaluation.evidence import Evidence, evidence_on
from ocrjury.evaluation.frames import records
from ocrjury.evaluation.rated_sample import Sample, rated_sample
from ocrjury.store.results import latest_results, latest_verdicts


def trend_bodies(case: Case, samples: Mapping[str, Sample]) -> dict[str, dict[str, Any]]:
    """Return the way of the mean over evaluations by dimension; none where this is the first.

    Documents that come again are compared with themselves. An evaluation whose raters did not
    agree on a dimension is left out there.

    Returns
    -------
    dict
        ``mean``, and with a target that is a share ``share``: rows of `ocrjury.estimation.trend`
        with the ``period``, and whether the rubric and the seed are those of this evaluation;
        ``left_out``, the evaluations whose raters did not agree.
    """
    earlier = [(one, one.pool()) for one in earlier_cases(case)]
    bodies = {}
    for name, sample in samples.items():
        known = [one for one in earlier if _has(one[0], name)]
        shown = [one for one in known if _agreed(one[0], name)]
        if shown:
            sides = [(one, rated_sample(one, pool, [name])) for one, pool in shown]
            body = _rows_of([*sides, (case, sample)], name)
            bodies[name] = {**body, "left_out": [c.name for c, _ in known if not _agreed(c, name)]}
    return bodies


def _rows_of(sides: Sequence[tuple[Case, Sample]], dimension: str) -> dict[str, Any]:
    """Return the rows of the mean, and of the target's share where there is one."""
    newest = sides[-1][0]
    told = [(one, sample, evidence_on(one, dimension)) for one, sample in sides]
    body: dict[str, Any] = {"mean": _rows(told, newest), "share": None}
    target = newest.campaign.report.target
    level = None if target is None or target.dimension != dimension else target.share_at_least
    if level is not None:
        shares = [(c, s, evidence.as_shares(lambda r: r >= level)) for c, s, evidence in told]
        body["share"] = _rows(shares, newest)
    return body


def _rows(told: Sequence[tuple[Case, Sample, Evidence]], newest: Case) -> list[dict[str, Any]]:
    """Return one row for each evaluation."""
    samples: dict[str, RatedSample] = {
        one.name: evidence.of_sample(sample) for one, sample, evidence in told
    }
    # Random numbers belong to a seed, and to a document or to its page.
    draws = {(one.row.seed, one.campaign.rounds.page.systems) for one, _, _ in told}
    found = records(pd.DataFrame(trend(samples, coordinated=len(draws) == 1)))
    return [
        {
            **row,
            "period": one.row.period,
            "same_rubric": one.row.rubric_hash == newest.row.rubric_hash,
        }
        for row, (one, _, _) in zip(found, told, strict=True)
    ]


def _has(earlier: Case, dimension: str) -> bool:
    """Return whether a dimension was estimated there."""
    body = latest_results(earlier.work.engine, earlier.name, "estimate").get(dimension)
    return body is not None and "others" in body


def _agreed(earlier: Case, dimension: str) -> bool:
    """Return whether the raters of an evaluation agreed on a dimension, as far as is known."""
    verdicts = latest_verdicts(earlier.work.engine, earlier.name)
    return all(one.decision != "FAIL" for one in verdicts if one.dimension == dimension)
