"""The store that the environment names, opened for a command."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ocrjury.campaign.settings import DATABASE_URL, HOME, SQLITE, Settings
from ocrjury.cli.printing import remark
from ocrjury.errors import InputError, MissingDependencyError, StoreError

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work

OTHERWISE = (
    f"`ocrjury evaluation open` makes one; if it is elsewhere, change to that folder or set {HOME}."
)
REMEDY = f"set {HOME} to a folder that you may write to, or {DATABASE_URL} to a database that runs"


def where(settings: Settings) -> str:
    """Place of the database, without its password."""
    if settings.database_url.startswith(SQLITE):
        return settings.database_url.removeprefix(SQLITE)
    parts = urlsplit(settings.database_url)
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"


def no_store(settings: Settings) -> str:
    """Sentences on where no store is, the variable that chose this place, and the remedy."""
    return f"{_nowhere(settings)} {OTHERWISE}"


def _nowhere(settings: Settings) -> str:
    if os.environ.get(DATABASE_URL, "").strip():
        return f"There is no store at {where(settings)}, which {DATABASE_URL} names."
    if os.environ.get(HOME, "").strip():
        return f"There is no store in {settings.home}, which {HOME} names."
    if settings.home.exists():
        return f"There is no store in {settings.home}, {_found(settings)}; {HOME} is not set."
    return f"There is no store in this folder or above it, and {HOME} is not set."


def chosen_store(settings: Settings) -> str:
    """Place of the store, and what chose it."""
    if os.environ.get(DATABASE_URL, "").strip():
        return f"{where(settings)}, which {DATABASE_URL} names"
    named = os.environ.get(HOME, "").strip()
    why = f"which {HOME} names" if named else f"{_found(settings)}, since {HOME} is not set"
    return f"{settings.home}, {why}"


def _found(settings: Settings) -> str:
    """Location of a home that nobody named."""
    here, place = Path.cwd(), settings.home.parent
    if place == here:
        return "the one in this folder"
    return "the nearest above this folder" if place in here.parents else "the one of this account"


def tell_store(settings: Settings) -> None:
    """Say which store is used, beside the answer, unless whoever runs this has named it."""
    if not any(os.environ.get(name, "").strip() for name in (HOME, DATABASE_URL)):
        remark(f"Store: {chosen_store(settings)}")


@contextmanager
def open_existing() -> Iterator["Work"]:
    """Yield the store that the environment names; never make a new one by looking.

    Raises
    ------
    InputError
        If there is none: a command in the wrong folder must not answer "nothing is open".
    """
    settings = existing_settings()
    tell_store(settings)
    with open_at(settings) as work:
        yield work


def existing_settings() -> Settings:
    """Settings of the environment; an error if they name no store."""
    settings = Settings.from_environment()
    if not settings.store_exists:
        raise InputError(no_store(settings))
    return settings


@contextmanager
def open_at(settings: Settings) -> Iterator["Work"]:
    """Yield the store of some settings; it is made if it is not there."""
    from ocrjury.evaluation.case import Work
    from ocrjury.store.database import FAILURES
    from ocrjury.store.trouble import ailment_of_disk, trouble
    from ocrjury.store.workspace import open_store

    with ExitStack() as stack:
        try:
            store = stack.enter_context(
                open_store(home=settings.home, database_url=settings.database_url)
            )
        except StoreError:
            raise
        except FAILURES as error:
            ailment = ailment_of_disk(error) if isinstance(error, OSError) else None
            if ailment is not None:
                raise trouble(ailment, where(settings)) from error
            lack = f"the database at {where(settings)} cannot be opened: {_first_line(error)}"
            raise MissingDependencyError(f"{lack}; {REMEDY}.", lack=lack) from error
        yield Work(store, settings.now())


@contextmanager
def copying_the_database(settings: Settings) -> Iterator[None]:
    """Turn what a database refuses into a sentence with its place; a copy is whole or not there."""
    from sqlite3 import Error

    from ocrjury.store.database import FAILURES

    try:
        yield
    except (OSError, StoreError):  # they name their file, and the store with its remedy
        raise
    except (Error, *FAILURES) as error:
        raise MissingDependencyError(
            f"the database at {where(settings)} could not be copied: {_first_line(error)}. Nothing "
            "was kept of the copy."
        ) from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
