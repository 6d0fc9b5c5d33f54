"""Lines and words of files beside their references: what is scored, and what is told of it."""

import warnings
from pathlib import Path

import pytest

from ocrjury.readers import iter_pool, read_pool, read_units
from ocrjury.text import score_texts
from tests.readers.ocr_files import MINUTES as LINES

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"
READ = [line.replace("B", "8") for line in LINES]
XML = (
    '<PcGts><Page imageWidth="100" imageHeight="100"><TextRegion id="r">{}</TextRegion></Page>'
    "</PcGts>"
)
LINE = (
    '<TextLine id="line_{0}"><Coords points="10,{1} 90,{1} 90,{2} 10,{2}"/>'
    "<TextEquiv><Unicode>{3}</Unicode></TextEquiv></TextLine>"
)


def page_xml(lines, *, top=0):
    """PAGE-XML whose lines are numbered, as engines number them, and stand below each other."""
    rows = enumerate(lines, start=1)
    return XML.format(
        "".join(LINE.format(n, 10 * (n + top) - 8, 10 * (n + top), line) for n, line in rows)
    )


def text(lines):
    return "\n".join(lines)


@pytest.fixture
def read(tmp_path):
    """Read a unit of one document from the content of its two files."""

    def read(reference, output, *, unit="line", suffix="txt"):
        (tmp_path / f"p.gt.{suffix}").write_text(reference, encoding="utf-8")
        (tmp_path / f"p.{suffix}").write_text(output, encoding="utf-8")
        return read_units(tmp_path, unit=unit)

    return read


def rows(pool):
    return pool[["doc_id", "reference", "hypothesis"]].values.tolist()


def cer(pool):
    scored = score_texts(pool["reference"], pool["hypothesis"])
    return scored["edit_distance"].sum() / scored["n_ref_chars"].sum()


@pytest.mark.parametrize(("suffix", "write"), [("txt", text), ("xml", page_xml)])
def test_a_shift_by_one_line_costs_the_missed_and_the_invented_line_only(read, suffix, write):
    """The two pages have as many lines, and the files give shifted lines the same names."""
    invented = "~ 7 ;"

    pool = read(write(LINES), write([*READ[1:], invented]), suffix=suffix)

    misread = text(READ[1:]).count("8") - text(LINES[1:]).count("8")
    edits = len(LINES[0]) + misread + len(invented)
    assert cer(pool) == edits / sum(map(len, LINES))
    assert pool["hypothesis"].tolist() == ["", *READ[1:], invented]
    assert pool["reference"].tolist() == [*LINES, ""]
    assert pool.attrs["pairing"] == {"paired": 7, "joined": 0, "missed": 1, "invented": 1}


def test_boxes_of_a_cropped_page_do_not_shift_its_lines(read):
    pool = read(page_xml(LINES), page_xml(READ, top=1), suffix="xml")

    assert pool["reference"].tolist() == LINES


def test_a_missed_line_has_the_name_and_the_box_of_the_reference(read):
    pool = read(page_xml(LINES), page_xml(READ[:2]), suffix="xml").set_index("doc_id")

    assert pool.loc["p/missed-line_8", "box"] == [0.1, 0.72, 0.9, 0.8]
    assert pool.loc["p/missed-line_8", "hypothesis"] == ""
    assert len(pool) == 8


def test_a_line_without_text_is_no_line_read_without_an_error(tmp_path):
    """Engines leave the lines that they find and cannot read in the file."""
    (tmp_path / "p.gt.txt").write_text(text(LINES), encoding="utf-8")
    page = page_xml([*READ[:2], "", "", *READ[4:]])
    (tmp_path / "p.xml").write_text(page, encoding="utf-8")

    pool = read_units(tmp_path, unit="line")

    assert pool["reference"].tolist() == LINES
    assert pool["hypothesis"].tolist() == [*READ[:2], "", "", *READ[4:]]
    assert pool.attrs["pairing"] == {"paired": 6, "joined": 0, "missed": 2, "invented": 0}


