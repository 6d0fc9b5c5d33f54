"""What a machine decides, not a campaign: where things lie, and what time it is."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from ocrjury.errors import InputError

HOME, DATABASE_URL = "OCRJURY_HOME", "OCRJURY_DATABASE_URL"
CLOCK, PREFECT_PORT = "OCRJURY_CLOCK", "OCRJURY_PREFECT_PORT"


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of this process, from environment variables.

    Attributes
    ----------
    home
        ``OCRJURY_HOME``: absolute folder of database, files and logs; ``.ocrjury`` here if unset.
    database_url
        ``OCRJURY_DATABASE_URL``: an SQLAlchemy URL; ``ocrjury.db`` in the home if unset.
    clock
        ``OCRJURY_CLOCK``: an ISO time at which the clock stands still, for tests and rehearsals.
    prefect_port
        ``OCRJURY_PREFECT_PORT``: port of the Prefect server on this machine; 4200 if unset.
    """

    home: Path
    database_url: str
    clock: datetime | None = None
    prefect_port: int = 4200

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Return the settings; an empty variable counts as unset.

        Raises
        ------
        InputError
            If a variable holds something else than it should.
        """
        variables = os.environ if environment is None else environment
        found = {name: value for name, value in variables.items() if value.strip()}
        home = Path(found.get(HOME, ".ocrjury")).expanduser().absolute()
        return cls(
            home=home,
            database_url=found.get(DATABASE_URL, f"sqlite:///{home / 'ocrjury.db'}"),
            clock=_moment(found[CLOCK]) if CLOCK in found else None,
            prefect_port=_port(found.get(PREFECT_PORT, "4200")),
        )

    def now(self) -> datetime:
        """Return the present moment in UTC, or the moment at which the clock stands still."""
        return self.clock or datetime.now(UTC)


def _moment(text: str) -> datetime:
    """Return an ISO time with its zone, in UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise InputError(
            f"{CLOCK} is {text!r}; it must be an ISO time with a zone, such as "
            "2026-11-16T06:00:00+09:00, or unset."
        )
    return moment.astimezone(UTC)


def _port(text: str) -> int:
    """Return a port number."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 65536):
        raise InputError(
            f"{PREFECT_PORT} is {text!r}; it must be a whole number from 1 to 65535, or unset."
        )
    return int(text)
