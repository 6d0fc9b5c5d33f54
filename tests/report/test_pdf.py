import contextlib
import dataclasses
import re
import subprocess
import zlib
from itertools import pairwise
from pathlib import Path

import pytest

from ocrjury.errors import MissingDependencyError, OcrjuryError
from ocrjury.report.html import render_html
from ocrjury.report.pdf import write_pdf
from ocrjury.report.pdf_letters import with_code_points

PAGES = 16
DATED = 'content="2026-11-20T09:00:00+00:00"'
SEE_THROUGH = (  # four pixels of a PNG with an alpha channel
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEUlEQVR42mM4wcXVAMIMMAYAMrIFcVec5C8AAAAA"
    "SUVORK5CYII="
)
PAGE = (
    f'<html lang="ko"><title>보고서</title><meta name="dcterms.created" {DATED}>'
    f'<meta name="dcterms.modified" {DATED}><h1 id="a">보험</h1><p><a href="#a">x</a>'
    f'<img alt="x" src="data:image/png;base64,{SEE_THROUGH}">'
)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.fixture(scope="module")
def pages(pdf):
    text = run("pdftotext", "-layout", str(pdf), "-")
    return text.rstrip("\f").split("\f")


def test_every_number_of_the_cover_can_be_read_from_the_pdf(pages):
    for words in ("4.12", "3.93 to 4.31", "3.91 to 4.05", "1,525", "보험 청구 서류", "Not shown"):
        assert words in pages[0]


def test_every_page_is_numbered_and_says_that_raters_are_simulated(pages):
    assert len(pages) == PAGES
    assert all("SIMULATED RATERS" in page for page in pages)
    for number, page in enumerate(pages[1:], start=2):
        assert f"Page {number} of {PAGES}" in page
        assert "보험 청구 서류" in page.splitlines()[0]
        assert "korean-claims-2026w47 · configuration c41d0b6be0f2" in page


def test_the_contents_name_the_page_of_every_chapter(pages):
    # Two columns, each of number, title and page.
    entry = r"(?:^| {3,}) *\d+ +([A-Z]\S*(?: \S+)*) {3,}(\d+)(?= |$)"
    rows = dict(re.findall(entry, pages[1], re.MULTILINE))

    assert len(rows) == 15
    for title, number in rows.items():
        assert title in pages[int(number) - 1]


def test_the_statement_of_the_statistics_fits_the_page_of_its_title(pages):
    page = next(page for page in pages if "Statement of the statistics" in page)

    assert "Methods" in page
    assert "Seed and hashes" in page


def test_korean_comes_back_whole_and_without_joiners(pages):
    text = "\n".join(pages)

    assert "진료비영수증" in text
    assert "대퇴골 경부의 골절로" in text
    assert "\u2060" not in text


def test_all_fonts_are_embedded_subsets_of_the_named_ones(pdf):
    rows = [line.split() for line in run("pdffonts", str(pdf)).splitlines()[2:]]

    assert rows
    for row in rows:
        assert re.fullmatch(r"[A-Z]{6}\+.*", row[0])
        assert "Noto" in row[0]
        assert row[-5:-2] == ["yes", "yes", "yes"]


def test_the_pdf_is_tagged_and_declares_its_language_and_title(pdf):
    info = run("pdfinfo", str(pdf))

    assert re.search(r"Tagged: +yes", info)
    assert re.search(r"Title: +보험 청구 서류 · korean-claims-2026w47", info)
    assert re.search(r"Page size: .*A4", info)
    assert "pdf/ua" in run("pdfinfo", "-meta", str(pdf)).lower() or "pdfuaid" in run(
        "pdfinfo", "-meta", str(pdf)
    )


def streams_of(body):
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", body, re.DOTALL):
        with contextlib.suppress(zlib.error):
            found.append(zlib.decompress(stream))
    return b"".join(found)


@pytest.fixture(scope="module")
def objects(pdf):
    return streams_of(pdf.read_bytes())


def test_every_figure_has_its_sentence(pdf, objects):
    figures = run("pdfinfo", "-struct", str(pdf)).count("Figure")

    assert figures >= 30
    assert len(re.findall(rb"/Alt [(<]", objects)) == figures
    assert b"/Alt (Mean rating of the whole pool on Meaning, 1 to 5: 4.12" in objects


def test_the_outline_has_the_chapters(objects):
    assert b"/Outlines" in objects
    assert objects.count(b"/Dest") >= 10


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/hostname",
        "http://127.0.0.1:8129/x",
        "pkg:../pyproject.toml",
        "pkg:no.css",
        "crop:0",
    ],
)
def test_nothing_but_packaged_files_gets_in(url):
    from weasyprint.urls import FatalURLFetchingError

    from ocrjury.report.pdf_child import whole_pdf
    from ocrjury.report.pdf_page import ShortenedPage

    with pytest.raises(FatalURLFetchingError):
        whole_pdf(ShortenedPage(f'<link rel=stylesheet href="{url}">x'), "pdf/ua-1")


ATTACHING = '<html lang=en><title>t</title><link rel=attachment href="{}"><p>x'


