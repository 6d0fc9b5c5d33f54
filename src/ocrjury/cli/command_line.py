"""One command from its words to its exit code.

0: done; 1: the answer is bad news (a failed run, a departure under ``--strict``); 2: bad input or
something absent, said in one sentence; 3: the gate cannot tell; 130: Ctrl-C; 141: the reader of a
pipe left.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from ocrjury.cli.parser import build_parser
from ocrjury.errors import OcrjuryError

BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 2, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments
        Words after ``ocrjury``; None takes them from the command line.
    """
    _print_any_letter()
    try:
        options = _parse(arguments)
        code = int(options.run(options))
        sys.stdout.flush()
    except OcrjuryError as error:
        return _refuse(str(error))
    except KeyboardInterrupt as stopped:
        print(str(stopped) or "Stopped by Ctrl-C.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _refuse(f"{where}{error.strerror or error}.")
    return code


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Options; a help text is printed, and flushed while errors are still caught."""
    try:
        return build_parser().parse_args(arguments)
    finally:
        sys.stdout.flush()


def _refuse(sentence: str) -> int:
    """Say what is wrong."""
    print(sentence, file=sys.stderr)
    return BAD_INPUT


def _print_any_letter() -> None:
    """Let a terminal of another encoding show a letter's code instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Give Python's last flush a place to go, so that it does not complain either."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
