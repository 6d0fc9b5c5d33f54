"""The page on which the outputs of several systems are rated side by side."""

from secrets import token_urlsafe

from fastapi.responses import Response

from ocrjury.frontends.web.guests import Guest
from ocrjury.frontends.web.item_view import Chosen
from ocrjury.frontends.web.pair_view import view_pair
from ocrjury.frontends.web.pairs import PREFERENCE, Outputs, for_output, visit_of
from ocrjury.frontends.web.rendering import page
from ocrjury.frontends.web.work_pace import Pace
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection
from ocrjury.store.outputs import own_preferences
from ocrjury.store.ratings import newest_answers
from ocrjury.store.remarks import read_comment


def pair_page(
    connection: Connection,
    guest: Guest,
    outputs: Outputs,
    *,
    pace: Pace,
    retry: tuple[Chosen, str] | None = None,
) -> Response:
    """Return the page of all outputs; that each was looked at is noted.

    Parameters
    ----------
    retry
        What a form held that could not be taken, and why.
    """
    others = outputs.tasks[1:]
    for task in others:
        add_audit(
            connection,
            "view",
            actor=guest.link.rater,
            object_=task.assignment,
            address=guest.address,
            now=guest.site.now(),
        )
    first = outputs.place.visit.visit
    view = view_pair(
        outputs,
        [first, *(visit_of(connection, guest, task) for task in others)],
        _chosen(connection, outputs) if retry is None else retry[0],
        campaign=guest.campaign,
        language=guest.language,
    )
    return page(
        "pair",
        status=200 if retry is None else 422,
        language=guest.language,
        guest=guest,
        pace=pace,
        pair=view,
        item=view.first,
        event=token_urlsafe(16),
        problem=retry[1] if retry else None,
        changing=outputs.place.task.state == "done",
    )


def said_of(letter: str, comment: str) -> str:
    """Return a comment that says under which letter its author saw the output.

    Examples
    --------
    >>> said_of("A", "B is shorter"), said_of("A", " ")
    ('[A] B is shorter', '')
    """
    return f"[{letter}] {comment.strip()}" if comment.strip() else ""


def _chosen(connection: Connection, outputs: Outputs) -> Chosen:
    """Return what was chosen so far: the draft, else what was handed in."""
    draft, task = outputs.place.draft, outputs.place.task
    if draft is not None:
        return Chosen.of_draft(draft.rev, draft.body)
    if task.state != "done":
        return Chosen()
    values: dict[str, float] = {}
    flags: dict[str, str] = {}
    confidence = None
    for letter, one in outputs.by_letter.items():
        own, why, confidence = newest_answers(connection, one.assignment)
        values |= for_output(own, letter)
        flags |= for_output(why, letter)
    comment = read_comment(connection, task.assignment).removeprefix(said_of("A", "-")[:-1])
    preferred = _preferred(connection, outputs)
    if preferred is not None:
        values[PREFERENCE] = preferred
    excused = {name: why for name, why in flags.items() if why == "cannot_judge"}
    other = next((why for why in flags.values() if why != "cannot_judge"), None)
    return Chosen(0, values, excused, comment, other, confidence)


def _preferred(connection: Connection, outputs: Outputs) -> float | None:
    """Return the number of the choice that was handed in, None without one."""
    stored = own_preferences(connection, [task.assignment for task in outputs.tasks])
    if len(stored) < len(outputs.tasks):
        return None
    said = {letter: stored[task.assignment] for letter, task in outputs.by_letter.items()}
    numbers = range(1, len(outputs.choices) + 1)
    return next((float(one) for one in numbers if outputs.preferences(one) == said), None)
