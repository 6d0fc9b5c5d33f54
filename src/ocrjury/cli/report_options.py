"""Options of ``ocrjury report`` that go together; one that does not fit is refused."""

import argparse
from pathlib import Path
from typing import Final

from ocrjury.cli.score_checks import check_kept
from ocrjury.errors import InputError

_ALWAYS: Final = frozenset({"evaluation", "ratings", "compare", "run", "usual", "exit_zero"})
_OF_EVALUATION: Final = frozenset({"again", "no_wait", "publish", "deliver", "archive"})
_OF_ALL: Final = frozenset({"out", "language"})


def check_options(options: argparse.Namespace) -> None:
    """Refuse options that say nothing about what is asked for.

    Raises
    ------
    InputError
        If not one thing is asked for, or an option belongs to another.
    """
    forms = (options.evaluation, options.ratings, options.compare)
    if sum(given is not None for given in forms) != 1:
        raise InputError(
            "report takes the name of an evaluation, or --ratings FILE, or --compare EARLIER LATER."
        )
    if options.archive and options.evaluation is None:
        raise InputError("--archive takes the name of an evaluation: nothing else has its tables.")
    check_folder(options.out)
    given = {
        name
        for name, value in vars(options).items()
        if name not in _ALWAYS and value != options.usual[name]
    }
    if options.evaluation is not None:
        _refuse(given - _OF_EVALUATION - _OF_ALL - {"sections"}, "a report of --ratings")
        _check_evaluation(options)
    elif options.compare is not None:
        _refuse(given - _OF_ALL, "another report than --compare")
    else:
        _refuse(given & _OF_EVALUATION, "the report of an evaluation")
        if options.pool is None:
            _refuse(given & {"images", "examples"}, "--pool")
        elif options.out is not None:
            page = options.out / f"{options.ratings.stem}.html"
            check_kept((options.pool,), {"--out": page})


def check_folder(out: Path | None) -> None:
    """Refuse a file where a folder is to be written to, before any work."""
    if out is not None and out.exists() and not out.is_dir():
        raise InputError(f"--out: {out} is a file; name a folder.")


def _check_evaluation(options: argparse.Namespace) -> None:
    """Refuse two orders at once, and options without what they are about."""
    orders = [name for name in ("again", "publish", "deliver") if getattr(options, name)]
    if (options.sections or options.language or options.archive) and orders:
        raise InputError(
            "--sections, --language and --archive write a report beside the stored one, which "
            "--again, --publish and --deliver are about: give one or the other."
        )
    if len(orders) > 1:
        words = " and ".join(f"--{name}" for name in orders)
        raise InputError(
            f"{words} are several orders: render it first, then publish it, then deliver it."
        )
    if options.publish and options.out is not None:
        raise InputError("--publish goes to report.publish.to: leave out --out.")
    if options.deliver and options.out is not None:
        raise InputError("--deliver brings it to the receivers of the campaign: leave out --out.")
    if options.no_wait and not options.again:
        raise InputError("--no-wait belongs to --again; add it, or leave --no-wait out.")
    if options.no_wait and options.out is not None:
        raise InputError("--out waits for the new version: leave out --no-wait, or --out.")


def _refuse(names: set[str], of: str) -> None:
    """Refuse options that belong to something else."""
    if names:
        words = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(names))
        raise InputError(f"only {of} takes {words}.")
