"""Settings of a machine, not of a campaign: locations, ports and the clock."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self, get_args
from urllib.parse import urlsplit

from ocrjury.errors import InputError

HOME, DATABASE_URL = "OCRJURY_HOME", "OCRJURY_DATABASE_URL"
CLOCK, PREFECT_PORT = "OCRJURY_CLOCK", "OCRJURY_PREFECT_PORT"
RATING_URL, SIGN_IN_HEADER = "OCRJURY_RATING_URL", "OCRJURY_SIGN_IN_HEADER"
RATING_PORT = "OCRJURY_RATING_PORT"
ENGINE, WORKERS = "OCRJURY_ENGINE", "OCRJURY_WORKERS"
DASK_SCHEDULER = "OCRJURY_DASK_SCHEDULER"
AUDIT_DAYS = "OCRJURY_AUDIT_DAYS"
LOG = "OCRJURY_LOG"
PROXY_SECRET, METRICS_TOKEN = "OCRJURY_PROXY_SECRET", "OCRJURY_METRICS_TOKEN"
_VARIABLES = (
    *(HOME, DATABASE_URL, CLOCK, PREFECT_PORT, RATING_URL, SIGN_IN_HEADER, RATING_PORT),
    *(ENGINE, WORKERS, DASK_SCHEDULER, AUDIT_DAYS, LOG),
)

FOLDER = ".ocrjury"
"""Name of a home that no variable names."""
SQLITE, DATABASE_FILE = "sqlite:///", "ocrjury.db"
"""Address of a database that no variable names: of a file of this name in the home."""
LAST_PORT = 65_535
LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names of this machine."""
_SHORTEST_SECRET = 32
_USUAL_PORTS = {"https": 443, "http": 80}

