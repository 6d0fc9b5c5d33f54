"""The place where a rater works: an output alone, or all outputs of a scanned page side by side.

Side by side they are called A, B and so on, in the order in which the plan stores them. That order
was drawn for every rater and page, so that a letter says nothing about a system. Answers about
an output are named by letter and dimension (``A:meaning``); about an output alone, by dimension.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

from ocrjury.errors import StateError
from ocrjury.frontends.ingest import Facts, facts_about
from ocrjury.frontends.web.access.guests import Guest
from ocrjury.frontends.web.answers import Trouble
from ocrjury.store.database import Connection, reading
from ocrjury.store.outputs import BETTER, SAME, WORSE, read_outputs
from ocrjury.store.queue import RatingTask, read_practised, read_task
from ocrjury.store.ratings import lock_open_round
from ocrjury.store.visits import DraftRow, VisitRow, find_visit, open_visit, read_draft

MOST = 8
"""Outputs that fit on a rating page; of more, each is shown alone."""
PREFERENCE = "preference"
V = TypeVar("V")


class Place(NamedTuple):
    """Outputs that a rating page shows together, with the visit and the draft.

    Attributes
    ----------
    visit
        The visit of the first output, which names the rating page.
    tasks
        The outputs in order.
    draft
        What is chosen so far about all of them, kept with the first.
    """

    visit: VisitRow
    tasks: Sequence[RatingTask]
    draft: DraftRow | None

    @property
    def task(self) -> RatingTask:
        """The first output."""
        return self.tasks[0]

    @property
    def side_by_side(self) -> bool:
        """Whether there are several outputs."""
        return len(self.tasks) > 1

    @property
    def by_letter(self) -> dict[str, RatingTask]:
        """The outputs by letter; an output alone has an empty one."""
        letters = [chr(ord("A") + number) for number in range(len(self.tasks))]
        return dict(zip(letters if self.side_by_side else [""], self.tasks, strict=True))

    @property
    def told(self) -> tuple[str, ...]:
        """The dimensions on which the rater was told that a field rule allows less."""
        return () if self.draft is None else self.draft.body.told

    @property
    def choices(self) -> list[str | None]:
        """Letters that can be preferred; None, for no difference, stands between two outputs.

        Examples
        --------
        >>> Place(None, ["x", "y"], None).choices, Place(None, ["x", "y", "z"], None).choices
        (['A', None, 'B'], ['A', 'B', 'C', None])
        """
        letters: list[str | None] = [*self.by_letter]
        return [letters[0], None, letters[1]] if len(letters) == 2 else [*letters, None]

    def preferences(self, value: float | None) -> dict[str, int]:
        """Meaning of a choice for every output, by letter; {} where none was made.

        `ValueError` if there is no such choice.
        """
        if value is None:
            return {}
        if value not in range(1, len(self.choices) + 1):
            raise ValueError(value)
        best = self.choices[int(value) - 1]
        return {
            letter: SAME if best is None else BETTER if letter == best else WORSE
            for letter in self.by_letter
        }


def find_task(connection: Connection, guest: Guest, visit: str) -> tuple[VisitRow, RatingTask]:
    """Visit with its assignment; `Trouble` if it is another rater's, or its round is over."""
    row = find_visit(connection, guest.link, visit)
    if row is None:
        raise Trouble(404, "unknown", guest.say("trouble_unknown"))
    task = read_task(connection, guest.link, row.assignment)
    if task is None:
        raise Trouble(409, "closed", guest.say("trouble_closed"))
    return row, task


def find_place_alone(connection: Connection, guest: Guest, visit: str) -> Place:
    """Find a place, while nobody else hands in what it depends on until the transaction ends.

    On PostgreSQL, others might otherwise store their ratings between what is read of the place and
    what is written; SQLite has one writer at a time anyway.
    """
    with suppress(StateError):  # `find_place` refuses what comes for a closed round
        lock_open_round(connection, guest.link.evaluation)
    return find_place(connection, guest, visit)


def find_place(connection: Connection, guest: Guest, visit: str) -> Place:
    """Find the place that the visit of one of its outputs leads to; see `find_task`."""
    row, task = find_task(connection, guest, visit)
    tasks = _tasks(connection, guest, task)
    if tasks[0].assignment != task.assignment:
        row, _ = find_task(connection, guest, visit_of(connection, guest, tasks[0].assignment))
    return Place(row, tasks, read_draft(connection, tasks[0].assignment))


def find_seen(connection: Connection, guest: Guest, visit: str) -> tuple[VisitRow, RatingTask]:
    """Visit with its assignment, of an open round or of practice that is over; see `find_task`."""
    row = find_visit(connection, guest.link, visit)
    task = row and read_practised(connection, guest.link, row.assignment)
    return find_task(connection, guest, visit) if row is None or task is None else (row, task)


def find_practised(connection: Connection, guest: Guest, visit: str) -> Place:
    """Item of practice that a visit leads to; `Trouble` if it is another rater's, or none."""
    row = find_visit(connection, guest.link, visit)
    task = row and read_practised(connection, guest.link, row.assignment)
    if row is None or task is None:
        raise Trouble(404, "unknown", guest.say("trouble_unknown"))
    return Place(row, [task], None)


def find_facts(guest: Guest, visit: str) -> Facts:
    """Facts about the fields of a place, to be found before the transaction that needs them."""
    rubric = guest.campaign.rubric
    if not rubric.field_rules:
        return {}
    with reading(guest.site.store.engine) as connection:
        _, task = find_task(connection, guest, visit)
        tasks = _tasks(connection, guest, task)
    return facts_about(tasks, rubric)


def first_of_each(connection: Connection, guest: Guest, names: Sequence[str]) -> list[str]:
    """Keep of outputs that are seen side by side only the first assignment."""
    if guest.campaign.rounds.page.systems == "apart":
        return list(names)
    tasks = [read_task(connection, guest.link, name) for name in names]
    firsts = [_tasks(connection, guest, task)[0] for task in tasks if task is not None]
    return list(dict.fromkeys(task.assignment for task in firsts))


def visit_of(connection: Connection, guest: Guest, assignment: str, *, ahead: bool = False) -> str:
    """Name of this session's visit of an assignment, which begins now if there is none.

    `ahead`: its page is sent before its turn; see `open_visit`.
    """
    return open_visit(
        connection,
        assignment,
        session_hash=guest.session.session_hash,
        client=guest.client,
        now=guest.site.now(),
        ahead=ahead,
    )


def lettered(letter: str, name: str) -> str:
    """Name of a dimension of one output.

    Examples
    --------
    >>> lettered("B", "meaning"), lettered("", "meaning")
    ('B:meaning', 'meaning')
    """
    return f"{letter}:{name}" if letter else name


def of_output(named: Mapping[str, V], letter: str) -> dict[str, V]:
    """Answers about one output, by dimension.

    Examples
    --------
    >>> of_output({"A:meaning": 4, "B:meaning": 2, "preference": 1}, "B")
    {'meaning': 2}
    """
    start = lettered(letter, "")
    return {
        name.removeprefix(start): value for name, value in named.items() if name.startswith(start)
    }


def _tasks(connection: Connection, guest: Guest, task: RatingTask) -> list[RatingTask]:
    """Outputs shown with a task: only itself where one is rated at a time."""
    if task.round_kind != "main" or guest.campaign.rounds.page.systems == "apart":
        return [task]
    tasks = read_outputs(connection, guest.link, task)
    return tasks if len(tasks) <= MOST else [task]
