"""The language of a page that a command writes."""

import argparse

from ocrjury.language import languages

DEFAULT = "en"


def add_language(parser: argparse.ArgumentParser, *, of: str, unless: str = DEFAULT) -> None:
    """Declare ``--language``; it is None where nobody gave it.

    Parameters
    ----------
    of
        What is written in the language, as the help says it.
    unless
        Language without the option, as the help says it.
    """
    parser.add_argument("--language", choices=languages(), help=f"language of {of} [{unless}]")