def test_no_local_file_gets_out_as_an_attachment(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("TOPSECRET")

    with pytest.raises(OcrjuryError, match='Error fetching "file:'):
        write_pdf(ATTACHING.format(f"file://{secret}"), tmp_path / "x.pdf")

    assert not (tmp_path / "x.pdf").exists()
    # Nothing else is wrong with that page.
    write_pdf(ATTACHING.format("data:text/plain,told"), tmp_path / "x.pdf")
    assert b"/EmbeddedFile" in (tmp_path / "x.pdf").read_bytes()


def test_a_letter_that_no_font_has_is_printed_as_its_number(tmp_path):
    several = "x\U00012000y \U0001f1f0\U0001f1f7 \u0e01\u0e49 \U00020001z"
    font = "font-family: 'Noto Sans CJK KR'"  # it is full: nothing can stand for what it lacks
    page = f'<html lang=en><title>t</title><p style="{font}">{several}'
    write_pdf(page, tmp_path / "x.pdf")

    said = run("pdftotext", str(tmp_path / "x.pdf"), "-")
    assert "x‹U+12000›y ‹U+1F1F0›‹U+1F1F7›" in said
    assert "‹U+20001›z" in said


LETTERS_TOLD = {
    "en": "2 characters have no glyph in the fonts; they are printed as their code points",
    "ko": "글꼴에 없는 문자가 2개 있어",
    "zh": "有 2 个字符在字体中没有字形",
}


@pytest.fixture
def with_rare_letters(make, report):
    """A function that writes a page in a language with two letters that no font has."""

    def page_in(language):
        row = dataclasses.replace(
            report.items.rows[0], doc_type="비밀 \U00012000\U00020001\U00012000"
        )
        items = dataclasses.replace(report.items, rows=(row,))
        identity = dataclasses.replace(report.identity, language=language)
        page = render_html(make(items=items, identity=identity), only=["items"])
        assert LETTERS_TOLD[language] not in re.sub("<[^>]*>", "", page)
        return page

    return page_in


def test_the_methods_count_letters_that_no_font_has(with_rare_letters, tmp_path):
    write_pdf(with_rare_letters("en"), tmp_path / "x.pdf")

    text = run("pdftotext", "-layout", str(tmp_path / "x.pdf"), "-")
    assert LETTERS_TOLD["en"] in text
    assert text.count("‹U+12000›") == 3
    assert "‹U+20001›" in text


@pytest.mark.parametrize("language", LETTERS_TOLD)
def test_the_methods_count_such_letters_in_every_language(with_rare_letters, language):
    printed = with_code_points(with_rare_letters(language), ["\U00012000", "\U00020001"])

    assert LETTERS_TOLD[language] in re.sub("<[^>]*>", "", printed)


def test_the_log_names_letters_that_no_font_has_and_nothing_beside_them(tmp_path, caplog):
    path = tmp_path / "x.pdf"
    write_pdf("<html lang=en><title>t</title><p>secret \U00012000x", path)

    assert [record.getMessage() for record in caplog.records] == [
        f"{path}: no font has 1 of the characters; the PDF prints code points: U+12000"
    ]


def test_a_page_whose_letters_all_have_glyphs_says_nothing_of_them(pages, tmp_path, caplog):
    write_pdf("<html lang=ko><title>t</title><p>한글 ①", tmp_path / "x.pdf")

    assert caplog.records == []
    assert "glyph" not in "".join(pages)


def test_a_failure_is_one_sentence_and_leaves_nothing_behind(tmp_path):
    with pytest.raises(OcrjuryError, match="does not exist"):
        write_pdf("<p>x", tmp_path / "no" / "x.pdf")
    with pytest.raises(OcrjuryError, match="Warned"):
        write_pdf("<style>p { colour: red }</style><p>x", tmp_path / "x.pdf")

    assert list(tmp_path.iterdir()) == []


def test_a_page_that_never_ends_is_ended_and_leaves_nothing_behind(tmp_path, monkeypatch):
    folders = [tmp_path / name for name in ("temporary", "out")]
    for folder in folders:
        folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folders[0]))
    nested = "".join(
        f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 9 + "</g>" for n in range(1, 9)
    )
    bomb = f'<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"/>{nested}<use href="#a8"/></svg>'

    with pytest.raises(OcrjuryError, match="took over 1 s"):
        write_pdf(bomb, folders[1] / "x.pdf", timeout=1)

    assert [list(folder.iterdir()) for folder in folders] == [[], []]


def test_an_earlier_file_stays_when_a_new_one_fails(tmp_path):
    path = tmp_path / "x.pdf"
    path.write_bytes(b"old")

    with pytest.raises(OcrjuryError, match="Fatal"):
        write_pdf('<link rel=stylesheet href="file:///x">', path)

    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(
    "said",
    [
        "OSError: cannot load library 'libpango'",
        "ModuleNotFoundError: No module named 'weasyprint'",
    ],
)
def test_a_machine_without_pango_is_told_what_to_install(tmp_path, monkeypatch, said):
    def child(command, **options):
        return subprocess.CompletedProcess(command, 1, b"", said.encode())

    monkeypatch.setattr(subprocess, "run", child)

    with pytest.raises(MissingDependencyError, match="apt-get install libpango"):
        write_pdf("<p>x", tmp_path / "x.pdf")


