"""Comparison of a campaign with recommendations for human evaluation.

The rows are the recommendations of the reference text on human evaluation of OCR. A campaign may
depart from them; the lead and the report see each departure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

from ocrjury.campaign.cells import Role
from ocrjury.campaign.config import Campaign
from ocrjury.campaign.problems import listed
from ocrjury.campaign.registry import RaterEntry
from ocrjury.planner.double_rating import DOUBLE_ITEMS, DOUBLE_SHARE

MIN_RATERS = 2
PILOT_ITEMS = range(20, 31)
MIN_ITEMS = 200
MAX_SESSION_MINUTES = 60


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A recommendation, beside what the campaign does.

    ``advice`` is empty where the recommendation is met.
    """

    topic: str
    recommended: str
    actual: str
    met: bool
    advice: str = ""


def check_campaign(
    campaign: Campaign,
    raters: Sequence[RaterEntry],
    *,
    pool_size: int | None = None,
    drawn: int | None = None,
    unit: str = "",
) -> tuple[Recommendation, ...]:
    """Recommendations, each compared with a campaign.

    Parameters
    ----------
    pool_size
        Number of documents in the pool, if known; a small pool needs fewer items.
    drawn
        Number of items drawn so far, including top-ups, if an evaluation is under way.
    unit
        What both count where it is not single documents: ``pages`` with all outputs of each.
    """
    on_fail, minutes = campaign.gate.on_fail, campaign.raters.session_minutes
    rows = (
        _raters(campaign, raters),
        _named(raters, role="adjudicator", task="settles what raters disagree on"),
        _named(raters, role="expert", task="settles what the adjudicator cannot"),
        _pilot(campaign),
        _guide(campaign),
        Recommendation(
            "Agreement before results",
            "results only after the raters agree",
            f"policy {campaign.gate.policy}, on failure {on_fail}",
            met=on_fail != "proceed",
            advice="Set gate.on_fail to hold, so that low agreement stops the evaluation.",
        ),
        _items(campaign, pool_size, drawn, unit=unit),
        Recommendation(
            "Order of items", "shuffled for every rater", "shuffled by the seed", met=True
        ),
        Recommendation(
            "Session length",
            f"at most {MAX_SESSION_MINUTES} minutes",
            f"{minutes:g} minutes",
            met=minutes <= MAX_SESSION_MINUTES,
            advice=f"Set raters.session_minutes to {MAX_SESSION_MINUTES} or less; tired raters "
            "err.",
        ),
        _double_rated(campaign),
        Recommendation("Agreement in the report", "always printed", "always printed", met=True),
        *_unknown_simulated(campaign, raters),
    )
    return tuple(replace(row, advice="") if row.met else row for row in rows)


def _raters(campaign: Campaign, raters: Sequence[RaterEntry]) -> Recommendation:
    per_item = campaign.raters.per_item
    people = sum(entry.role == "rater" for entry in raters)
    few = people < per_item
    return Recommendation(
        "Raters per item",
        f"at least {MIN_RATERS}, better 3",
        f"{per_item} per item, {people} {_plural('rater', people)} in the registry",
        met=per_item >= MIN_RATERS and not few,
        advice=f"Name at least {max(per_item, MIN_RATERS)} raters in {campaign.raters.file}."
        if few
        else f"Set raters.per_item to {MIN_RATERS} or more; one rater cannot disagree.",
    )


def _named(raters: Sequence[RaterEntry], *, role: Role, task: str) -> Recommendation:
    people = [entry.pseudonym for entry in raters if entry.role == role]
    return Recommendation(
        role.capitalize(),
        f"at least one, who {task}",
        listed(people) if people else "none",
        met=bool(people),
        advice=f"Give a person the role {role} in the rater registry.",
    )


def _pilot(campaign: Campaign) -> Recommendation:
    items = campaign.rounds.pilot.items
    low, high = PILOT_ITEMS[0], PILOT_ITEMS[-1]
    return Recommendation(
        "Pilot",
        f"{low} to {high} items before the main round",
        f"{items} {_plural('item', items)}" if items else "no pilot",
        met=items in PILOT_ITEMS,
        advice=f"Set rounds.pilot.items to {high}; further items teach more in the main round."
        if items > high
        else f"Set rounds.pilot.items to {low} to {high}, so that raters practise on items outside "
        "the sample first.",
    )