@pytest.mark.parametrize("blank", ["", " ", "\u3000"])
def test_a_line_of_white_space_is_no_document(read, blank):
    """Tesseract writes lines of one space, which no reference has; two blanks would be perfect."""
    pool = read(page_xml([*LINES, blank]), page_xml([*READ, blank]), suffix="xml")

    assert pool["reference"].tolist() == LINES

    pool = read(text(LINES), text([*READ[:2], blank, *READ[2:], blank]))

    assert pool["reference"].tolist() == LINES
    assert pool.attrs["pairing"] == {"paired": 8, "joined": 0, "missed": 0, "invented": 0}


def test_a_line_read_as_white_space_is_missed(read):
    pool = read(page_xml(LINES), page_xml([*READ[:7], " "]), suffix="xml")

    assert pool.attrs["pairing"] == {"paired": 7, "joined": 0, "missed": 1, "invented": 0}


@pytest.mark.parametrize("ids", [("a", "a", "a~2"), ("a~2", "a", "a")])
def test_a_name_like_those_of_repeated_names_loses_no_line(tmp_path, ids):
    lines = "".join(LINE.format(name, 10, 20, name).replace("line_", "") for name in ids)
    (tmp_path / "p.xml").write_text(XML.format(lines), encoding="utf-8")

    pool = read_units(tmp_path, unit="line")

    assert pool["hypothesis"].tolist() == [*ids]
    assert pool["doc_id"].is_unique


def test_a_page_of_which_nothing_was_read_is_missed_line_by_line(read):
    pool = read(text(LINES), "")

    assert pool["reference"].tolist() == LINES
    assert cer(pool) == 1


def test_a_page_that_is_empty_has_invented_lines_only(read):
    pool = read("", "a\nb")

    assert rows(pool) == [["p/line-1", "", "a"], ["p/line-2", "", "b"]]
    assert pool.attrs["pairing"]["invented"] == 2


def test_lines_that_were_merged_or_split_are_compared_as_a_whole(read):
    merged = [READ[0], f"{READ[1]} {READ[2]}", *READ[3:]]

    pool = read(text(LINES), text(merged))
    assert rows(pool)[1] == ["p/line-2", f"{LINES[1]} {LINES[2]}", merged[1]]
    assert pool.attrs["pairing"]["joined"] == 1

    pool = read(text(merged), text(LINES))
    assert rows(pool)[1] == ["p/line-2", merged[1], f"{LINES[1]} {LINES[2]}"]


def test_a_chinese_line_that_was_split_has_no_white_space_where_it_was(read):
    lines = ["经审核，该申请符合规定的条件", "负责人签字后生效", "二〇二六年三月四日北京"]
    split = [lines[0][:7], lines[0][7:], *lines[1:]]

    pool = read(text(lines), text(split))

    assert rows(pool)[0] == ["p/line-1", lines[0], lines[0]]
    assert cer(pool) == 0
    assert cer(read(text(split), text(lines))) == 0


def test_a_split_line_has_the_box_around_its_parts(read):
    split = [*LINES[:4], LINES[4][:14], LINES[4][14:], *LINES[5:]]

    pool = read(page_xml(LINES), page_xml(split), suffix="xml").set_index("doc_id")

    assert pool.loc["p/line_5", "box"] == [0.1, 0.42, 0.9, 0.6]


def test_columns_in_another_order_are_scored_as_a_page_that_is_named(tmp_path):
    for name, output in (("a", READ), ("b", [*READ[4:], *READ[:4]])):
        (tmp_path / f"{name}.gt.txt").write_text(text(LINES), encoding="utf-8")
        (tmp_path / f"{name}.txt").write_text(text(output), encoding="utf-8")

    with pytest.warns(UserWarning, match=r"The lines of b cannot be paired .* in another order"):
        pool = read_units(tmp_path, unit="line")

    assert pool["doc_id"].tolist() == [*(f"a/line-{n}" for n in range(1, 9)), "b"]
    assert pool.attrs["as_pages"] == [
        {"page_id": "b", "reason": "51% of the text stands in another order"}
    ]
    assert pool.attrs["n_as_pages"] == 1
    whole = read_pool(tmp_path).set_index("doc_id")
    assert pool["hypothesis"].iloc[-1] == whole.loc["b", "hypothesis"]
    assert pool["reference"].iloc[-1] == whole.loc["b", "reference"]


