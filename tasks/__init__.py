"""Prefect tasks: load, one call of the library, store, one artifact.

Here is what every task is made with: the store at work in this run, the hold of an evaluation whose
input is refused, and the page of the run with a bar for what takes long.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from functools import wraps
from threading import Event, Thread
from typing import TYPE_CHECKING, NoReturn, Protocol, Self

from prefect import get_run_logger
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    update_progress_artifact,
)
from prefect.context import FlowRunContext, SyncClientContext, TaskRunContext
from prefect.runtime import flow_run

from ocrjury.campaign.history import Step
from ocrjury.campaign.settings import Settings
from ocrjury.errors import InputError, LostRaceError
from ocrjury.evaluation import case
from ocrjury.evaluation.holding import hold
from ocrjury.evaluation.next_rounds import Prospects
from ocrjury.evaluation.overview import overview_page
from ocrjury.signals.artifacts import Send, put_page, read_pages
from ocrjury.signals.unquoted_errors import unquoted
from ocrjury.store.moves import check_position
from ocrjury.store.trouble import ailment_of_disk, trouble

if TYPE_CHECKING:
    from uuid import UUID

log = logging.getLogger(__name__)

SECONDS_BETWEEN = 2.0
"""Before a bar is shown, and between two changes of it: quick steps have none."""
LONGEST_ANSWER = 2.0
"""Seconds that a step waits at its end for the server to take the last change of its bar."""


class TakeStep(Protocol):
    """Takes one step of an evaluation from where it stands."""

    def __call__(self, prospects: Prospects, step: Step) -> None:
        """Take the step, or raise `InputError` and write nothing."""


@contextmanager
def at_work(*, new: bool = False) -> Iterator[case.Work]:
    """Yield the store that the environment names, at the present moment, for this flow run."""
    run = flow_run.id
    try:
        with case.at_work(run_id=None if run is None else str(run), new=new) as work:
            yield work
    except OSError as error:
        ailment = ailment_of_disk(error)
        if ailment is None:
            _raise_unquoted(error)
        raise trouble(ailment, str(Settings.from_environment().home)) from error
    except Exception as error:  # noqa: BLE001  # of whatever kind, it goes on, and quotes nothing
        _raise_unquoted(error)


def _raise_unquoted(error: Exception) -> NoReturn:
    """Raise it on; in a run without what it quotes, because Prefect shows how a run ended."""
    hidden = unquoted(error) if is_run() else error
    if hidden is error:
        raise error
    raise hidden from None


def hold_if_refused(take: TakeStep) -> TakeStep:
    """Hold the evaluation on `InputError` instead of failing the run.

    A sweep that fails on the same evaluation every half hour helps nobody; a held one says what
    is wrong and waits for `retry`. A step that misses something because another process moved the
    evaluation between two of its reads has lost a race.
    """

    @wraps(take)
    def careful(prospects: Prospects, step: Step) -> None:
        try:
            take(prospects, step)
        except InputError as error:
            with at_work() as work:
                hold(work, prospects.position, str(error))
        except LookupError as error:
            with at_work() as work:
                if work.case(prospects.evaluation).standing.position == prospects.position:
                    raise
            raise LostRaceError(f"another process moved {prospects.evaluation}.") from error

    return careful


def is_run() -> bool:
    """Return whether this is part of a run."""
    return FlowRunContext.get() is not None or TaskRunContext.get() is not None


def tell(sentence: str, *values: object) -> None:
    """Write a sentence into the log of the run; outside a run nobody reads it."""
    if is_run():
        get_run_logger().info(sentence, *values)


def from_one_snapshot(take: TakeStep) -> TakeStep:
    """Let a step read the evaluation as it stood at one moment, the one that it was planned on.

    Another process that moves it meanwhile makes the step lose the race, and never makes it read
    half of the old state and half of the new one.
    """

    @wraps(take)
    def steady(prospects: Prospects, step: Step) -> None:
        with at_work() as work, work.snapshot():
            check_position(work.engine, prospects.position)
            take(prospects, step)

    return steady


def publish(evaluation: str, step: str, markdown: str) -> None:
    """Put a markdown artifact on the page of the run; outside a run there is no page.

    It has no key: the list of all artifacts holds the pages of evaluations, one for each.
    """
    if is_run():
        create_markdown_artifact(markdown=markdown, description=f"{evaluation}: {step}")


def show_page(evaluation: str) -> None:
    """Show on an evaluation's page how it stands; outside a run nobody is there to show it to."""
    if FlowRunContext.get() is None:
        return
    with at_work() as work, work.snapshot():
        page = overview_page(work.case(evaluation))
    with _sender() as send:
        put_page(page, send, run=flow_run.id)


def shown_pages(evaluations: Sequence[str]) -> Mapping[str, str] | None:
    """Texts of the pages of some evaluations; None outside a run, where there are none."""
    if FlowRunContext.get() is None or not evaluations:
        return None
    with _sender() as send:
        return read_pages(evaluations, send)


@contextmanager
def _sender() -> Iterator[Send]:
    """Yield the way to the server of this run."""
    with SyncClientContext.get_or_create() as prefect:
        yield lambda method, path, body: prefect.client.request(method, path, json=body)  # type: ignore[arg-type]  # its own


class Bar:
    """Progress of a step, as a bar on the page of its run; outside a run there is no page.

    A thread shows it, so that the step waits for no server, and a long part is seen while it lasts.
    """

    def __init__(self) -> None:
        self._newest: tuple[float, str] | None = None
        self._ended = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        """Begin to show what will be told."""
        if is_run():
            self._thread = Thread(
                target=copy_context().run, args=(self._show_changes,), daemon=True, name="bar"
            )
            self._thread.start()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Fill the bar, or leave it where the step failed."""
        if self._newest is not None and error is None:
            self._newest = (1.0, self._newest[1])
        self._ended.set()
        if self._thread is not None:
            self._thread.join(LONGEST_ANSWER)

    def __call__(self, share: float, words: str, /) -> None:
        """Note a share, 0 to 1, and what is done at present."""
        self._newest = (min(share, 1.0), words)

    def _show_changes(self) -> None:
        """Show what is new now and then, and how it ended if it was shown at all."""
        shown: tuple[float, str] | None = None
        artifact: UUID | None = None
        over = False
        while not over:
            over = self._ended.wait(SECONDS_BETWEEN)
            newest = self._newest
            if newest is None or newest == shown or (over and artifact is None):
                continue
            try:
                artifact, shown = _show_bar(artifact, *newest), newest
            except Exception as error:  # noqa: BLE001  # of whatever kind, the step goes on
                log.info("how far a step is was not shown (%s).", error)


def _show_bar(artifact: "UUID | None", share: float, words: str) -> "UUID | None":
    """Show a bar, a new one unless one is shown already; return which."""
    percent = round(100 * share, 1)
    if artifact is not None:
        update_progress_artifact(artifact, percent, description=words)
        return artifact
    return create_progress_artifact(percent, description=words)  # type: ignore[return-value]  # no coroutine in a task that is none
