"""From the plain values of `ocrjury.report.measured` to what a report prints."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ocrjury.bias.findings import BiasFinding
from ocrjury.estimate import Estimate
from ocrjury.report.agreement_section import (
    DimensionAgreement,
    Disagreement,
    DividedItem,
    JudgeAgreement,
    MeanOver,
    PairKappa,
    PairSummary,
    Pattern,
)
from ocrjury.report.composite_section import Composite, Correlation, Together
from ocrjury.report.evidence import ItemRating
from ocrjury.report.profile_section import Profile, Profiles

Body = Mapping[str, Any]

DIVIDED_SHOWN = 8
"""Items on which raters lie farthest apart that a report names."""


def estimate_of(body: Body | None) -> Estimate:
    """Return a stored estimate; an absent one is undefined."""
    return Estimate(math.nan) if body is None else Estimate.from_json(dict(body))


def dimension_agreement(name: str, body: Body) -> DimensionAgreement:
    """Return what was measured on one dimension; an older body may lack its later parts."""
    summary, disagreement = body.get("pair_summary"), body.get("disagreements")
    return DimensionAgreement(
        dimension=name,
        estimates={key: estimate_of(one) for key, one in body["estimates"].items()},
        pair_summary=_pair_summary(summary) if summary and body["pairs"] else None,
        disagreement=_disagreement(disagreement) if disagreement else None,
        patterns=tuple(
            Pattern(one["kind"], tuple(one["subjects"]), one["sentence"])
            for one in body.get("patterns", [])
        ),
        suggestions=tuple(one["sentence"] for one in body.get("suggestions", [])),
        item_means=tuple(body.get("item_means") or ()),
        judges=tuple(
            JudgeAgreement(judge, estimate_of(found["alignment"]), estimate_of(found["ceiling"]))
            for judge, found in body.get("judges", {}).items()
        ),
    )


def pair_kappas(body: Body, *, method: str) -> tuple[PairKappa, ...]:
    """Return the kappa of every pair of raters."""
    return tuple(_pair_kappa(pair, method) for pair in body.get("pairs", []))


def means_over(body: Body) -> dict[str, MeanOver]:
    """Return the mean of every statistic over the dimensions."""
    return {
        name: MeanOver(number(one["value"]), one["n"]) for name, one in body.get("mean", {}).items()
    }


def profiles(bodies: Mapping[str, Body]) -> tuple[Profiles, ...]:
    """Return the raters of every dimension, the strictest first."""
    found = ((name, body.get("profiles", [])) for name, body in bodies.items())
    return tuple(Profiles(name, tuple(map(_profile, rows))) for name, rows in found if rows)


def divided_items(
    bodies: Mapping[str, Body],
    *,
    given: Callable[[str], tuple[ItemRating, ...]],
    doc_types: Mapping[str, str | None],
) -> tuple[DividedItem, ...]:
    """Return the items that divide raters most over all dimensions, the widest first.

    Parameters
    ----------
    given
        From an item to what each rater gave.
    """
    widest: dict[str, float] = {}
    where: dict[str, list[str]] = {}
    for name, body in bodies.items():
        for row in body.get("disagreements", {}).get("rows", []):
            item = row["item"]
            widest[item] = max(widest.get(item, 0.0), row["range"])
            where.setdefault(item, []).append(name)
    first = sorted(widest, key=lambda item: (-widest[item], -len(where[item]), item))
    return tuple(
        DividedItem(item, doc_types.get(item), widest[item], tuple(where[item]), given(item))
        for item in first[:DIVIDED_SHOWN]
    )


def together(
    dimensions: Body,
    composite: Body,
    *,
    findings: Iterable[BiasFinding],
    trusted: Callable[[str], bool],
) -> Together | None:
    """Return what is said of all dimensions together, None where there is nothing to say.

    Parameters
    ----------
    findings
        Of the tests for bias, which tell a halo from items that are alike in every respect.
    trusted
        Whether agreement on a dimension was shown.
    """
    found = Together(
        correlations=tuple(map(_correlation, dimensions.get("correlations", []))),
        composites=tuple(_composite(one, trusted=trusted) for one in composite.get("methods", [])),
        halo=next((one for one in findings if one.kind == "halo" and one.rater is None), None),
    )
    return found if found.correlations or found.composites else None


def number(value: Any) -> float:
    """Return a stored number, nan for None."""
    return math.nan if value is None else float(value)


def _pair_kappa(body: Body, method: str) -> PairKappa:
    """Return the kappa of one pair."""
    estimate = Estimate(
        number(body["value"]),
        number(body["low"]),
        number(body["high"]),
        number(body["se"]),
        n_items=int(body["n_items"] or 0),
        n_raters=2,
        method=method,
        reason=body["reason"],
    )
    return PairKappa(str(body["rater_a"]), str(body["rater_b"]), estimate)


def _correlation(body: Body) -> Correlation:
    """Return how two dimensions go together."""
    estimate = Estimate(
        number(body["value"]),
        number(body["low"]),
        number(body["high"]),
        n_items=body["n_items"],
        n_ratings=body["n"],
        method="Pearson, jackknife over items",
        reason="no_variation" if body["value"] is None else None,
    )
    return Correlation(body["dimension_a"], body["dimension_b"], body["n"], estimate)


def _pair_summary(body: Body) -> PairSummary:
    """Return how the kappas of pairs spread."""
    numbers = {key: number(body[key]) for key in ("mean", "sd", "min", "median", "max")}
    return PairSummary(n=body["n"], undefined=body["undefined"], **numbers)


def _disagreement(body: Body) -> Disagreement:
    """Return how often raters lie far apart."""
    return Disagreement(
        threshold=body["threshold"],
        n_items=body["n_items"],
        n=body["n"],
        rate=number(body["rate"]),
    )


def _profile(body: Body) -> Profile:
    """Return one rater's profile."""
    rank = body["severity_rank"]
    numbers = {key: number(body[key]) for key in ("mean", "sd", "median", "skew", "kurtosis")}
    return Profile(
        rater=body["rater"],
        rank=None if rank is None else int(rank),
        count=body["count"],
        low=number(body["min"]),
        high=number(body["max"]),
        counts=tuple(body["counts"]),
        **numbers,
    )


def _composite(body: Body, *, trusted: Callable[[str], bool]) -> Composite:
    """Return one score over all dimensions."""
    return Composite(
        method=body["method"],
        used=body["used"],
        weights=body["weights"],
        these=estimate_of(body["estimates"]["these"]),
        others=estimate_of(body["estimates"]["others"]),
        loadings=body["loadings"],
        explained=body["explained"],
        note=body["note"],
        trusted=all(trusted(name) for name, weight in body["weights"].items() if weight > 0),
    )
