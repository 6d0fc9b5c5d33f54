"""The command line: one module for each command, and nothing imported before it is needed."""

from ocrjury.cli.command_line import main

__all__ = ["main"]
