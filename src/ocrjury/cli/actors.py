"""Name of the person who types a command, and its line in the audit log."""

import getpass
from typing import TYPE_CHECKING

from ocrjury.campaign.reasons import check_reason
from ocrjury.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime

    from ocrjury.evaluation.case import Work
    from ocrjury.store.database import Connection

ADDRESS = "cli"
MOST_CHARACTERS = 64


def login_name() -> str:
    """Name with which somebody signed in to this machine, lead where it has none."""
    try:
        return getpass.getuser() or "lead"
    except (KeyError, OSError, ImportError):
        return "lead"


def name_given(name: str | None, option: str) -> str:
    """Name that an option gives, in one line; the login name without one."""
    if name is None:
        return login_name()
    line = " ".join(name.split())
    if not line or len(line) > MOST_CHARACTERS:
        raise InputError(f"{option} must be a name of 1 to {MOST_CHARACTERS} characters.")
    return line


def name_signed(name: str | None, option: str) -> str:
    """Name that an option gives with the login name behind it, which nobody can choose."""
    given, login = name_given(name, option), login_name()
    return login if given == login else f"{given}, signed in as {login}"


def reason_given(reason: str, option: str = "--reason") -> str:
    """Reason that an option gives, without blanks around it."""
    try:
        return check_reason(reason)
    except InputError as error:
        raise InputError(f"{option} must say why: {error}.") from error


def note(work: "Work", action: str, object_: str, *, reason: str | None = None) -> None:
    """Write what a command did into the audit log; ``object_`` begins with the evaluation."""
    from ocrjury.store.database import writing

    with writing(work.engine) as connection:
        note_in(connection, action, object_, reason=reason, now=work.now)


def note_in(
    connection: "Connection",
    action: str,
    object_: str,
    *,
    now: "datetime",
    reason: str | None = None,
) -> None:
    """Write into the audit log what a command does in a transaction."""
    from ocrjury.store.audit import add_audit

    actor = login_name()
    add_audit(
        connection, action, actor=actor, object_=object_, address=ADDRESS, reason=reason, now=now
    )