Engine = Literal["serial", "processes", "dask"]
Log = Literal["text", "json"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of this process, from environment variables.

    Attributes
    ----------
    home
        ``OCRJURY_HOME``: absolute folder of database, files and logs; `nearest_home` if unset.
    database_url
        ``OCRJURY_DATABASE_URL``: an SQLAlchemy URL; ``ocrjury.db`` in the home if unset.
    clock
        ``OCRJURY_CLOCK``: an ISO time at which the clock stands still, for tests and rehearsals;
        purges and their certificates go by `real_now`.
    prefect_port
        ``OCRJURY_PREFECT_PORT``: port of the Prefect server on this machine; 4200 if unset.
    rating_port
        ``OCRJURY_RATING_PORT``: port of the rating page on this machine; 8080 if unset.
    rating_url
        ``OCRJURY_RATING_URL``: the address that raters type, such as ``https://rate.example.org``;
        None if unset: the rating page answers on this machine only.
    sign_in_header
        ``OCRJURY_SIGN_IN_HEADER``: the header in which a proxy before the rating page names whom
        it has signed in; None if unset: raters come by links.
    engine
        ``OCRJURY_ENGINE``: engine that scores the batches of a pool: ``serial`` (one by one, if
        unset), ``processes`` of this machine, or ``dask``. The scores are the same.
    workers
        ``OCRJURY_WORKERS``: processes that score at once, here; as many as there are processors
        if unset.
    dask_scheduler
        ``OCRJURY_DASK_SCHEDULER``: address of a running Dask cluster whose workers reach the home;
        if unset, ``dask`` starts a cluster on this machine for the time it needs.
    audit_days
        ``OCRJURY_AUDIT_DAYS``: for how many days rows of the audit log are kept at least; 730 if
        unset.
    log
        ``OCRJURY_LOG``: how servers write their log: as ``text`` (if unset) or as lines of
        ``json``.
    """

    home: Path
    database_url: str
    clock: datetime | None = None
    prefect_port: int = 4200
    rating_port: int = 8080
    rating_url: str | None = None
    sign_in_header: str | None = None
    engine: Engine = "serial"
    workers: int = 1
    dask_scheduler: str | None = None
    audit_days: int = 730
    log: Log = "text"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Settings from environment variables; an empty variable counts as unset.

        Raises
        ------
        InputError
            If a variable has an invalid value.
        """
        variables = os.environ if environment is None else environment
        given = {name: value for name in _VARIABLES if (value := variables.get(name, "")).strip()}
        home = Path(given[HOME]).expanduser().absolute() if HOME in given else nearest_home()
        return cls(
            home=home,
            database_url=_database(given.get(DATABASE_URL, f"{SQLITE}{home / DATABASE_FILE}")),
            clock=_moment(given[CLOCK]) if CLOCK in given else None,
            prefect_port=_whole(PREFECT_PORT, given.get(PREFECT_PORT, "4200"), most=LAST_PORT),
            rating_port=_whole(RATING_PORT, given.get(RATING_PORT, "8080"), most=LAST_PORT),
            rating_url=_site(given[RATING_URL]) if RATING_URL in given else None,
            sign_in_header=_header(given[SIGN_IN_HEADER]) if SIGN_IN_HEADER in given else None,
            engine=_engine(given.get(ENGINE, "serial")),
            workers=_whole(WORKERS, given.get(WORKERS, str(os.cpu_count() or 1)), most=1024),
            dask_scheduler=given.get(DASK_SCHEDULER),
            audit_days=_whole(AUDIT_DAYS, given.get(AUDIT_DAYS, "730"), most=36_500),
            log=_log(given.get(LOG, "text")),
        )

    @property
    def store_exists(self) -> bool:
        """Whether there is a store; a database elsewhere is assumed to exist."""
        url = self.database_url
        return not url.startswith(SQLITE) or Path(url.removeprefix(SQLITE)).exists()

    def now(self) -> datetime:
        """Present moment in UTC, or the moment at which the clock stands still."""
        return self.clock or datetime.now(UTC)


def nearest_home(folder: Path | None = None) -> Path:
    """Home of whoever works in a folder, this one unless given, and names none.

    It is ``.ocrjury`` in the folder, in the nearest one above it, or in the account's own folder;
    the first if there is none. Elsewhere than in the folder it must belong to this account: in a
    shared folder, anybody could put one in the way.
    """
    here = (folder or Path.cwd()).absolute()
    above = (*here.parents, Path(os.path.expanduser("~")))  # noqa: PTH111  # never an error
    own = (place / FOLDER for place in above if _is_own(place / FOLDER))
    return here / FOLDER if (here / FOLDER).exists() else next(own, here / FOLDER)


def _is_own(folder: Path) -> bool:
    """Return whether a path is a folder of this account."""
    try:
        return folder.is_dir() and folder.stat().st_uid == os.geteuid()
    except OSError:
        return False


def real_now() -> datetime:
    """Present moment in UTC, whatever ``OCRJURY_CLOCK`` says; what is removed stays removed."""
    return datetime.now(UTC)


def read_secret(variable: str) -> str | None:
    """Secret in an environment variable, None without one; no record of settings holds it.

    Raises
    ------
    InputError
        It could be guessed.
    """
    secret = os.environ.get(variable, "").strip() or None
    if secret is not None and (len(secret) < _SHORTEST_SECRET or not secret.isascii()):
        raise InputError(
            f"{variable} must have {_SHORTEST_SECRET} ASCII characters at least, such as those of "
            "`openssl rand -hex 32`."
        )
    return secret


def _moment(text: str) -> datetime:
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


def _database(url: str) -> str:
    """Address of a database that any process reaches, in whatever folder it works."""
    path = url.removeprefix(SQLITE)
    if url.startswith("sqlite:"):
        if path in {url, "", ":memory:"}:
            raise InputError(
                f"{DATABASE_URL} is {url!r}, which names no file: all would be lost when a command "
                f"ends. Name one, such as {SQLITE}/srv/ocrjury/ocrjury.db, or unset it."
            )
        return f"{SQLITE}{Path(path).absolute()}"
    try:
        urlsplit(url).port  # noqa: B018  # it is read to be checked
    except ValueError:  # without the address, which may hold a password
        raise InputError(
            f"{DATABASE_URL} is no address of a database; it must be like "
            "postgresql://ocrjury@db:5432/ocrjury, or unset."
        ) from None
    return url


def _site(text: str) -> str:
    """Address as browsers write it, who name its host in every request."""
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").encode("idna").decode()
        port = "" if parts.port in {None, _USUAL_PORTS.get(parts.scheme)} else f":{parts.port}"
    except ValueError:
        raise _no_site(text) from None
    right = parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
    more = parts.username is not None or parts.path.strip("/") or parts.query or parts.fragment
    if not (right and host) or more:
        raise _no_site(text)
    return f"{parts.scheme}://{in_brackets(host)}{port}"


def in_brackets(host: str) -> str:
    """Host as it stands in an address: that of IPv6 in brackets.

    Examples
    --------
    >>> in_brackets("::1"), in_brackets("localhost")
    ('[::1]', 'localhost')
    """
    return f"[{host}]" if ":" in host else host


def _no_site(text: str) -> InputError:
    return InputError(
        f"{RATING_URL} is {text!r}; it must be an https address without a path, such as "
        "https://rate.example.org, or unset. Plain http works on this machine only."
    )


def _header(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]{1,100}", text):
        raise InputError(
            f"{SIGN_IN_HEADER} is {text!r}; it must be the name of a header, such as "
            "X-Forwarded-Email, or unset."
        )
    return text


def _whole(variable: str, text: str, *, most: int) -> int:
    """Whole number from 1 to a bound."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= most):
        raise InputError(
            f"{variable} is {text!r}; it must be a whole number from 1 to {most}, or unset."
        )
    return int(text)


def _engine(text: str) -> Engine:
    if text not in get_args(Engine):
        raise InputError(
            f"{ENGINE} is {text!r}; it must be one of {', '.join(get_args(Engine))}, or unset."
        )
    return text  # type: ignore[return-value]  # one of them


def _log(text: str) -> Log:
    if text not in get_args(Log):
        raise InputError(f"{LOG} is {text!r}; it must be text or json, or unset.")
    return text  # type: ignore[return-value]  # one of them