def test_missing_fonts_are_told_apart_from_rare_letters():
    from ocrjury.report.pdf_child import MissingGlyph, Warned, rare_letters

    def warned(letter):
        return f'.notdef glyph rendered for Unicode string: "{letter}" (U+{ord(letter):04X})'

    rare = {"\U00012000", "\U00020001", "\U0001df00"}  # cuneiform, late Chinese, late Latin
    assert rare_letters(map(warned, rare)) == rare
    with pytest.raises(MissingGlyph, match=r"no font has 한 \(U\+D55C\)"):
        rare_letters([warned("한")])
    with pytest.raises(Warned):
        rare_letters(["Ignored `x`"])


def test_attachments_come_back_byte_for_byte_from_an_archival_pdf(tmp_path):
    files = {"ratings.csv": b"item,rating\r\n1,5\r\n", "evaluation.json": b"{}\n\x00\xff"}
    paths = [tmp_path / name for name in ("a.pdf", "b.pdf")]
    for path in paths:
        write_pdf(PAGE, path, variant="pdf/a-3a", attachments=files)

    run("pdfdetach", "-saveall", "-o", str(tmp_path), str(paths[0]))

    assert {name: (tmp_path / name).read_bytes() for name in files} == files
    assert paths[0].read_bytes() == paths[1].read_bytes()
    _it_claims_both_standards_and_is_dated_like_the_page(paths[0])
    fonts = [line.split()[-5:-2] for line in run("pdffonts", str(paths[0])).splitlines()[2:]]
    assert [*map(tuple, fonts)] == len(fonts) * [("yes", "yes", "yes")] != []
    _its_objects_are_what_the_standard_asks_for(paths[0].read_bytes())


def _it_claims_both_standards_and_is_dated_like_the_page(path):
    meta, info = run("pdfinfo", "-meta", str(path)), run("pdfinfo", "-isodates", str(path))
    for claim in (r"pdfaid:part\W+3\b", r"pdfaid:conformance\W+A\b", r"pdfuaid:part\W+1\b"):
        assert len(re.findall(claim, meta)) == 1
    assert (
        "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>" in meta
    )  # or PDF/A takes it for an error
    for name in ("Create", "Modify"):
        assert f"<xmp:{name}Date>2026-11-20T09:00:00+00:00</xmp:{name}Date>" in meta
    assert len(re.findall(r"(?:CreationDate|ModDate): +2026-11-20T09:00:00Z", info)) == 2


def _its_objects_are_what_the_standard_asks_for(body):
    objects = streams_of(body)
    [listed] = re.findall(rb"/AF \[([^]]*)\]", objects)
    assert len(listed.split(b" R")[:-1]) == len({*listed.split(b" R")[:-1]}) == 2
    assert objects.count(b"/AFRelationship /Data") == 2
    assert re.search(rb"/Names \[\(evaluation.json\).*\(ratings.csv\)", objects)
    assert b"/S /GTS_PDFA1" in objects
    assert b"/DestOutputProfile" in objects
    assert b"/Lang (ko)" in objects
    assert b"/StructTreeRoot" in objects
    assert b"/Subtype /text#2fcsv" in body
    assert body.count(b"/Interpolate false") == 2  # the picture and its mask
    assert b"/Interpolate true" not in body


def structure(pdf):
    """Kind of each element of the structure, under that of its parent, in reading order."""
    above, found = {}, []
    for line in run("pdfinfo", "-struct", str(pdf)).splitlines():
        depth = len(line) - len(line.lstrip())
        if not line.strip().startswith("/"):  # else an attribute
            kind = line.split()[0].removesuffix(":")
            above[depth] = kind
            found.append((above.get(depth - 2), kind))
    return found


def test_the_structure_is_what_a_reader_of_tags_expects(pdf):
    elements = structure(pdf)

    assert {above for above, kind in elements if kind == "Object"} == {"Link"}
    in_lists = {kind for above, kind in elements if above == "L"}
    assert in_lists <= {"LI", "Div"}  # which only groups; no text between entries
    levels = [int(kind[1:]) for _, kind in elements if re.fullmatch(r"H\d", kind)]
    assert levels[0] == 1
    assert max(low - high for high, low in pairwise(levels)) == 1


def test_whatever_a_link_holds_is_tagged_as_a_link(tmp_path):
    path = tmp_path / "a.pdf"
    write_pdf(f'{PAGE}<p><a href="#a"><span style="display: inline-block">1</span> x</a>', path)

    elements = structure(path)
    assert elements.count(("Link", "Object")) == 3  # those of PAGE, of the span, of what follows it
    assert ("Span", "Object") not in elements


def test_a_report_has_no_attachments_by_default(pdf):
    assert run("pdfdetach", "-list", str(pdf)).startswith("0 embedded files")


def test_no_folder_of_ours_is_left(pdf):
    assert [path.name for path in Path(pdf).parent.iterdir()] == ["보고서.pdf"]
