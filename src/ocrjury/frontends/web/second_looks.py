"""Adjudication: an own judgement first, then what the raters said, without their names."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from ocrjury.frontends.ingest import RawRating, problem_with, receive_on
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import RatingBody
from ocrjury.frontends.web.guests import Guest
from ocrjury.store.asked import read_asked
from ocrjury.store.database import Connection
from ocrjury.store.drafts import save_draft
from ocrjury.store.item_ratings import ItemRating, list_item_ratings
from ocrjury.store.queue import RatingTask
from ocrjury.store.remarks import add_note

if TYPE_CHECKING:
    from ocrjury.campaign.rubric import Rubric
    from ocrjury.frontends.web.handing_in import Place

CATEGORIES = ("ambiguous_item", "guideline_gap", "rater_error", "data_error")


class OtherRating(NamedTuple):
    """What somebody else said about the item; `who` is a letter."""

    who: str
    values: Mapping[str, float]
    comment: str


def has_looked(draft: Mapping[str, Any] | None) -> bool:
    """Return whether the own judgement is there."""
    return bool(draft and draft.get("first"))


def awaits_own_judgement(place: "Place") -> bool:
    """Return whether somebody settles this item who has not judged it alone yet."""
    draft = None if place.draft is None else place.draft.body
    return (
        place.task.round_kind == "adjudication"
        and place.task.state == "open"
        and not has_looked(draft)
    )


def other_ratings(connection: Connection, task: RatingTask, visit: str) -> list[OtherRating]:
    """Return what raters said, shuffled, so that a letter says nothing about a person."""
    return lettered(list_item_ratings(connection, task.evaluation, task.item), seed=visit)


def lettered(found: Sequence[ItemRating], *, seed: str) -> list[OtherRating]:
    """Return ratings with letters in place of names, in an order of their own.

    Examples
    --------
    >>> both = [ItemRating("R01", {"meaning": 4.0}, ""), ItemRating("R02", {"meaning": 2.0}, "")]
    >>> [one.who for one in lettered(both, seed="x")]
    ['A', 'B']
    """
    order = list(found)
    random.Random(seed).shuffle(order)  # noqa: S311  # no secret: it only takes names away
    return [
        OtherRating(chr(ord("A") + place % 26), one.values, one.comment)
        for place, one in enumerate(order)
    ]


def judge_first(
    connection: Connection,
    place: "Place",
    sent: tuple[RawRating, RatingBody],
    *,
    rubric: "Rubric",
    now: datetime,
) -> str | None:
    """Keep an own judgement, after which the others are shown; return why not, if it is not.

    Nobody changes it afterwards: what is handed in at the end stands beside it.
    """
    raw, body = sent
    asked = read_asked(connection, place.task.evaluation, [raw.assignment])
    why = problem_with(raw, asked.get(raw.assignment), rubric=rubric)
    if why is not None or has_looked(None if place.draft is None else place.draft.body):
        return why
    told = dict.fromkeys(raw.told, True)
    first = {
        "values": dict(raw.values),
        "flags": dict(raw.flags),
        "confidence": raw.confidence,
        "told": told,
    }
    content = body.model_dump(include={"values", "flags", "flag", "comment", "confidence"})
    save_draft(
        connection,
        raw.assignment,
        {**content, "told": told, "first": first},
        base=place.draft.rev if place.draft else 0,
        event_id=body.event_id,
        now=now,
    )
    return None


def keep_first_look(
    connection: Connection,
    guest: Guest,
    sent: "tuple[Place, RawRating, RatingBody]",
    *,
    now: datetime,
) -> bool:
    """Store the own judgement as the first revision, and the reason why the raters differed.

    Returns whether the round is complete with it.

    Raises
    ------
    Trouble
        Without an own judgement, or without a reason.
    """
    place, raw, body = sent
    first = None if place.draft is None else place.draft.body.get("first")
    if place.task.state == "open" and first is None:
        raise Trouble(422, "judge_first", guest.say("trouble_judge_first"))
    if body.category is None:
        raise Trouble(422, "category", guest.say("trouble_category"))
    complete = False
    if first is not None:
        own = replace(
            raw,
            **first,
            event_id=f"{raw.event_id}-first",
            comment=None,
            where=f"{raw.where}, first",
        )
        received = receive_on(
            connection, place.task.evaluation, [own], rubric=guest.campaign.rubric, now=now
        )
        if received.refused:
            raise Trouble(422, "refused", received.refused[0].what)
        complete = received.complete
    add_note(
        connection,
        place.task.evaluation,
        place.task.item,
        number=place.task.round,
        kind="adjudication",
        body={"category": body.category},
        actor=guest.link.rater,
        now=now,
    )
    return complete
