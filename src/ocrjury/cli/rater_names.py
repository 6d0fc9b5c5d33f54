"""Raters that a command is about: named as they are, or behind ``--rater`` as everywhere else."""

import argparse

from ocrjury.cli.declaring import Parser
from ocrjury.errors import InputError

OPTION = "the same as an option; may be repeated"


def add_raters(parser: Parser, *, about: str) -> None:
    """Declare the names of any number of raters."""
    parser.add_argument("raters", nargs="*", default=[], metavar="R01", help=about)
    parser.add_argument(
        "--rater", action="append", default=[], dest="more", metavar="R01", help=OPTION
    )


def add_rater(parser: Parser, *, about: str) -> None:
    """Declare the name of a rater."""
    parser.add_argument("raters", nargs="?", metavar="R01", help=about)
    parser.add_argument("--rater", dest="more", metavar="R01", help="the same as an option")


def raters_named(options: argparse.Namespace) -> list[str]:
    """Raters who are named, each once."""
    return list(dict.fromkeys([*options.raters, *options.more]))


def rater_named(options: argparse.Namespace) -> str | None:
    """Rater who is named; None where nobody is."""
    names = dict.fromkeys(name for name in (options.raters, options.more) if name is not None)
    if len(names) > 1:
        raise InputError(f"name one rater; found {' and '.join(names)}.")
    return next(iter(names), None)
