import re
import subprocess

import pytest
from weasyprint import HTML
from weasyprint.svg import SVG

from ocrjury.report import pdf_labels

LOGO = '<text x="40" y="9" letter-spacing="2">logo</text>'
PARTS = '<text x="40" y="9">in <tspan fill="red">parts</tspan></text>'
APART = '<text x="10 30,50" y="9">ABC</text>'
LINES = '<text x="40" y="9">one\u2028two</text>'


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """A function that prints a chart, and what a reader finds in the file."""
    monkeypatch.setattr(SVG, "draw_node", SVG.draw_node)
    pdf_labels.draw_labels_at_once()

    def draw(labels, *options):
        path = tmp_path / "chart.pdf"
        page = f"""<html lang="en"><style>@page {{ margin: 0 }} body {{ margin: 0 }}</style>
        <svg viewBox="0 0 200 40" width="200" height="40" font-family="Noto Sans CJK KR"
        font-size="9" role="img"><g>{labels}</g></svg>"""
        HTML(string=page).write_pdf(path, uncompressed_pdf=True)
        done = subprocess.run(
            ["pdftotext", *options, str(path), "-"], capture_output=True, check=True, timeout=60
        )
        return path.read_bytes(), done.stdout.decode()

    return draw


def edges(text):
    """Where the only word begins and ends, in pixels."""
    [found] = re.findall(r'<word xMin="([\d.]+)" .*?xMax="([\d.]+)"', text)
    return [float(edge) * 96 / 72 for edge in found]


@pytest.mark.parametrize(("anchor", "share"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_a_label_stands_where_its_anchor_says_in_no_form_of_its_own(drawn, anchor, share):
    label = f'<text x="100" y="20" text-anchor="{anchor}" font-weight="700">Tariff</text>'

    content, text = drawn(label, "-bbox")
    left, right = edges(text)

    assert b"/Form" not in content
    assert left + share * (right - left) == pytest.approx(100, abs=0.1)
    assert right - left > 20


def test_the_letters_of_a_label_are_shown_by_one_operator(drawn):
    content, text = drawn('<text x="9" y="20" fill="#345">Some words</text>')

    assert text.strip() == "Some words"
    assert content.count(b"] TJ") == 1
    assert b"\n0.2 0.266667 0.333333 rg\n" in content


def test_a_label_runs_in_the_direction_of_its_script(drawn):
    letters = "שלום"
    alone = "".join(f'<text x="{x}" y="9">{one}</text>' for x, one in enumerate(letters))

    content, _ = drawn(f'{alone}<text x="9" y="20">{letters}</text>')
    shown = [re.findall(rb"<(\w+)>", one) for one in re.findall(rb"\[(.*?)\] TJ", content)]
    each, whole = shown[:-1], shown[-1]

    assert len(each) == len(letters)
    assert b"".join(whole) == b"".join(glyph for [glyph] in reversed(each))


@pytest.mark.parametrize(
    ("label", "text"),
    [(LOGO, "logo"), (PARTS, "in parts"), (APART, "A B C"), (LINES, "onetwo")],
)
def test_what_is_more_than_a_label_is_drawn_letter_by_letter(drawn, label, text):
    content, printed = drawn(label)

    assert " ".join(printed.split()) == text
    assert content.count(b"] TJ") == len(text.replace(" ", ""))


@pytest.mark.parametrize("weight", ["normal", "bolder", "", "²", "600"])
def test_whatever_weight_a_label_asks_for_it_is_drawn(drawn, weight):
    _, text = drawn(f'<text x="9" y="20" font-weight="{weight}">Tariff</text>')

    assert text.strip() == "Tariff"