def test_lines_of_a_file_in_another_order_are_paired_by_names_that_the_texts_confirm(read):
    named = page_xml(LINES).replace("line_", "r1_")
    rows = named.split("<TextLine")
    turned = "<TextLine".join([rows[0], *rows[5:8], rows[8].split("</TextRegion>")[0], *rows[1:5]])

    pool = read(named, f"{turned}</TextRegion></Page></PcGts>", suffix="xml")

    assert pool["hypothesis"].tolist() == pool["reference"].tolist()
    assert pool["hypothesis"].tolist() == [*LINES[4:], *LINES[:4]]


def test_words_with_names_are_paired_by_content_unless_the_texts_confirm_the_names(read):
    word = '<Word id="w{}"><TextEquiv><Unicode>{}</Unicode></TextEquiv></Word>'
    line = XML.format('<TextLine id="l">{}</TextLine>')
    texts = ["Das", "Wort", "erhält", "Dr.", "Schneider", "zur", "Frage"]
    right = line.format("".join(word.format(n, text) for n, text in enumerate(texts)))
    same = line.format("".join(word.format(n, texts[n]) for n in (3, 4, 5, 6, 0, 1, 2)))
    shifted = line.format("".join(word.format(n, text) for n, text in enumerate(texts[1:])))

    pool = read(right, same, unit="word", suffix="xml")
    assert pool["hypothesis"].tolist() == pool["reference"].tolist() == [*texts[3:], *texts[:3]]
    pool = read(right, shifted, unit="word", suffix="xml")
    assert pool["hypothesis"].tolist() == ["", *texts[1:]]
    assert pool["reference"].tolist() == texts


def test_words_are_paired_by_content_too(read):
    pool = read("Das Wort erhält Dr. Schneider", "Dns erhält Dr . Schneider §")

    assert rows(pool) == [
        ["p/line-1", "Das Wort erhält Dr. Schneider", "Dns erhält Dr . Schneider §"]
    ]
    pool = read("Das Wort erhält Dr. Schneider", "Dns erhält Dr . Schneider §", unit="word")
    assert rows(pool) == [
        ["p/word-1", "Das", "Dns"],
        ["p/missed-word-2", "Wort", ""],
        ["p/word-2", "erhält", "erhält"],
        ["p/word-3", "Dr.", "Dr ."],
        ["p/word-5", "Schneider", "Schneider"],
        ["p/word-6", "", "§"],
    ]


def test_pages_without_references_and_whole_pages_are_not_paired(tmp_path):
    (tmp_path / "p.txt").write_text("a\nb", encoding="utf-8")

    assert read_units(tmp_path, unit="line").attrs["pairing"] == {}
    assert read_units(tmp_path, unit="line")["reference"].isna().all()
    (tmp_path / "p.gt.txt").write_text("a\nb", encoding="utf-8")
    assert read_pool(tmp_path).attrs["pairing"] == {}


def test_lines_of_bad_scans_cost_hardly_more_than_their_pages(tmp_path):
    """72 pages of forms, read by a real engine: a wrong pair would cost a whole line twice."""
    pool = read_pool(EXAMPLE / "pool.jsonl")
    for row in pool.itertuples():
        (tmp_path / f"{row.doc_id}.gt.txt").write_text(row.reference, encoding="utf-8")
        (tmp_path / f"{row.doc_id}.txt").write_text(row.hypothesis, encoding="utf-8")

    with pytest.warns(UserWarning, match="The lines of kr-070 cannot be paired"):
        lines = read_units(tmp_path, unit="line")

    assert lines.attrs["n_as_pages"] == 1
    assert cer(pool) < cer(lines) < 1.08 * cer(pool)


def test_nothing_of_a_document_is_in_what_is_told(tmp_path):
    secrets = [f"Versicherte Nr. {n} {'x' * n}{chr(0x1B)}[31m" for n in range(30)]
    (tmp_path / "p.gt.txt").write_text(text(secrets), encoding="utf-8")
    (tmp_path / "p.txt").write_text(text(["qqqqqqqqqq\u202e" * 3] * 9), encoding="utf-8")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        batches = iter_pool(tmp_path, unit="line")
        list(batches)

    told = f"{batches.attrs} {[str(warning.message) for warning in caught]}"
    assert batches.attrs["n_as_pages"] == len(caught) == 1
    assert not any(secret in told for secret in ("Versicherte", "qqq", "\u202e", "\x1b"))
