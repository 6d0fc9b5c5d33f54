"""Declaration of a command: its summary, text, examples, and the function that runs it."""

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias

from ocrjury.errors import InputError
from ocrjury.normal_forms import normal_form

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001  # it has no public name
Run = Callable[[argparse.Namespace], int | None]
"""Function that runs a command; returns an exit code if that can be other than 0."""
_CHOICE = re.compile(r"invalid choice: '([^']*)' \((?:maybe you meant.*?, )?choose from (.*)\)")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Keep the lines of descriptions and examples, and every summary beside its command."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        # argparse forgets that the names of commands are set in twice.
        self._action_max_length = 16


class _Writable(Protocol):
    """Stream that a help text goes to."""

    def write(self, text: str, /) -> object:
        """Write a text."""


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence, and points to the help of its own command."""

    def parse_known_args(
        self, args: Iterable[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Refuse what this parser does not know; argparse would leave it to that of all commands.

        That one cannot tell which help text lists what is known.
        """
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            word = unknown[0].partition("=")[0]
            near = difflib.get_close_matches(word, self._option_string_actions, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        return options, unknown

    def error(self, message: str) -> NoReturn:
        """Raise what the command line prints before it exits with 2."""
        match = _CHOICE.search(message)
        if match is not None:
            message = _misspelt(match[1], re.findall(r"[^\s',]+", match[2]))
        end = "" if message.endswith("?") else "."
        raise InputError(f"{self.prog}: {message}{end} `{self.prog} --help` has examples.")

    def _print_message(self, message: str, file: _Writable | None = None) -> None:
        """Write a help text; newer versions of argparse hide that its reader has left."""
        (file or sys.stderr).write(message)


def add_command(commands: Commands, name: str, text: str, *, run: Run) -> Parser:
    """Parser of a command, for its arguments.

    Parameters
    ----------
    text
        One line for the list of commands, then any paragraphs for the command's own help, and at
        the end its examples: whole command lines, each with a comment where that helps.
    """
    summary, *about, examples = text.split("\n\n")
    parser = commands.add_parser(
        name,
        help=summary,
        description="\n\n".join(about) or f"{summary[0].upper()}{summary[1:]}.",
        epilog="examples:\n" + "\n".join(f"  {line}" for line in examples.splitlines()),
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    return parser


def composed(text: str) -> str:
    """Argument that names something in a file of ratings, which is read in the same form (NFC)."""
    return normal_form("NFC", text)


def add_group(commands: Commands, name: str, text: str) -> Commands:
    """Place for the commands of a group; the bare group prints its help."""
    parser = add_command(commands, name, text, run=lambda _: print_help(parser))
    return parser.add_subparsers(metavar="COMMAND", title="commands")


def print_help(parser: argparse.ArgumentParser) -> int:
    """Print help where a command is missing."""
    parser.print_help(sys.stderr)
    return 2


def _misspelt(word: str, choices: Sequence[str]) -> str:
    """Complaint about a word that is none of the choices."""
    near = difflib.get_close_matches(word, choices, n=1)
    hint = f"did you mean {near[0]!r}?" if near else ""
    return f"{word!r} is none of {', '.join(choices)}" + (f"; {hint}" if hint else "")
