"""Hand rounds out to where raters work, fetch what they did there, and take rounds back.

Every function may run again: what is there already is not handed out or stored twice. Ratings of
the rating page and of files come in by themselves; the raters of the page are invited, and reminded
of the deadline.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.delivery import resting_evaluations
from ocrjury.delivery.invitations import invite_raters
from ocrjury.delivery.reminders import remind_raters
from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.case import Case
from ocrjury.frontends.ingest import OpenRound, Received, receive
from ocrjury.frontends.labelstudio import left_to_take_back, open_frontend
from ocrjury.step_parts import Tick
from ocrjury.tasks import Bar, at_work

if TYPE_CHECKING:
    from ocrjury.frontends.sheets import SheetsFrontend

NOT_TAKEN_BACK = (
    "Round %d is closed, but not in Label Studio: %s `ocrjury labelstudio close %s` does it later."
)


def is_anything_to_hand_out(evaluation: str) -> bool:
    """Return whether a round goes elsewhere, or somebody needs an email or a link for its page."""
    with at_work() as work:
        return resting_evaluations.is_anything_to_hand_out(work.case(evaluation))


@task(task_run_name="{evaluation}-hand-out", cache_policy=NO_CACHE)
def hand_out(evaluation: str) -> None:
    """Hand out what is open and was not handed out yet."""
    with at_work() as work, Bar() as bar:
        _place(work.case(evaluation), bar).hand_out()


@task(task_run_name="{evaluation}-remind", cache_policy=NO_CACHE)
def remind_late(evaluation: str) -> None:
    """Remind raters of the page of a deadline that has passed, while they can still rate."""
    with at_work() as work, Bar() as bar:
        _place(work.case(evaluation), bar).remind()


@task(task_run_name="{evaluation}-fetch", cache_policy=NO_CACHE)
def fetch_ratings(evaluation: str) -> bool:
    """Store ratings from frontends that have to be asked; return whether anything new came in."""
    with at_work() as work, Bar() as bar:
        received = _place(work.case(evaluation), bar).fetch()
        if received.refused:
            get_run_logger().warning("%d submissions went to quarantine", len(received.refused))
        if received.replaced:
            get_run_logger().info("%d earlier values were replaced", received.replaced)
        return bool(received.accepted)


@task(task_run_name="{evaluation}-fetch-late", cache_policy=NO_CACHE)
def fetch_late(evaluation: str) -> bool:
    """Do what `fetch_ratings` does after a deadline; a server that is away does not stop a hold."""
    try:
        return fetch_ratings.fn(evaluation)
    except (OcrjuryError, OSError) as error:
        get_run_logger().warning("what %s still rated was not fetched: %s", evaluation, error)
        return False


def is_anything_to_take_back(evaluation: str) -> bool:
    """Return whether a closed round is still where raters worked, even after an earlier run."""
    with at_work() as work:
        return bool(left_to_take_back(work.case(evaluation)))


@task(task_run_name="{evaluation}-take-back", cache_policy=NO_CACHE)
def take_back(evaluation: str) -> None:
    """Take closed rounds back from where raters worked; what they send later is refused anyway.

    A server that does not answer is no reason to stop: the rounds are closed here.
    """
    with at_work() as work:
        case = work.case(evaluation)
        for row in left_to_take_back(case):
            try:
                with open_frontend(case.campaign) as frontend:
                    frontend.close(OpenRound.of(case, row), now=work.now)
            except OcrjuryError as error:
                get_run_logger().warning(NOT_TAKEN_BACK, row.round, error, evaluation)
                return


@dataclass(frozen=True, slots=True)
class _Place:
    """Frontend of the last round; by default nobody is told, and nothing is fetched."""

    case: Case
    tick: Tick

    def hand_out(self) -> None:
        """Hand out what is open and was not handed out yet."""

    def remind(self) -> None:
        """Remind raters of a deadline that has passed."""

    def fetch(self) -> Received:
        """Store what was rated there."""
        return Received((), (), complete=False)


class _SheetsFolder(_Place):
    def hand_out(self) -> None:
        _sheets(self.case).publish(OpenRound.last_of(self.case))

    def fetch(self) -> Received:
        round_ = OpenRound.last_of(self.case)
        return receive(round_, _sheets(self.case).poll(round_), now=self.case.work.now)


class _LabelStudio(_Place):
    def hand_out(self) -> None:
        round_, now = OpenRound.last_of(self.case), self.case.work.now
        with open_frontend(self.case.campaign) as frontend:
            frontend.publish(round_, now=now, tick=self.tick)

    def fetch(self) -> Received:
        round_, now = OpenRound.last_of(self.case), self.case.work.now
        with open_frontend(self.case.campaign) as frontend:
            return receive(round_, frontend.poll(round_, tick=self.tick), now=now)


class _RatingPage(_Place):
    def hand_out(self) -> None:
        invite_raters(self.case, self.case.rounds[-1], tick=self.tick)
        self.remind()

    def remind(self) -> None:
        remind_raters(self.case, self.case.rounds[-1], tick=self.tick)


_PLACES = {"sheets": _SheetsFolder, "labelstudio": _LabelStudio, RATING_PAGE: _RatingPage}


def _place(case: Case, tick: Tick) -> _Place:
    return _PLACES.get(case.rounds[-1].frontend, _Place)(case, tick)


def _sheets(case: Case) -> "SheetsFrontend":
    from ocrjury.frontends.sheets import (  # noqa: PLC0415  # loads openpyxl
        SheetsFrontend,
        sheets_folder,
    )

    folder = sheets_folder(case.work.store, case.name)

    def tell(what: str) -> None:
        get_run_logger().warning("%s", what)

    return SheetsFrontend(case.campaign, folder, now=case.work.now, tell=tell)
