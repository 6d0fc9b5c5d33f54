"""The rating page of a place: its outputs, what was chosen so far, and the pace of the rater."""

from collections.abc import Callable
from datetime import datetime
from secrets import token_urlsafe
from typing import Final, NamedTuple

from fastapi.responses import Response

from ocrjury.campaign.flags import CANNOT_JUDGE
from ocrjury.frontends.web import second_looks
from ocrjury.frontends.web.access.guests import Guest
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.bodies import CATEGORIES
from ocrjury.frontends.web.item_view import Chosen, view_item
from ocrjury.frontends.web.places import PREFERENCE, Place, lettered, visit_of
from ocrjury.frontends.web.rendering import page
from ocrjury.store.database import Connection
from ocrjury.store.item_ratings import latest_answer
from ocrjury.store.outputs import own_preferences
from ocrjury.store.queue import Goal, SessionCounts, count_queue, read_goal
from ocrjury.store.remarks import read_comment, read_item_flag, read_note
from ocrjury.store.visits import name_work, seconds_per_item

UNPROCESSABLE = 422
IN_TURN: Final = ("main", "adaptive", "adjudication", "panel")
"""Rounds whose items follow each other whatever was answered before."""
AHEAD: Final = (*IN_TURN, "pilot")
"""Rounds whose next items are sent before their turn."""
Unprinted = Callable[[], Response]
"""A page of which everything is read: its texts are marked, and it is printed, when the store is
free for others again."""


class Pace(NamedTuple):
    """Progress in the open round, and minutes: until the end, and at work without a break.

    `minutes_left` is None at the end, and until enough items tell how long one takes; `goal` says
    until when the rater works, and how far the session is, as long as items are open.
    """

    title: str
    done: int
    total: int
    waiting: int
    minutes_left: int | None
    minutes_at_work: float
    break_minutes: float
    stop_minutes: float
    kind: str | None
    deadline: datetime | None
    session: SessionCounts | None
    goal: str

    @property
    def open(self) -> int:
        """Number of items that are open."""
        return self.total - self.done - self.waiting

    @property
    def must_rest(self) -> bool:
        """Whether the next item waits until the rater has rested."""
        return 0 < self.stop_minutes <= self.minutes_at_work


def pace_of(connection: Connection, guest: Guest) -> Pace:
    """Progress of a rater."""
    campaign, now = guest.campaign, guest.site.now()
    counts = count_queue(connection, guest.link)
    seconds = seconds_per_item(connection, guest.link)
    goal = read_goal(connection, guest.link)
    at_work = (now - guest.session.working_since).total_seconds() / 60
    breaks = campaign.rounds.page
    return Pace(
        title=campaign.title,
        done=counts.done,
        total=counts.done + counts.open + counts.waiting,
        waiting=counts.waiting,
        minutes_left=max(round(counts.open * seconds / 60), 1) if seconds and counts.open else None,
        minutes_at_work=at_work,
        break_minutes=breaks.break_minutes,
        stop_minutes=breaks.stop_minutes,
        kind=goal.kind if goal else None,
        deadline=goal.deadline if goal else None,
        session=goal.session if goal else None,
        goal=_in_words(guest, goal) if goal and counts.open else "",
    )


def _in_words(guest: Guest, goal: Goal) -> str:
    moment = goal.deadline.astimezone(guest.zone).strftime("%Y-%m-%d %H:%M %Z")
    until = guest.say("deadline", moment=moment)
    if goal.session is None:
        return until
    return f"{until} · {guest.say('session_goal', **goal.session._asdict())}"


def guest_page(
    name: str, guest: Guest, pace: Pace, *, status: int = 200, **values: object
) -> Response:
    """Page for a rater, with how far they are."""
    facts = {"guest": guest, "pace": pace, **values}
    return page(name, language=guest.language, status=status, **facts)


class Retry(NamedTuple):
    """Content of a form that could not be taken, and why."""

    chosen: Chosen
    category: str | None
    problem: str


def item_page(
    connection: Connection,
    guest: Guest,
    place: Place,
    *,
    pace: Pace,
    retry: Retry | None = None,
    ahead: bool = False,
) -> Unprinted:
    """Rating page of a place; it is noted that each output after the first was looked at too.

    `ahead`: the page is sent before its turn, and nobody looks at it yet.
    """
    task, rest = place.task, place.tasks[1:]
    for other in () if ahead else rest:
        note(connection, guest, "view", target=other.assignment)
    visits = [visit_of(connection, guest, other.assignment, ahead=ahead) for other in rest]
    chosen = _chosen(connection, place) if retry is None else retry.chosen
    others = None
    if task.round_kind == "adjudication" and not second_looks.awaits_own_judgement(place):
        others = second_looks.other_ratings(connection, task, place.visit.visit)
    facts = {
        "work": name_work(connection, task.assignment),
        "in_turn": task.round_kind in IN_TURN and task.state == "open",
        "follows": task.round_kind in AHEAD and task.state == "open",
        "ahead": ahead,
        "event": token_urlsafe(16),
        "kind": task.round_kind,
        "changing": task.state == "done",
        "others": others,
        "categories": CATEGORIES,
        "category": retry.category if retry else _category(connection, place),
        "problem": retry.problem if retry else None,
    }

    def printed() -> Response:
        item = view_item(
            place, chosen, campaign=guest.campaign, language=guest.language, visits=visits
        )
        status = 200 if retry is None else UNPROCESSABLE
        return guest_page("item", guest, pace, status=status, item=item, **facts)

    return printed


def _category(connection: Connection, place: Place) -> str | None:
    """Reason that an adjudicator gave for the disagreement when the item was handed in."""
    if place.task.round_kind != "adjudication":
        return None
    task = place.task
    body = read_note(connection, task.evaluation, task.item, number=task.round, kind="adjudication")
    return body.get("category")


def _chosen(connection: Connection, place: Place) -> Chosen:
    """Answers chosen so far: the draft, else what was handed in."""
    if place.draft is not None:
        return Chosen.of_draft(place.draft.rev, place.draft.body)
    if place.task.state != "done":
        return Chosen()
    values: dict[str, float] = {}
    flags: dict[str, str] = {}
    confidence = None
    for letter, task in place.by_letter.items():
        answer = latest_answer(connection, task.assignment)
        confidence = answer.confidence
        values |= {lettered(letter, name): value for name, value in answer.values.items()}
        flags |= {lettered(letter, name): reason for name, reason in answer.flags.items()}
    comment = read_comment(connection, place.task.assignment)
    preferred = _preferred(connection, place)
    if preferred is not None:
        values[PREFERENCE] = preferred
    excused = {name: why for name, why in flags.items() if why == CANNOT_JUDGE}
    flag = next((why for why in flags.values() if why != CANNOT_JUDGE), None)
    flag = flag or read_item_flag(connection, place.task.assignment)
    return Chosen(0, values, excused, comment, flag, confidence)


def _preferred(connection: Connection, place: Place) -> float | None:
    """Number of the choice that was handed in, None without one."""
    stored = own_preferences(connection, [task.assignment for task in place.tasks])
    if not place.side_by_side or len(stored) < len(place.tasks):
        return None
    by_letter = {letter: stored[task.assignment] for letter, task in place.by_letter.items()}
    numbers = range(1, len(place.choices) + 1)
    return next((float(n) for n in numbers if place.preferences(n) == by_letter), None)
