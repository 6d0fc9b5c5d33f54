"""Limits of the field rules on the outputs of a place, as far as its rating page shows them."""

from collections.abc import Mapping

from ocrjury.campaign.config import Campaign
from ocrjury.frontends.ingest import Facts, Limit, facts_about, limits_told, on_scale
from ocrjury.frontends.web.access.guests import Guest
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import DraftBody
from ocrjury.frontends.web.places import Place, lettered
from ocrjury.store.queue import RatingTask

QUICK = 1000
"""Characters of texts that are compared in no time, so that nobody waits while a page is made."""


def limits_shown(place: Place, campaign: Campaign, *, language: str) -> dict[str, Limit]:
    """Limits that a rating page brings with it, by dimension; it tells them after a first choice.

    Without a reference to look at there are none: they would tell what it says.
    """
    if campaign.rounds.page.reference == "hidden":
        return {}
    facts = facts_about([task for task in place.tasks if _quick(task)], campaign.rubric)
    return limits_of(place, facts, campaign, language=language)


def limits_of(place: Place, facts: Facts, campaign: Campaign, *, language: str) -> dict[str, Limit]:
    """Limits on all outputs of a place, by dimension, as far as there are facts about them."""
    limits: dict[str, Limit] = {}
    for letter, task in place.by_letter.items():
        own_limits = limits_told(
            facts.get(task.item),
            task.dimensions,
            campaign.rubric,
            page=campaign.rounds.page,
            language=language,
        )
        limits |= {lettered(letter, name): limit for name, limit in own_limits.items()}
    return limits


def broken(limits: Mapping[str, Limit], values: Mapping[str, float]) -> dict[str, str]:
    """Sentences of the limits that some values exceed, by dimension.

    Examples
    --------
    >>> broken({"meaning": Limit(4, "At most 4.")}, {"meaning": 5, "layout": 5})
    {'meaning': 'At most 4.'}
    """
    return {
        name: limit.sentence
        for name, limit in limits.items()
        if values.get(name, limit.at_most) > limit.at_most
    }


def broken_rules(guest: Guest, place: Place, body: DraftBody, *, facts: Facts) -> dict[str, str]:
    """Sentences of the field rules that values break, by dimension."""
    limits = limits_of(place, facts, guest.campaign, language=guest.language)
    return broken(limits, body.values)


def ask_about_rules(guest: Guest, place: Place, body: DraftBody, *, facts: Facts) -> None:
    """Raise `Trouble` with the sentences of field rules that values break before they were told."""
    notes = broken_rules(guest, place, body, facts=facts)
    if not notes.keys() <= {*place.told, *body.told}:
        sentences = [*dict.fromkeys(notes.values()), guest.say("rule_ask")]
        raise Trouble(422, "rule", "\n".join(sentences), notes=notes)


def _quick(task: RatingTask) -> bool:
    """Return whether comparing both texts takes no time."""
    return max(len(task.reference or ""), len(task.hypothesis)) <= QUICK


def outside_text(guest: Guest, values: Mapping[str, float]) -> str | None:
    """Sentence on a number that its continuous scale does not have; None if there is none."""
    scales = guest.campaign.rubric.scales
    for name, value in values.items():
        scale = scales.get(name.rpartition(":")[2])  # of an output beside others
        if scale is not None and scale.kind == "interval" and not on_scale(value, scale):
            return guest.say("outside", range=f"{scale.low:g} – {scale.high:g}")
    return None
