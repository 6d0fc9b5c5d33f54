"""Sentences on files with ratings that were left aside."""

import shlex
from datetime import datetime
from pathlib import Path
from typing import Protocol

from ocrjury.language import Phrase, said, tr
from ocrjury.store.database import Engine
from ocrjury.store.files_left_aside import LeftAside, list_left_aside


class OneRound(Protocol):
    """A round with its state and when it was opened."""

    @property
    def state(self) -> str:
        """State of the round, by which ratings are awaited or not."""
        ...

    @property
    def opened_at(self) -> datetime:
        """Time at which the round was opened."""
        ...


def left_aside_texts(engine: Engine, evaluation: str, last: OneRound | None) -> list[str]:
    """A sentence on each file of an evaluation's last round of which nothing is stored."""
    if last is None or last.state != "open":
        return []
    return [_text(file) for file in list_left_aside(engine, evaluation, since=last.opened_at)]


def naming_command(path: Path) -> str:
    """Command that names what is wrong with a workbook."""
    return f"ocrjury sheets import --dry-run {shlex.quote(str(path))}"


def _text(file: LeftAside) -> str:
    name, command = file.path.name, naming_command(file.path)
    if isinstance(file.reason, Phrase):
        return tr(
            "{file} was left aside: {why}. Nothing in it is stored. `{command}` names every row.",
            file=name,
            why=said(file.reason),
            command=command,
        )
    return tr(
        "{file} was left aside: it cannot be taken as a sheet of this round. `{command}` says why.",
        file=name,
        command=command,
    )
