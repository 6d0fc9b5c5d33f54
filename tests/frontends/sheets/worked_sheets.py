"""A round on the desk of a lead, and raters who fill in its sheets with openpyxl."""

from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from openpyxl import load_workbook

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.history import Step
from ocrjury.campaign.registry import read_raters
from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.sheets import SheetSource, export_sheets, import_sheet
from ocrjury.store.database import writing
from ocrjury.store.documents import SampledItem, add_items
from ocrjury.store.evaluations import Opening, add_evaluation
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.raters import keep_raters
from ocrjury.store.ratings import list_ratings
from ocrjury.store.rounds import NewAssignment, RoundPlan, open_round

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "korean-claims"
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
NAME = "korean-claims-2026w47"
DIMENSIONS = ("meaning", "layout", "readability")
HEADER = 4
FIRST = HEADER + 1


@cache
def bundled_campaign():
    return read_campaign(EXAMPLE / "campaign.yaml")


def an_item(name, **changes):
    number = int("".join(filter(str.isdigit, name)) or 0)
    plain = {
        "item": name,
        "doc_id": name,
        "page_id": "p1",
        "system": "engine-x",
        "doc_type": "진단서",
        "language": "ko",
        "kind": "amount",
        "reference": f"금액 {number}",
        "hypothesis": f"금맥 {number}",
        "confidence": 0.4217,
        "image_uri": None,
        "box": None,
        "scores": {"cer": 0.3141},
        "purpose": "sample",
        "inclusion_probability": 0.5,
        "stratum": "secret-stratum",
        "reason": "random",
        "draw_number": number,
    }
    return SampledItem(**{**plain, **changes})


def gold_item(name, **changes):
    sampled = dict.fromkeys(("inclusion_probability", "stratum", "reason", "draw_number"))
    return an_item(name, **{**sampled, "purpose": "gold", **changes})


class Desk:
    """An evaluation of the bundled campaign, and what its lead does with sheets."""

    def __init__(self, store, folder, *, rubric=None):
        self.store, self.folder = store, folder
        self.campaign = bundled_campaign()
        self.rubric = rubric or self.campaign.rubric
        self._files = 0
        people = read_raters(self.campaign.raters_path)
        opening = Opening(
            self.campaign.model_copy(update={"rubric": self.rubric}),
            period="2026w47",
            raters=[person.pseudonym for person in people],
            seed=self.campaign.seed,
            package_version="0.1.0",
        )
        with writing(store.engine) as connection:
            keep_raters(connection, people)
            add_evaluation(connection, opening, now=NOW, actor="lead", run_id=None)

    def collect(self, *items, raters=("R01", "R02"), again=(), dimensions=None, session_of=None):
        """Open the main round; `again` are items that every rater meets a second time."""
        dimensions = dimensions or tuple(dimension.name for dimension in self.rubric.dimensions)
        queue = [(item.item, 0) for item in items] + [(name, 1) for name in again]
        assignments = tuple(
            NewAssignment(
                name,
                rater,
                place,
                session=session_of(place) if session_of else 1,
                repeat=repeat,
            )
            for rater in raters
            for place, (name, repeat) in enumerate(queue, start=1)
        )
        plan = RoundPlan(
            kind="main",
            rule="the sample",
            dimensions=dimensions,
            frontend="sheets",
            deadline=NOW + timedelta(days=7),
            assignments=assignments,
        )
        step, position = Step("7", "collecting", "main"), Position(NAME, "opened", 1)
        with moving(self.store.engine, position, step, mover=Mover(NOW)) as connection:
            add_items(connection, NAME, items)
            open_round(connection, NAME, plan, now=NOW)
        return self

    def source(self, **changes):
        return SheetSource(**{"evaluation": NAME, "rubric": self.rubric, **changes})

    def export(self, out="out", *, language="en", **options):
        """What was written, by rater."""
        source = self.source(language=language, **options)
        written = export_sheets(self.store, source, self.folder / out, now=NOW)
        return {one.rater: one.path for one in written}

    def take(self, path, **options):
        return import_sheet(self.store, path, now=NOW, **options)

    def filled(self, path, rows, *, change=None):
        """A copy in which cells are written: {row from 1: {column's name: value}}."""
        book = load_workbook(path)
        sheet = book.worksheets[0]
        places = columns_of(sheet)
        for number, cells in rows.items():
            for name, value in cells.items():
                sheet.cell(HEADER + number, places[name]).value = value
        if change is not None:
            change(book)
        return self.save(book)

    def save(self, book):
        """The path of a workbook as a rater sends it."""
        self._files += 1
        path = self.folder / f"back-{self._files}.xlsx"
        book.save(path)
        return path

    def stored(self):
        """Every rating that counts: {(item, rater, dimension, repeat): value}."""
        found = list_ratings(self.store.engine, NAME)
        return {(one.item, one.rater, one.dimension, one.repeat): one.value for one in found}


HEADERS = {
    "No.": "number",
    "Session": "session",
    "Image": "image",
    "Document": "doc_type",
    "Field name": "field",
    "Kind": "kind",
    "Reference": "reference",
    "OCR text": "hypothesis",
    "Meaning": "meaning",
    "Layout": "layout",
    "Readability": "readability",
    "Field rule": "rule",
    "How sure are you?": "confidence",
    "Cannot be rated because": "flag",
    "Comment": "comment",
    "Row key (leave it as it is)": "key",
}


def columns_of(sheet):
    """The places of the columns of an English sheet, from 1."""
    headers = {cell.value: cell.column for cell in sheet[HEADER] if cell.value}
    return {HEADERS.get(header, header): place for header, place in headers.items()}


def all_rated(value=4):
    """The cells of a row that is rated."""
    return dict.fromkeys(DIMENSIONS, value)


def problems_of(report):
    """The problems by place."""
    return {problem.where: problem.what for problem in report.problems}


def notes_of(report):
    return {finding.where: finding.what for finding in report.findings if finding.level == "note"}


def small_rubric(scale, **changes):
    """A rubric with one dimension on some scale."""
    body = {
        "purpose": "judge",
        "scale": scale,
        "dimensions": [{"name": "meaning", "title": "Meaning", "description": "is it right?"}],
    }
    return Rubric.model_validate({**body, **changes})
