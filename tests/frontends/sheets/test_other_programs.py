"""Workbooks as other programs write them: the same content in other XML."""

import io
import re
import zipfile

import pytest

from tests.frontends.sheets.test_round_trip import checked, complete

SHEET = "xl/worksheets/sheet1.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRINGS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
_INLINE = re.compile(r't="inlineStr"([^>]*)><is><t([^>]*)>(.*?)</t></is></c>', re.DOTALL)


def rewritten(body, change):
    """A workbook whose parts went through a function of name and text."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(file, "w") as new:
        parts = {name: old.read(name) for name in old.namelist()}
        for name, text in change({k: v.decode() for k, v in parts.items()}).items():
            new.writestr(name, text)
    return file.getvalue()


def with_shared_strings(wrap):
    """What moves every text into the table of shared strings, as Excel does."""

    def change(parts):
        texts = []

        def share(found):
            texts.append(wrap(found[2], found[3]))
            return f't="s"{found[1]}><v>{len(texts) - 1}</v></c>'

        for name in [one for one in parts if one.startswith("xl/worksheets/sheet")]:
            parts[name] = _INLINE.sub(share, parts[name])
        inside = "".join(f"<si>{text}</si>" for text in texts)
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{inside}</sst>'
        types = parts["[Content_Types].xml"]
        if STRINGS not in types:
            part = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{STRINGS}"/></Types>'
            parts["[Content_Types].xml"] = types.replace("</Types>", part)
        return parts

    return change


def one_run(attributes, text):
    return f"<t{attributes}>{text}</t>"


def many_runs(_attributes, text):
    """Split a text as programs do where a part of it is bold, with a reading aid beside it."""
    parts = re.findall(r"&[#\w]+;|.", text, re.DOTALL)
    cut = len(parts) // 2
    first, second = "".join(parts[:cut]), "".join(parts[cut:])
    keep = 't xml:space="preserve"'
    runs = f"<r><{keep}>{first}</t></r><r><rPr><b/></rPr><{keep}>{second}</t></r>"
    return f'{runs}<rPh sb="0" eb="1"><t>읽기</t></rPh>'


def prefixed(parts):
    """Give every element of a sheet a prefix, as some generators do."""
    text = parts[SHEET].replace(f'xmlns="{MAIN}"', f'xmlns:x="{MAIN}"')
    parts[SHEET] = re.sub(r"<(/?)(?=[a-zA-Z])", r"<\1x:", text)
    return parts


def sparse(parts):
    """Leave out the places of cells and rows where they follow from the order."""
    parts[SHEET] = re.sub(r' spans="[^"]*"', "", parts[SHEET])
    return parts


def as_fractions(parts):
    """Write whole numbers with a fraction."""
    parts[SHEET] = re.sub(r"<v>([1-5])</v>", r"<v>\1.0</v>", parts[SHEET])
    return parts


def with_byte_order_mark(parts):
    return {
        name: f"\ufeff{text}" if name.endswith(".xml") else text for name, text in parts.items()
    }


@pytest.mark.parametrize(
    "change",
    [
        with_shared_strings(one_run),
        with_shared_strings(many_runs),
        prefixed,
        sparse,
        as_fractions,
        with_byte_order_mark,
    ],
    ids=["shared", "rich", "prefixed", "sparse", "fractions", "bom"],
)
def test_the_same_content_in_other_xml_says_the_same(change):
    rows, body, meant = complete()

    manifest, found = checked(rewritten(body, change), rows)

    assert manifest.rows == len(rows)
    assert found.findings == ()
    assert {answer.assignment: answer for answer in found.answers} == meant


def test_a_row_far_below_is_read():
    rows, body, meant = complete()

    def far(parts):
        text = parts[SHEET]
        for column in "ABCDEFGHIJKLM":
            text = text.replace(f'r="{column}8"', f'r="{column}1048576"')
        parts[SHEET] = text.replace('<row r="8"', '<row r="1048576"')
        return parts

    _, found = checked(rewritten(body, far), rows)

    assert {answer.assignment: answer.values for answer in found.answers} == {
        name: one.values for name, one in meant.items()
    }
    assert found.answers[-1].row == 1_048_576
