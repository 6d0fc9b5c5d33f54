"""Hand out a round: one folder for each rater, with a sheet and the pictures of its items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

import ocrjury
from ocrjury.campaign.rating_sections import RatingPage
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError, StateError
from ocrjury.frontends.ingest import Facts
from ocrjury.frontends.sheets.assigned_rows import (
    AssignedRound,
    AssignedRow,
    read_assigned_rounds,
)
from ocrjury.frontends.sheets.page_pictures import copy_pictures
from ocrjury.frontends.sheets.returned_workbook import read_keys
from ocrjury.frontends.sheets.rule_cells import facts_of, tell_rules
from ocrjury.frontends.sheets.signatures import Manifest, signing_key
from ocrjury.frontends.sheets.upload import check_upload, read_upload
from ocrjury.frontends.sheets.words import FOLDER, words_of
from ocrjury.frontends.sheets.workbook import write_workbook
from ocrjury.pages.catalogues import languages, preferred
from ocrjury.store.audit import add_lines
from ocrjury.store.database import writing
from ocrjury.store.raters import list_raters
from ocrjury.store.shown_images import ShownImage, note_shown
from ocrjury.store.workspace import Store
from ocrjury.whole_files import write_whole


class WrittenSheet(NamedTuple):
    """A sheet that was written; without a path the folder held all that is open already."""

    rater: str
    path: Path | None
    rows: int
    shown: tuple[ShownImage, ...] = ()

    @property
    def missing_images(self) -> int:
        """Number of rows whose picture is absent or unreadable."""
        return sum(image.shown is None for image in self.shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSource:
    """Source of an evaluation's sheets.

    Attributes
    ----------
    images
        Folders that image names are relative to.
    language
        Of everybody; None: each rater's own, `fallback` where there are no words in it.
    page
        What raters see of a reference and its differences, and so what may be counted for them.
    """

    evaluation: str
    rubric: Rubric
    images: Sequence[Path] = ()
    language: str | None = None
    fallback: str = "en"
    page: RatingPage = field(default_factory=RatingPage)


def export_sheets(
    store: Store,
    source: SheetSource,
    folder: Path,
    *,
    now: datetime,
    number: int | None = None,
    raters: Iterable[str] | None = None,
    actor: str = "lead",
) -> list[WrittenSheet]:
    """Write a sheet for every rater who has something open; never over one that is there.

    What a sheet in the folder asks for already is not asked again: a second call writes what was
    assigned meanwhile, into a further file.

    Parameters
    ----------
    folder
        Each rater gets a folder in it, to be sent as a whole.
    number
        The round; None is the one that is open.
    raters
        Only theirs; None: everybody's.
    actor
        Who hands them out, as the audit log says it.

    Raises
    ------
    StateError
        If the round is not open, or nothing in it.
    InputError
        If a rater has nothing open; names those who have.
    """
    if source.language is not None:
        words_of(source.language)  # refuses a language that it does not speak
    key = signing_key(store)
    rounds = read_assigned_rounds(store, source.evaluation, key=key)
    round_ = _open_round(rounds, source.evaluation, number)
    chosen = _chosen(round_, source.evaluation, raters)
    tongues = _languages(store, source, chosen)
    facts = facts_of((row for rater in chosen for row in round_.of(rater)), source.rubric)
    parts = [
        _Part(source, round_, rater, tongues[rater], folder / rater, facts) for rater in chosen
    ]
    rows_by_part = [_not_handed_out(part) for part in parts]
    with writing(store.engine) as connection:  # before anything is handed out, so that all has one
        lines = [
            (actor, f"{source.evaluation}, sheet of {part.rater}", "cli")
            for part, rows in zip(parts, rows_by_part, strict=True)
            if rows
        ]
        add_lines(connection, "export", lines, now=now)
    return [
        _write_sheet(store, part, rows, key=key, now=now)
        for part, rows in zip(parts, rows_by_part, strict=True)
    ]


class _Part(NamedTuple):
    """Sheet of one rater, its language and its folder; `facts` are about all items."""

    source: SheetSource
    round: AssignedRound
    rater: str
    language: str
    folder: Path
    facts: Facts

    @property
    def stem(self) -> str:
        """Name of the rater's files."""
        return f"{self.source.evaluation}-r{self.round.round.round}-{self.rater}"

    def manifest(self, rows: Sequence[AssignedRow], now: datetime) -> Manifest:
        """Manifest of a sheet with some rows."""
        return Manifest(
            evaluation=self.source.evaluation,
            round=self.round.round.round,
            rater=self.rater,
            rubric_hash=self.source.rubric.rubric_hash,
            language=self.language,
            rows=len(rows),
            sessions=len({row.assignment.session for row in rows}) > 1,
            exported_at=now.isoformat(timespec="seconds"),
            version=ocrjury.__version__,
        )


