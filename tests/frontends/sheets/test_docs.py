"""What docs/sheets.md says."""

from pathlib import Path

from ocrjury.campaign.flags import FLAGS
from ocrjury.campaign.limits import LONGEST_COMMENT
from ocrjury.frontends.sheets.answers import read_level
from ocrjury.frontends.sheets.returned_workbook import FoundCell
from ocrjury.frontends.sheets.signatures import MANIFEST
from ocrjury.frontends.sheets.words import words_of
from ocrjury.scales import Scale
from ocrjury.store.workspace import SHEETS_KEY

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "sheets.md").read_text("utf-8")


def test_sheets_reasons_and_limits_are_named_as_they_are():
    say = words_of("en")

    for name in (say("ratings"), say("guide"), MANIFEST):
        assert f"| {name} |" in TEXT
    assert ", ".join(f"`{flag}`" for flag in FLAGS) in TEXT
    assert f"up to {LONGEST_COMMENT:,} characters" in TEXT
    assert f"`{SHEETS_KEY}`" in TEXT


def test_what_it_says_is_understood_is():
    line = next(one for one in TEXT.splitlines() if one.endswith("understood as 4 |"))
    forms = [part.strip('"') for part in line.split("`")[1::2]]

    assert len(forms) == 7
    assert {read_level(FoundCell(form, "s"), Scale.likert(1, 5)) for form in forms} == {4.0}
