import io
import re
import struct
import zipfile

import pytest
from openpyxl import Workbook

from benchmarks.worst_files import lying_workbook
from ocrjury.errors import InputError
from ocrjury.frontends.sheets import upload
from ocrjury.frontends.sheets.returned_workbook import read_workbook
from ocrjury.frontends.sheets.upload import check_upload, read_upload

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)


def workbook(**parts):
    """A workbook as bytes, with parts added or replaced."""
    file = io.BytesIO()
    Workbook().save(file)
    return packed(parts, file.getvalue())


def packed(parts, body=None):
    """An archive: the parts of another one, and some of its own."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        if body is not None:
            with zipfile.ZipFile(io.BytesIO(body)) as source:
                for name in set(source.namelist()) - set(parts):
                    archive.writestr(name, source.read(name))
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def sheet_xml(inside, before=""):
    start = '<?xml version="1.0"?>' + before
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    return f"{start}<worksheet {space}><sheetData>{inside}</sheetData></worksheet>"


SHEET = "xl/worksheets/sheet1.xml"
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("r.xlsx", b"", "is empty"),
        ("~$r.xlsx", b"R01", "somebody has the workbook open"),
        ("r.xls", OLE, r"is in the old format \.xls\. .*save it as Excel workbook"),
        ("r.xlsx", OLE + "EncryptedPackage".encode("utf-16-le"), "is protected by a password"),
        ("r.csv", b"item,rater,meaning\nd1,R01,4\n", "is a table in CSV.*`ocrjury ratings import`"),
        ("r.xlsx", b"item,rater\n", "is no workbook"),
        ("r.xlsx", b"\xef\xbb\xbf<?xml version='1.0'?><Workbook/>", "holds XML or HTML"),
        ("r.xls", b"<html><table></table></html>", "holds XML or HTML"),
        (
            "r.ods",
            packed({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}),
            "OpenDoc",
        ),
        ("r.xlsb", packed({"xl/workbook.bin": b"x"}), r"a binary workbook \(\.xlsb\)"),
        ("r.docx", packed({"word/document.xml": "<x/>"}), r"a text document \(\.docx\)"),
        ("r.numbers", packed({"Index/Document.iwa": b"x"}), "a Numbers document"),
        ("r.zip", packed({"a.txt": b"x"}), "an archive without a workbook"),
        ("r.xlsx", workbook(**{"xl/vbaProject.bin": b"x"}), "holds macros"),
        (
            "r.xlsx",
            packed(
                {"xl/workbook.xml": "<w xmlns='http://purl.oclc.org/ooxml/spreadsheetml/main'/>"}
            ),
            "a Strict Open XML workbook",
        ),
        ("r.xlsx", workbook()[:-40], "is damaged or was cut off"),
        ("r.xlsx", workbook()[:2000], "is damaged or was cut off"),
        ("r.xlsx", b"PK\x03\x04" + bytes(100), "is damaged or was cut off"),
        ("r.xlsx", workbook(**{SHEET: "<worksheet><sheetData>"}), "breaks off or is no XML"),
        (
            "r.xlsx",
            workbook(**{SHEET: sheet_xml("<row><c><v>&b;</v></c></row>", LAUGHS)}),
            "entities",
        ),
        ("r.xlsx", workbook(**{"docProps/app.xml": f"{LAUGHS}<x/>"}), "entities can hide"),
        ("r.xlsx", workbook(**{"xl/any.dat": f"{LAUGHS}<x/>".encode("utf-16")}), "can hide"),
        ("r.xlsx", workbook(**{"xl/any.dat": f"{LAUGHS}<x/>".encode("utf-16-be")}), "is no XML"),
        ("r.xlsx", workbook(**{"xl/any.png": f"\ufeff \n{LAUGHS}<x/>"}), "can hide"),
        ("r.xlsx", workbook(**{SHEET: sheet_xml("<r>" * 70 + "</r>" * 70)}), "more than 60 deep"),
    ],
)
def test_another_file_is_refused_by_what_it_is(name, body, said):
    with pytest.raises(InputError, match=f"(?s){re.escape(name)}.*{said}"):
        check_upload(body, name)


def test_a_bomb_is_refused_before_it_is_unpacked():
    body = packed({"xl/worksheets/big.xml": b" " * (101 << 20)}, workbook())

    with pytest.raises(InputError, match="would unpack to more than 100 MB"):
        check_upload(body, "r.xlsx")


def test_a_part_that_is_no_table_may_not_be_large():
    body = workbook(**{"xl/styles.xml": b" " * (6 << 20)})

    with pytest.raises(InputError, match=r"a part xl/styles\.xml of more than 5 MB"):
        check_upload(body, "r.xlsx")


@pytest.mark.parametrize(
    ("limit", "inside", "what"),
    [
        ("MAX_IN_TABLE", "<row><c/><c/></row>", "elements"),
        ("MAX_SHEET_ROWS", "<row/>" * 4, "rows"),
        ("MAX_MERGED", "<mergeCell ref='A1:B1'/>" * 4, "merged cells"),
    ],
)
def test_too_much_in_a_part_is_refused(limit, inside, what, monkeypatch):
    monkeypatch.setattr(upload, limit, 3)

    with pytest.raises(InputError, match=f"sheet1.xml: it has more than 3 {what}"):
        check_upload(workbook(**{SHEET: sheet_xml(inside)}), "r.xlsx")


def test_too_many_parts_are_refused(monkeypatch):
    monkeypatch.setattr(upload, "MAX_PARTS", 5)

    with pytest.raises(InputError, match=r"has \d+ parts"):
        check_upload(workbook(), "r.xlsx")


def test_a_part_other_than_a_table_has_few_elements():
    body = workbook(**{"docProps/app.xml": f"<x>{'<a/>' * 100_000}</x>"})

    with pytest.raises(InputError, match=r"app.xml: it has more than 100,000 elements"):
        check_upload(body, "r.xlsx")


@pytest.mark.parametrize("declared", [b"<worksheet/>", sheet_xml("").encode()])
def test_a_part_that_is_larger_than_its_archive_says_is_refused(declared):
    # What stands at its beginning is declared with the right sum, so that nothing looks damaged.
    body = lying_workbook(300, declared=declared)

    with pytest.raises(InputError, match=r"sheet1\.xml: it is not as large as the archive says"):
        check_upload(body, "r.xlsx")


def test_a_directory_that_points_nowhere_is_damage():
    body = bytearray(workbook())
    entry = body.index(b"PK\x01\x02")
    struct.pack_into("<I", body, body.rindex(b"PK\x05\x06") + 16, entry + 600)

    with pytest.raises(InputError, match=r"r\.xlsx is damaged or was cut off"):
        check_upload(bytes(body), "r.xlsx")


def test_a_part_that_unpacks_without_a_limit_is_refused():
    file = io.BytesIO(workbook())
    with zipfile.ZipFile(file, "a", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("xl/more.xml", "<x/>")

    with pytest.raises(InputError, match="packed in a way that spreadsheet programs do not use"):
        check_upload(file.getvalue(), "r.xlsx")


def test_two_parts_of_one_name_are_refused():
    file = io.BytesIO(workbook())
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(file, "a") as archive:
        archive.writestr(SHEET, sheet_xml(""))

    with pytest.raises(InputError, match="has two parts of one name"):
        check_upload(file.getvalue(), "r.xlsx")


def test_a_large_file_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(upload, "MAX_SHEET", 100)
    path = tmp_path / "r.xlsx"
    path.write_bytes(workbook())

    with pytest.raises(InputError, match=r"r\.xlsx is larger than"):
        read_upload(path)


def test_an_absent_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"absent\.xlsx cannot be read: No such file"):
        read_upload(tmp_path / "absent.xlsx")


def test_a_workbook_without_row_keys_is_no_sheet():
    with pytest.raises(InputError, match=r"r\.xlsx has no sheet with row keys"):
        read_workbook(check_upload(workbook(), "r.xlsx"), source="r.xlsx")


@pytest.mark.parametrize(
    "parts",
    [
        {"xl/workbook.xml": "<workbook/>"},
        {"[Content_Types].xml": "<Types/>"},
        {"xl/styles.xml": "<styleSheet><cellXfs count='x'/></styleSheet>"},
        {SHEET: sheet_xml('<row r="x"><c r="A1"/></row>')},
        {SHEET: sheet_xml('<row r="1"><c r="A1" t="s"><v>9999</v></c></row>')},
        {SHEET: sheet_xml('<row r="1"><c r="A1"><v>nan</v></c></row>')},
        {SHEET: sheet_xml('<row r="1"><c r="A1" t="b"><v>x</v></c></row>')},
    ],
)
def test_a_workbook_that_makes_no_sense_is_refused_in_one_sentence(parts):
    with pytest.raises(InputError, match=r"r\.xlsx (cannot be read as a workbook|has no sheet)"):
        read_workbook(check_upload(workbook(**parts), "r.xlsx"), source="r.xlsx")


def test_a_sheet_that_says_it_is_smaller_than_it_is_is_read_whole():
    inside = (
        '<row r="1"><c r="B1" t="inlineStr"><is><t>Row key (leave it as it is)</t></is></c></row>'
    )
    inside += '<row r="9"><c r="B9" t="str"><v>k-x</v></c></row>'
    xml = sheet_xml(inside).replace("<sheetData>", '<dimension ref="A1"/><sheetData>')

    found = read_workbook(check_upload(workbook(**{SHEET: xml}), "r.xlsx"), source="r.xlsx").sheet

    assert [(row.number, row.at(1).text, row.at(5).empty) for row in found.rows] == [
        (9, "k-x", True)
    ]
