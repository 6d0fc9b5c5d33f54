"""One command from its words to its exit code.

0: done; 1: the answer is bad news (a failed run, a departure under ``--strict``); 2: bad input or
something absent, said in one sentence; 3: the gate cannot tell; 130: Ctrl-C; 141: the reader of a
pipe left.
"""

import argparse
import errno
import io
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module

import ocrjury
from ocrjury.cli.declaring import HelpFormatter, Parser, print_help
from ocrjury.errors import OcrjuryError
from ocrjury.spared_work import spare_work
from ocrjury.store.privacy import writing_privately

BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 2, 130, 141
COMMANDS = (
    *("demo", "doctor", "campaign", "plan", "pool", "score", "evaluation", "status", "ratings"),
    *("sheets", "raters", "serve", "desk", "gold", "labelstudio", "agreement", "report"),
    *("export", "backup", "restore", "store", "privacy", "audit", "up", "worker", "deploy"),
)
"""Modules of the commands, in the order of the help."""
_NO_LETTER = re.compile("[\ud800-\udfff]")
"""Bytes of a command line that are not UTF-8, as Python decodes them; no database takes them."""
REMEDIES = {
    errno.ENOSPC: " Make room on that disk, then do this again.",
    errno.EFBIG: " Raise the limit of files (ulimit -f), then do this again.",
    errno.EDQUOT: " Make room in your quota, then do this again.",
    errno.EROFS: " Mount that disk for writing, or name another place.",
}
EXAMPLES = """examples:
  ocrjury demo                                     the whole chain on a bundled pool
  ocrjury doctor                                   is everything here that is needed?
  ocrjury campaign new claims                      three commented files to adapt
  ocrjury campaign check claims/campaign.yaml      valid? does it meet the recommendations?
  ocrjury evaluation open claims/campaign.yaml     score, sample, assign
  ocrjury status                                   what is awaited
  ocrjury score gt/ ocr/                           error rates only; no campaign needed
  ocrjury agreement ratings.csv --scale likert:1:5 no campaign needed

exit codes: 0 done, 1 bad news, 2 bad input or something absent, 3 the gate cannot tell, 130 Ctrl-C
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    arguments
        Words after ``ocrjury``; None takes them from the command line.
    """
    if arguments is None:
        spare_work()  # the process is ours alone
    _print_any_letter()
    try:
        options = _parse(arguments)
        with writing_privately():
            code = int(options.run(options) or 0)
        sys.stdout.flush()
    except OcrjuryError as error:
        return _refuse(str(error))
    except KeyboardInterrupt as stopped:
        print(str(stopped) or "Stopped by Ctrl-C.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except UnicodeEncodeError as error:
        if not _NO_LETTER.search(str(error.object)):
            raise
        return _refuse(f"{error.object!r} holds bytes that are no letters in UTF-8.")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _refuse(f"{where}{error.strerror or error}.{REMEDIES.get(error.errno or 0, '')}")
    return code


def build_parser(names: Sequence[str] = COMMANDS) -> Parser:
    """Parser of all commands or of some; making it loads nothing that a help text does not need."""
    parser = Parser(
        prog="ocrjury",
        description=ocrjury.__doc__,
        epilog=EXAMPLES,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ocrjury {ocrjury.__version__}")
    parser.set_defaults(run=lambda _: print_help(parser))
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for name in names:
        import_module(f"ocrjury.cli.{name}").add_to(commands)
    return parser


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Options; a help text is printed, and flushed while errors are still caught."""
    words = sys.argv[1:] if arguments is None else arguments
    named = [name for name in words[:1] if name in COMMANDS]  # it needs no parser of the others
    try:
        return build_parser(named or COMMANDS).parse_args(words)
    finally:
        sys.stdout.flush()


def _refuse(sentence: str) -> int:
    from ocrjury.cli.printing import remark

    remark(sentence)
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