def _open_round(
    rounds: dict[int, AssignedRound], evaluation: str, number: int | None
) -> AssignedRound:
    """Round that is handed out."""
    opened = next((each for each in rounds.values() if each.round.state == "open"), None)
    if number is not None and number not in rounds:
        known = ", ".join(map(str, rounds)) or "none yet"
        raise InputError(f"{evaluation} has no round {number}; there are: {known}.")
    if opened is None:
        raise StateError(f"{evaluation} has no open round; nobody is asked for ratings.")
    if number not in {None, opened.round.round}:
        raise StateError(
            f"round {number} of {evaluation} is closed; round {opened.round.round} is open."
        )
    if not opened.raters():
        raise StateError(f"every assignment of round {opened.round.round} of {evaluation} is done.")
    return opened


def _chosen(
    round_: AssignedRound, evaluation: str, raters: Iterable[str] | None
) -> tuple[str, ...]:
    """Raters who get a sheet."""
    busy = round_.raters()
    wanted = busy if raters is None else tuple(dict.fromkeys(raters))
    idle = [rater for rater in wanted if rater not in busy]
    if idle:
        raise InputError(
            f"{', '.join(idle)} has no open assignment in round {round_.round.round} of "
            f"{evaluation}; those who have are {', '.join(busy)}."
        )
    return wanted


def _languages(store: Store, source: SheetSource, raters: Sequence[str]) -> dict[str, str]:
    """Language of every rater's sheet."""
    known = languages(FOLDER)
    if source.language is not None:
        return dict.fromkeys(raters, source.language)
    people = list_raters(store.engine, raters, evaluation=source.evaluation)
    own = {person.pseudonym: person.languages for person in people}
    return {rater: preferred([*own.get(rater, ()), source.fallback], known) for rater in raters}


def _not_handed_out(part: _Part) -> list[AssignedRow]:
    """Open assignments of a rater that were not handed out into this folder yet."""
    handed_out = _handed_out(part)
    return [
        row
        for row in part.round.of(part.rater)
        if row.assignment.state == "open" and row.key not in handed_out
    ]


def _write_sheet(
    store: Store, part: _Part, rows: Sequence[AssignedRow], *, key: bytes, now: datetime
) -> WrittenSheet:
    """Write a sheet with some rows of a rater, if there are any."""
    if not rows:
        return WrittenSheet(part.rater, None, 0)
    links, shown = copy_pictures(rows, part.folder, sources=part.source.images, key=key)
    body = _workbook(part, rows, links, key=key, now=now)
    try:
        check_upload(body, f"{part.stem}.xlsx")
    except InputError as error:
        items = f"the {len(rows):,} items of {part.rater}"
        raise InputError(
            f"a sheet with {items} could not be taken back: {error} Let them work on "
            "the rating page, or ask for fewer items in a round."
        ) from error
    part.folder.mkdir(parents=True, exist_ok=True)
    further = (f"{part.stem}-{number}.xlsx" for number in count(2))
    names = (part.folder / name for name in chain([f"{part.stem}.xlsx"], further))
    path = next(name for name in names if not name.exists())
    note_shown(store.engine, part.source.evaluation, shown, now=now)
    write_whole(path, body, new=True)
    return WrittenSheet(part.rater, path, len(rows), tuple(shown))


def _workbook(
    part: _Part,
    rows: Sequence[AssignedRow],
    links: Mapping[str, str],
    *,
    key: bytes,
    now: datetime,
) -> bytes:
    """Workbook with some rows; `links` are to their pictures."""
    rubric, dimensions, page = part.source.rubric, part.round.round.dimensions, part.source.page
    told_rules = tell_rules(
        rows, rubric, dimensions, page=page, language=part.language, facts=part.facts
    )
    return write_workbook(
        rows,
        part.manifest(rows, now),
        rubric=rubric,
        dimensions=dimensions,
        images=links,
        rules=told_rules,
        key=key,
        now=now,
        reference=page.reference == "shown",
    )


def _handed_out(part: _Part) -> set[str]:
    """Keys that stand in sheets of this rater and round in the folder."""
    names = (f"{part.stem}.xlsx", f"{part.stem}-*.xlsx")
    paths = sorted(path for name in names for path in part.folder.glob(name))
    return {key for path in paths for key in read_keys(read_upload(path), source=str(path))}
