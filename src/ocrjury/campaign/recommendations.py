"""Comparison of a campaign with recommendations for human evaluation.

The rows are the recommendations of the reference text on human evaluation of OCR. A campaign may
depart from them; the lead and the report see each departure.
"""

from collections.abc import Sequence
from dataclasses import replace

from ocrjury.campaign.cells import Role
from ocrjury.campaign.config import Campaign
from ocrjury.campaign.problems import listed
from ocrjury.campaign.recommendation import AGREEMENT_PRINTED, ORDER_SHUFFLED, Recommendation
from ocrjury.campaign.registry import RaterEntry
from ocrjury.campaign.sample_recommendations import (
    MIN_RATERS,
    RATERS_PER_ITEM,
    Unit,
    items_rated_twice,
    number_of_items,
)
from ocrjury.gate.policy import ON_FAIL_NAMES, policy_name
from ocrjury.language import counted, language, phrase

PILOT_ITEMS = range(20, 31)
MAX_SESSION_MINUTES = 60


def check_campaign(
    campaign: Campaign,
    raters: Sequence[RaterEntry],
    *,
    pool_size: int | None = None,
    drawn: int | None = None,
    unit: Unit = "",
    items: int | None = None,
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
    items
        Number of outputs drawn so far, where ``drawn`` counts pages.
    """
    rows = (
        _raters(campaign, raters),
        _named(
            raters,
            role="adjudicator",
            topic=phrase("Adjudicator"),
            recommended=phrase("at least one, who settles what raters disagree on"),
        ),
        _named(
            raters,
            role="expert",
            topic=phrase("Expert"),
            recommended=phrase("at least one, who settles what the adjudicator cannot"),
        ),
        _pilot(campaign),
        _guide(campaign),
        _results_after_agreement(campaign),
        number_of_items(campaign, pool_size, drawn, unit=unit),
        ORDER_SHUFFLED,
        _session(campaign.raters.session_minutes),
        items_rated_twice(campaign, pool_size, drawn, items=items),
        AGREEMENT_PRINTED,
        *_unknown_simulated(campaign, raters),
    )
    return tuple(replace(row, advice="") if row.met else row for row in rows)


def _results_after_agreement(campaign: Campaign) -> Recommendation:
    on_fail = campaign.gate.on_fail
    return Recommendation(
        phrase("Agreement before results"),
        phrase("results only after the raters agree"),
        phrase(
            "policy {policy}, on failure {on_fail}",
            policy=policy_name(campaign.gate.policy),
            on_fail=ON_FAIL_NAMES[on_fail],
        ),
        met=on_fail != "proceed",
        advice=phrase("Set gate.on_fail to hold, so that low agreement stops the evaluation."),
    )


def _session(minutes: float) -> Recommendation:
    return Recommendation(
        phrase("Session length"),
        phrase("at most {minutes} minutes", minutes=MAX_SESSION_MINUTES),
        phrase("{minutes} minutes", minutes=f"{minutes:g}"),
        met=minutes <= MAX_SESSION_MINUTES,
        advice=phrase(
            "Set raters.session_minutes to {minutes} or less; tired raters err.",
            minutes=MAX_SESSION_MINUTES,
        ),
    )


def _raters(campaign: Campaign, raters: Sequence[RaterEntry]) -> Recommendation:
    per_item = campaign.raters.per_item
    people = sum(entry.role == "rater" for entry in raters)
    few = people < per_item
    return Recommendation(
        *RATERS_PER_ITEM,
        phrase(
            "{n} per item, {raters} in the registry", n=per_item, raters=counted(people, "rater")
        ),
        met=per_item >= MIN_RATERS and not few,
        advice=phrase(
            "Name at least {n} raters in {file}.",
            n=max(per_item, MIN_RATERS),
            file=campaign.raters.file,
        )
        if few
        else phrase("Set raters.per_item to {n} or more; one rater cannot disagree.", n=MIN_RATERS),
    )


def _named(
    raters: Sequence[RaterEntry], *, role: Role, topic: str, recommended: str
) -> Recommendation:
    people = [entry.pseudonym for entry in raters if entry.role == role]
    return Recommendation(
        topic,
        recommended,
        listed(people) if people else phrase("none"),
        met=bool(people),
        advice=phrase("Give a person the role {role} in the rater registry.", role=role),
    )


def _pilot(campaign: Campaign) -> Recommendation:
    items = campaign.rounds.pilot.items
    low, high = PILOT_ITEMS[0], PILOT_ITEMS[-1]
    return Recommendation(
        phrase("Pilot"),
        phrase("{low} to {high} items before the main round", low=low, high=high),
        counted(items, "item") if items else phrase("no pilot"),
        met=items in PILOT_ITEMS,
        advice=phrase(
            "Set rounds.pilot.items to {n}; further items teach more in the main round.", n=high
        )
        if items > high
        else phrase(
            "Set rounds.pilot.items to {low} to {high}, so that raters practise on items outside "
            "the sample first.",
            low=low,
            high=high,
        ),
    )


def _guide(campaign: Campaign) -> Recommendation:
    rubric = campaign.rubric
    scales = rubric.scales
    lacking = [d for d in rubric.dimensions if len(d.anchors) < len(scales[d.name].categories)]
    titles = rubric.titles(language())
    bare = [titles[dimension.name] for dimension in lacking]
    absent = [
        *([phrase("a meaning for every level of {names}", names=listed(bare))] if bare else []),
        *([] if rubric.field_rules else [phrase("field rules")]),
        *([] if rubric.boundary_cases else [phrase("boundary cases")]),
    ]
    return Recommendation(
        phrase("Rater guide"),
        phrase("every level explained, field rules, boundary cases"),
        phrase("without {parts}", parts=listed(absent)) if absent else phrase("complete"),
        met=not absent,
        advice=phrase("Add {parts} to the rubric.", parts=listed(absent)),
    )


def _unknown_simulated(
    campaign: Campaign, raters: Sequence[RaterEntry]
) -> tuple[Recommendation, ...]:
    unknown = sorted(set(campaign.simulation.raters) - {entry.pseudonym for entry in raters})
    if not unknown:
        return ()
    file = campaign.raters.file
    return (
        Recommendation(
            phrase("Simulated raters"),
            phrase("all listed in {file}", file=file),
            phrase("{names} missing", names=listed(unknown)),
            met=False,
            advice=phrase(
                "Correct simulation.raters, or add {names} to {file}.",
                names=listed(unknown),
                file=file,
            ),
        ),
    )
