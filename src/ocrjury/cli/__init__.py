"""The command line: a module for each command, or several; each imported when it is needed."""

from ocrjury.cli.command_line import main

__all__ = ["main"]
