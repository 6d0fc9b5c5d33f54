"""Who types a command, and the line about it in the audit log."""

import getpass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work

ADDRESS = "cli"


def login_name() -> str:
    """Return the name with which somebody signed in to this machine."""
    try:
        return getpass.getuser() or "lead"
    except (KeyError, OSError, ImportError):
        return "lead"


def note(work: "Work", action: str, object_: str, *, reason: str | None = None) -> None:
    """Write into the audit log what a command did.

    Parameters
    ----------
    object_
        The evaluation's name, then what of it.
    """
    from ocrjury.store.audit import add_audit
    from ocrjury.store.database import writing

    with writing(work.engine) as connection:
        add_audit(
            connection,
            action,
            actor=login_name(),
            object_=object_,
            address=ADDRESS,
            reason=reason,
            now=work.now,
        )