def _guide(campaign: Campaign) -> Recommendation:
    rubric = campaign.rubric
    scales = rubric.scales
    lacking = [d for d in rubric.dimensions if len(d.anchors) < len(scales[d.name].categories)]
    titles = [dict(d.title) for d in lacking]
    bare = [title.get(campaign.language) or next(iter(title.values())) for title in titles]
    absent = [
        *([f"a meaning for every level of {listed(bare)}"] if bare else []),
        *([] if rubric.field_rules else ["field rules"]),
        *([] if rubric.boundary_cases else ["boundary cases"]),
    ]
    return Recommendation(
        "Rater guide",
        "every level explained, field rules, boundary cases",
        "complete" if not absent else f"without {listed(absent)}",
        met=not absent,
        advice=f"Add {listed(absent)} to the rubric.",
    )


def _items(
    campaign: Campaign, pool_size: int | None, drawn: int | None, *, unit: str
) -> Recommendation:
    from ocrjury.sampling import sample_size  # noqa: PLC0415  # the rating page does not need it

    wanted = sample_size(error=0.05, population=pool_size)
    n = drawn or campaign.sampling.n or wanted
    floor = min(MIN_ITEMS, wanted)  # a small pool needs fewer for ±5 points
    of = f" {unit}".rstrip() if pool_size is None else f" of {pool_size:,} {unit}".rstrip()
    too_many = pool_size is not None and n > pool_size
    margin = "" if too_many else f": {_precision(campaign, n, pool_size, unit=unit)}"
    return Recommendation(
        "Number of items",
        f"at least {floor}; {wanted}{of} for a share within ±5 points",
        f"{n:,}{of}{margin}",
        met=n >= floor and not too_many,
        advice=f"The pool has {pool_size:,} documents; set sampling.n to {pool_size} or less."
        if too_many
        else f"Set sampling.n to {floor} or more, or leave it empty for ±5 points.",
    )


def _precision(campaign: Campaign, n: int, population: int | None, *, unit: str) -> str:
    """How near the share of n documents or pages comes to that of the pool."""
    independent = f"{100 * _margin(n, population):.1f}"
    if unit or campaign.rounds.page.systems == "apart":
        return f"a share within ±{independent} points at 95%"
    # Nobody knows yet how alike the outputs of a page are; it has two or more.
    pages = None if population is None else max(population // 2, 1)
    alike = f"{100 * _margin(max(n // 2, 1), pages):.1f}"
    return (
        f"a share within ±{independent} points at 95% if outputs of a page have nothing in common, "
        f"±{alike} or more if they are alike"
    )


def _margin(n: int, population: int | None) -> float:
    """Half width of the 95 % interval of a share of one half."""
    left = 1.0 if population is None else max(population - n, 0) / max(population - 1, 1)
    return NormalDist().inv_cdf(0.975) * math.sqrt(0.25 / n * left)


def _double_rated(campaign: Campaign) -> Recommendation:
    share = campaign.raters.share_rated_twice
    return Recommendation(
        "Items with two or more raters",
        f"at least {DOUBLE_SHARE:.0%}, and {DOUBLE_ITEMS} items",
        f"{share:.0%}",
        met=share >= DOUBLE_SHARE,
        advice="Set raters.per_item to 2 or more."
        if campaign.raters.per_item < MIN_RATERS
        else f"Set raters.double_rated to {DOUBLE_SHARE} or more.",
    )


def _unknown_simulated(
    campaign: Campaign, raters: Sequence[RaterEntry]
) -> tuple[Recommendation, ...]:
    unknown = sorted(set(campaign.simulation.raters) - {entry.pseudonym for entry in raters})
    if not unknown:
        return ()
    file = campaign.raters.file
    advice = f"Correct simulation.raters, or add {listed(unknown)} to {file}."
    actual = f"{listed(unknown)} missing"
    expected = f"all listed in {file}"
    return (Recommendation("Simulated raters", expected, actual, met=False, advice=advice),)


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else f"{noun}s"
