"""Adjudication: an own judgement first, then what the raters said, without their names."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ocrjury.frontends.ingest import Facts, RawRating, receive_on
from ocrjury.frontends.web.access.guests import Guest
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.bodies import RatingBody
from ocrjury.frontends.web.places import Place
from ocrjury.store.comments import with_letter
from ocrjury.store.database import Connection
from ocrjury.store.draft_content import Judgement
from ocrjury.store.item_ratings import ItemRating, list_item_ratings
from ocrjury.store.queue import RatingTask
from ocrjury.store.remarks import add_note
from ocrjury.store.visits import save_draft


class OtherRating(NamedTuple):
    """Rating of the item by somebody else; `who` is a letter."""

    who: str
    values: Mapping[str, float]
    comment: str


def kept_first(place: Place) -> Judgement | None:
    """An adjudicator's own judgement, None before it is given."""
    return None if place.draft is None else place.draft.body.first


def awaits_own_judgement(place: Place) -> bool:
    """Return whether an adjudicator settles this item and has not judged it alone yet."""
    task = place.task
    return task.round_kind == "adjudication" and task.state == "open" and not kept_first(place)


def other_ratings(connection: Connection, task: RatingTask, visit: str) -> list[OtherRating]:
    """Ratings by the raters, shuffled, so that a letter says nothing about a person."""
    return shuffled(list_item_ratings(connection, task.evaluation, task.item), seed=visit)


def shuffled(ratings: Sequence[ItemRating], *, seed: str) -> list[OtherRating]:
    """Ratings with letters in place of names, in an order of their own.

    Examples
    --------
    >>> both = [ItemRating("R01", {"meaning": 4.0}), ItemRating("R02", {"meaning": 2.0})]
    >>> [rating.who for rating in shuffled(both, seed="x")]
    ['A', 'B']
    """
    order = list(ratings)
    random.Random(seed).shuffle(order)  # noqa: S311  # no secret: it only takes names away
    return [
        OtherRating(chr(ord("A") + place % 26), values, with_letter(letter, comment))
        for place, (_, values, (comment, letter)) in enumerate(order)
    ]


def keep_judgement(
    connection: Connection, place: Place, raw: RawRating, *, body: RatingBody, now: datetime
) -> None:
    """Keep an own judgement, after which the others are shown.

    Nobody changes it afterwards: what is handed in at the end stands beside it.
    """
    if kept_first(place):
        return
    first = Judgement(
        values=raw.values,
        flags=raw.flags,
        confidence=raw.confidence,
        told=tuple(raw.told),
    )
    save_draft(
        connection,
        raw.assignment,
        body.draft(told_rules=tuple(raw.told), first=first),
        base=place.draft.rev if place.draft else 0,
        event_id=body.event_id,
        now=now,
    )


def keep_first_look(
    connection: Connection,
    guest: Guest,
    place: Place,
    *,
    raw: RawRating,
    body: RatingBody,
    facts: Facts,
) -> bool:
    """Store the own judgement as the first revision, and the reason why the raters differed.

    Returns whether the round is complete with it; `Trouble` without judgement or reason.
    """
    task, now = place.task, guest.site.now()
    if awaits_own_judgement(place):
        raise Trouble(422, "judge_first", guest.say("trouble_judge_first"))
    if body.category is None:
        raise Trouble(422, "category", guest.say("trouble_category"))
    complete = False
    if first := kept_first(place):
        own = replace(
            raw,
            values=first.values,
            flags=first.flags,
            confidence=first.confidence,
            told=first.told,
            event_id=f"{raw.event_id}-first",
            comment=None,
            where=f"{raw.where}, first",
        )
        received = receive_on(
            connection,
            task.evaluation,
            [own],
            rubric=guest.campaign.rubric,
            facts=facts,
            now=now,
        )
        if received.refused:
            raise Trouble(422, "refused", received.refused[0].what)
        complete = received.complete
    add_note(
        connection,
        task.evaluation,
        task.item,
        number=task.round,
        kind="adjudication",
        body={"category": body.category},
        actor=guest.who,
        now=now,
    )
    return complete
