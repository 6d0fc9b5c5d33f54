"""Against the real LibreOffice: sheets go through it and come back with keys and values.

Needs ``soffice`` (``apt-get install libreoffice-calc``).
"""

import shutil
import subprocess

import pytest
from openpyxl import load_workbook

from ocrjury.store.workspace import open_store
from tests.frontends.sheets.worked_sheets import FIRST, HEADER, Desk, all_rated, an_item, columns_of

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice") or "soffice"
pytestmark = pytest.mark.filterwarnings("ignore")
HOSTILE = [
    '=HYPERLINK("http://x","y")',
    "+82-10-1234",
    "-500",
    "@SUM(A1)",
    "'tis",
    "\t=1+1",
    "2026-03-05",
    "0012",
    "12345678901234567890",
    "1/5",
    "TRUE",
    "_x0041_",
    " 앞뒤 공백 ",
    "줄\n바꿈\r\n둘",
    "a\x00b",
    "頉 😀 각",
    "<script>&amp;</script>",
    "",
]


@pytest.fixture
def desk(tmp_path):
    with open_store(home=tmp_path / "home") as store:
        items = [
            an_item(f"d{n}", reference=text, hypothesis=text, doc_type=text or None)
            for n, text in enumerate(HOSTILE)
        ]
        yield Desk(store, tmp_path).collect(*items, raters=("R01",))


def through(path, *forms):
    """A file that LibreOffice opened and saved in one form after the other."""
    profile = f"-env:UserInstallation=file://{path.parent / 'profile'}"
    for number, form in enumerate(forms):
        out = path.parent / f"{number}-{form}"
        command = [SOFFICE, profile, "--headless", "--convert-to", form, "--outdir", out, path]
        done = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        path = out / f"{path.stem}.{form}"
        assert path.exists(), done.stdout + done.stderr
    return path


@pytest.mark.parametrize("forms", [["xlsx"], ["ods", "xlsx"]], ids="-".join)
def test_keys_texts_and_values_come_back(desk, forms):
    rows = {n: all_rated(n % 5 + 1) for n in range(1, len(HOSTILE))}
    rows[len(HOSTILE)] = {"flag": "unreadable"}
    rows[2] |= {"comment": "가격이 다름", "confidence": 3, "meaning": "４"}

    report = desk.take(through(desk.filled(desk.export()["R01"], rows), *forms))

    assert report.findings == ()
    assert report.answered == report.handed_out == len(HOSTILE)
    stored = {key[0]: value for key, value in desk.stored().items() if key[2] == "layout"}
    assert stored == {f"d{n - 1}": float(n % 5 + 1) for n in range(1, len(HOSTILE))}


def test_nothing_is_run(desk):
    path = through(desk.export()["R01"], "xlsx")

    sheet = load_workbook(path)["Ratings"]
    place = columns_of(sheet)["hypothesis"]
    cells = [sheet.cell(FIRST + n, place) for n in range(len(HOSTILE))]
    assert all(cell.data_type != "f" for cell in cells)
    assert cells[0].value == HOSTILE[0]


def test_lists_locks_and_the_hidden_sheet_stay(desk):
    book = load_workbook(through(desk.export()["R01"], "ods", "xlsx"))

    sheet = book["Ratings"]
    places = columns_of(sheet)
    assert sheet.protection.sheet
    assert sheet.cell(FIRST, places["key"]).protection.locked
    assert not sheet.cell(FIRST, places["meaning"]).protection.locked
    assert book["manifest"].sheet_state != "visible"
    covered = [str(one.sqref) for one in sheet.data_validations.dataValidation]
    assert len(covered) >= 6
    assert sheet.cell(HEADER, 1).value == "No."


def test_it_is_drawn_on_pages(desk):
    pdf = through(desk.export(language="ko")["R01"], "pdf")

    assert pdf.read_bytes().startswith(b"%PDF")


def test_the_field_rule_appears_with_the_rating(tmp_path):
    with open_store(home=tmp_path / "home") as store:
        desk = Desk(store, tmp_path).collect(*map(an_item, ("d1", "d2", "d3")), raters=("R01",))
        path = desk.filled(desk.export()["R01"], {1: {"meaning": 5}, 2: {"meaning": 4}})

    sheet = load_workbook(through(path, "xlsx"), data_only=True)["Ratings"]

    place, rule = columns_of(sheet)["rule"], "The value differs, 1 of 3 characters: at most 4"
    shown = [sheet.cell(FIRST + number, place).value or "" for number in range(3)]
    assert shown == [f"▲ {rule}", rule, ""]
