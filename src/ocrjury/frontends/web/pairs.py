"""The outputs of one page side by side: A, B and so on, in the order in which the plan stores them.

That order was drawn for every rater and page, so that a letter says nothing about a system.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ocrjury.frontends.web.guests import Guest
from ocrjury.frontends.web.handing_in import Place, find_place
from ocrjury.store.database import Connection
from ocrjury.store.outputs import BETTER, SAME, WORSE, read_outputs
from ocrjury.store.queue import RatingTask, read_task
from ocrjury.store.visits import open_visit

MOST = 8
"""Outputs that fit on a page; of more, each is shown alone."""
PREFERENCE = "preference"


class Outputs(NamedTuple):
    """The outputs of a page: the place whose visit names them all, and the tasks in order.

    What is chosen so far is kept in the draft of the first.
    """

    place: Place
    tasks: Sequence[RatingTask]

    @property
    def letters(self) -> list[str]:
        """Return what the outputs are called."""
        return [chr(ord("A") + number) for number in range(len(self.tasks))]

    @property
    def by_letter(self) -> dict[str, RatingTask]:
        """Return the outputs by what they are called."""
        return dict(zip(self.letters, self.tasks, strict=True))

    @property
    def choices(self) -> list[str | None]:
        """Return what can be preferred, None for no difference, which is between two outputs.

        Examples
        --------
        >>> Outputs(None, ["x", "y"]).choices, Outputs(None, ["x", "y", "z"]).choices
        (['A', None, 'B'], ['A', 'B', 'C', None])
        """
        letters: list[str | None] = [*self.letters]
        return [letters[0], None, letters[1]] if len(letters) == 2 else [*letters, None]

    def preferences(self, value: float | None) -> dict[str, int]:
        """Return what a choice says about every output; nothing where none was made.

        Raises
        ------
        ValueError
            If there is no such choice.
        """
        if value is None:
            return {}
        if value not in range(1, len(self.choices) + 1):
            raise ValueError(value)
        best = self.choices[int(value) - 1]
        return {
            letter: SAME if best is None else BETTER if letter == best else WORSE
            for letter in self.letters
        }


def outputs_beside(connection: Connection, guest: Guest, place: Place) -> Outputs | None:
    """Return what belongs beside an item, None where it is shown alone."""
    tasks = _tasks(connection, guest, place.task)
    if not 1 < len(tasks) <= MOST:
        return None
    if tasks[0].assignment != place.task.assignment:
        place = find_place(connection, guest, visit_of(connection, guest, tasks[0]))
    return Outputs(place, tasks)


def first_of_each(connection: Connection, guest: Guest, names: Sequence[str]) -> list[str]:
    """Return some assignments, of outputs that are seen side by side only the first."""
    if guest.campaign.rounds.page.systems == "apart":
        return list(names)
    found = [read_task(connection, guest.link, name) for name in names]
    first = [_tasks(connection, guest, task)[0] for task in found if task is not None]
    return list(dict.fromkeys(task.assignment for task in first))


def visit_of(connection: Connection, guest: Guest, task: RatingTask) -> str:
    """Return the name of this session's visit of an output."""
    return open_visit(
        connection,
        task.assignment,
        session_hash=guest.session.session_hash,
        client=guest.client,
        now=guest.site.now(),
    )


def of_output(named: Mapping[str, Any], letter: str) -> dict[str, Any]:
    """Return what is said of one output, by dimension.

    Examples
    --------
    >>> of_output({"A:meaning": 4, "B:meaning": 2, "preference": 1}, "B")
    {'meaning': 2}
    """
    start = f"{letter}:"
    return {
        name.removeprefix(start): value for name, value in named.items() if name.startswith(start)
    }


def for_output(named: Mapping[str, Any], letter: str) -> dict[str, Any]:
    """Return the reverse of `of_output`: names that say of which output they are."""
    return {f"{letter}:{name}": value for name, value in named.items()}


def _tasks(connection: Connection, guest: Guest, task: RatingTask) -> list[RatingTask]:
    """Return the outputs of a task's page, only itself where one is rated at a time."""
    if task.round_kind != "main" or guest.campaign.rounds.page.systems == "apart":
        return [task]
    return read_outputs(connection, guest.link, task)
