"""Spreadsheets as one of the frontends: a folder of sheets, read again when it is polled."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ocrjury.campaign.config import Campaign
from ocrjury.errors import OcrjuryError, StateError
from ocrjury.frontends.ingest import OpenRound, RawRating
from ocrjury.frontends.sheets.handing_out import SheetSource, export_sheets
from ocrjury.frontends.sheets.returning import ReturnedSheet, changed_answers, read_returned
from ocrjury.frontends.sheets.upload import LOCK
from ocrjury.language import Phrase, counted, phrase
from ocrjury.pages.left_aside_words import naming_command
from ocrjury.pages.page_images import image_folders
from ocrjury.store.files_left_aside import leave_aside
from ocrjury.store.workspace import Store

SHEETS = frozenset({".xlsx", ".xlsm", ".xls", ".ods", ".csv", ".numbers"})
"""Endings of files that somebody may have filled in; all but the first are refused by name."""
logger = logging.getLogger(__name__)


def sheets_folder(store: Store, evaluation: str) -> Path:
    """Default folder for the sheets of an evaluation."""
    return store.files.folder.parent / "sheets" / evaluation


@dataclass(frozen=True, slots=True)
class SheetsFrontend:
    """A folder of sheets.

    Attributes
    ----------
    folder
        Where sheets are written; filled ones may lie anywhere below it.
    now
        When sheets are written; None: the clock's time.
    tell
        Told which files were left aside, and why.
    """

    campaign: Campaign
    folder: Path
    now: datetime | None = None
    tell: Callable[[str], object] = logger.warning

    def publish(self, round_: OpenRound) -> int:
        """Write a sheet for everybody who has something open that no sheet here asks for yet.

        Returns the number of open assignments.
        """
        left = len(round_.assignments("open"))
        if left:
            source = SheetSource(
                evaluation=round_.evaluation,
                rubric=round_.rubric,
                images=image_folders(self.campaign),
                fallback=self.campaign.language,
                page=self.campaign.rounds.page,
            )
            moment = self.now or datetime.now(UTC)
            export_sheets(round_.store, source, self.folder, now=moment, number=round_.number)
        return left

    def poll(self, round_: OpenRound) -> Iterator[RawRating]:
        """Yield the answers of every sheet in the folder that is without a problem.

        Of several sheets with the same row, the file that was saved last counts. One with a problem
        is left to ``ocrjury sheets import``, which names every row.
        """
        seen: set[str] = set()
        for path in self._saved():
            returned = self._read(round_, path)
            if returned is None:
                continue
            for rating in changed_answers(round_.store, returned):
                if rating.assignment not in seen:
                    yield rating
            seen |= {answer.assignment for answer in returned.checked.answers}

    def _saved(self) -> list[Path]:
        """Files in the folder that may be sheets, the newest first."""
        files = []
        for path in self.folder.rglob("*"):
            if path.suffix.lower() not in SHEETS:
                continue
            try:
                saved = path.stat().st_mtime
            except FileNotFoundError:  # a program that saves a sheet took its own file away
                continue
            if not path.name.startswith(LOCK):
                files.append((-saved, path))
        return [path for _, path in sorted(files)]

    def _read(self, round_: OpenRound, path: Path) -> ReturnedSheet | None:
        """Sheet of a round; None if it is of another one or has problems."""
        try:
            returned = read_returned(round_.store, path)
        except StateError:  # its round is over
            return None
        except OcrjuryError as error:
            self._leave_aside(round_, path, str(error))
            return None
        facts, problems = returned.manifest, returned.report().problems
        if facts.evaluation != round_.evaluation:
            self._leave_aside(round_, path, f"it is of evaluation {facts.evaluation}")
        if (facts.evaluation, facts.round) != (round_.evaluation, round_.number):
            return None
        if problems:
            reason = phrase("it has {problems}", problems=counted(len(problems), "problem"))
            self._leave_aside(round_, path, reason)
            return None
        return returned

    def _leave_aside(self, round_: OpenRound, path: Path, reason: str) -> None:
        """Tell of a file that is not taken, and note it for the lead."""
        see = f"; see `{naming_command(path)}`" if isinstance(reason, Phrase) else ""
        self.tell(f"{path} was left aside: {reason}{see}")
        now = self.now or datetime.now(UTC)
        leave_aside(round_.store.engine, round_.evaluation, path, reason=reason, now=now)
