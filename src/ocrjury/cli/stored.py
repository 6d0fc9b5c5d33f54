"""The store as a command opens it, and what it reads from there."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ocrjury.campaign.settings import DATABASE_URL, HOME, SQLITE, Settings
from ocrjury.errors import InputError, MissingDependencyError

if TYPE_CHECKING:
    from ocrjury.campaign.config import Campaign
    from ocrjury.store.evaluations import Evaluation
    from ocrjury.store.histories import Standing
    from ocrjury.store.workspace import Store


@dataclass(frozen=True, slots=True)
class OpenStore:
    """An open store at one moment."""

    store: "Store"
    now: datetime

    def evaluation(self, name: str) -> "Evaluation":
        """Return an evaluation by its name."""
        from ocrjury.store.evaluations import read_evaluation

        return read_evaluation(self.store.engine, name)

    def standing(self, name: str) -> "Standing":
        """Return where an evaluation stands."""
        from ocrjury.store.histories import read_standing

        return read_standing(self.store.engine, name, now=self.now)

    def campaign(self, row: "Evaluation") -> "Campaign":
        """Return the campaign of an evaluation as it was when it opened."""
        from ocrjury.campaign.config import Campaign
        from ocrjury.store.evaluations import read_rubric

        rubric = read_rubric(self.store.engine, row.rubric_hash)
        return Campaign.from_json({**row.config, "rubric": rubric})


def where(settings: Settings) -> str:
    """Return the place of the database, without its password."""
    if settings.database_url.startswith(SQLITE):
        return settings.database_url.removeprefix(SQLITE)
    parts = urlsplit(settings.database_url)
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"


def no_store(settings: Settings) -> str:
    """Return the sentence for a place without a store: which one, and what chose it."""
    if os.environ.get(DATABASE_URL, "").strip():
        return f"There is no store at {where(settings)}, which {DATABASE_URL} names."
    chosen = f"which {HOME} names" if os.environ.get(HOME, "").strip() else f"and {HOME} is not set"
    return f"There is no store in {settings.home}, {chosen}."


@contextmanager
def open_existing() -> Iterator[OpenStore]:
    """Yield the store that the environment names; never make a new one by looking.

    Raises
    ------
    InputError
        If there is none: a command in the wrong folder must not answer "nothing is open".
    """
    settings = Settings.from_environment()
    if not settings.store_exists:
        raise InputError(
            f"{no_store(settings)} `ocrjury evaluation open` makes one; if it is elsewhere, change "
            "to that folder or set OCRJURY_HOME."
        )
    with open_at(settings) as opened:
        yield opened


@contextmanager
def open_at(settings: Settings) -> Iterator[OpenStore]:
    """Yield the store of some settings; it is made if it is not there."""
    with ExitStack() as stack:
        yield OpenStore(_open(stack, settings), settings.now())


def _open(stack: ExitStack, settings: Settings) -> "Store":
    """Return the open store; raise a sentence if there is no way in."""
    from ocrjury.store.database import FAILURES
    from ocrjury.store.workspace import open_store

    try:
        return stack.enter_context(
            open_store(home=settings.home, database_url=settings.database_url)
        )
    except FAILURES as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise MissingDependencyError(
            f"the database at {where(settings)} cannot be opened: {said[0]}. Set OCRJURY_HOME to "
            "a folder that you may write to, or OCRJURY_DATABASE_URL to a database that runs."
        ) from error
