import random
import zlib
from types import SimpleNamespace

import numpy as np
import pydyf
import pytest
from pydyf import PDF
from tinyhtml5 import inputstream
from weasyprint.css import ComputedStyle
from weasyprint.formatting_structure.boxes import Box
from weasyprint.html import UA_STYLESHEET
from weasyprint.layout import percent

from ocrjury.report import pdf_boxes, pdf_child, pdf_savings, pdf_styles
from ocrjury.report.pdf_page import ShortenedPage

PAGE = """<html lang="en"><title>t</title><style>h1 { break-before: page }
.b { --room: 3mm; padding-inline-start: var(--room); border-block: 1pt solid; color: #345 }
.b b { text-decoration: underline; text-indent: inherit; float: left; margin-left: inherit }
table { border-collapse: collapse; box-sizing: border-box } td { border: 1pt solid; width: 40% }
section { box-sizing: border-box; width: 60mm; padding: 2mm; margin: 1mm auto }
section b { width: 9mm }
div { direction: rtl; text-indent: calc(5% + 1mm); width: calc(100% - 9mm) }</style>
<p id="a" class="b">One &amp; <b title="x &lt; y">two</b>.</p><div><p class="b">Three</p></div>
<table><tr><td>4</td><td>5</td></tr></table><section>In <i>a</i> box</section>
<ol><li>first</li><li>second</li></ol><h1>More</h1><ul><li>third</li></ul><h1>Most</h1>"""


def test_a_pattern_of_the_parser_is_built_once():
    patterns = pdf_savings.Patterns()

    until, through = patterns['"&', False], patterns["ab", True]

    assert until.match('x y"z')[0] == "x y"
    assert through.match("abbac")[0] == "abba"
    assert patterns["ab", True] is through


def test_references_to_pages_are_listed_anew_for_another_page():
    asked = []
    pdf = SimpleNamespace(pages={"Kids": [1, 0, "R"]})
    references = pdf_savings.References(lambda pdf: asked.append(1) or tuple(pdf.pages["Kids"]))

    first, again = references.__get__(pdf, object), references.__get__(pdf, object)
    pdf.pages["Kids"] += [2, 0, "R"]

    assert first is again
    assert len(references.__get__(pdf, object)) == 6
    assert len(asked) == 2


def test_a_stream_is_nearly_as_short_as_it_can_be(monkeypatch):
    monkeypatch.setattr(pydyf, "zlib", zlib)
    numbers = random.Random(7)
    lines = [f"{numbers.random():.2f} 0 0 {numbers.randint(0, 9)} Tm" for _ in range(3000)]
    shortest = len(pydyf.Stream(lines, compress=True).data)

    pdf_savings.compress_less()
    data = pydyf.Stream(lines, compress=True).data
    body = data.partition(b"stream\n")[2].removesuffix(b"\nendstream")

    assert shortest < len(data) < 1.05 * shortest
    assert zlib.decompress(body).decode().split("\n") == lines


@pytest.mark.parametrize(
    "item",
    [
        *(0, 7, True, 0.0, -0.0, 1.0, -2.5, 1 / 3, 1e-7, -1e-7, 1e9, 2.0**60, 123456.7890126),
        *("/Span", b"q", pydyf.Array([1.5, "/X"]), pydyf.String("é"), np.float64(1.5)),
    ],
    ids=lambda item: "é" if isinstance(item, pydyf.String) else repr(item),  # it has no other repr
)
def test_what_a_pdf_is_made_of_is_written_as_before(item):
    converted = pydyf._to_bytes

    assert pdf_savings.by_kind(converted)(item) == converted(item)


def test_saved_work_leaves_every_byte_of_a_pdf_as_it_was(monkeypatch):
    own = UA_STYLESHEET.matcher
    for holder, name in ((own, "lower_local_name_selectors"), (own, "other_selectors")):
        monkeypatch.setattr(holder, name, getattr(holder, name).copy())
    monkeypatch.setattr(inputstream, "characters_until_regex", {})
    monkeypatch.setattr(PDF, "page_references", vars(PDF)["page_references"])
    monkeypatch.setattr(pydyf, "_to_bytes", pydyf._to_bytes)
    asked, whole = [], ComputedStyle.__missing__

    def ask(style, name):
        asked.append(name)
        return whole(style, name)

    monkeypatch.setattr(ComputedStyle, "__missing__", ask)
    settled, resolve = [], percent.resolve_percentages

    def settle(box, containing_block):
        settled.append(box)
        resolve(box, containing_block)

    for module in pdf_boxes.ASKING:
        monkeypatch.setattr(module, "resolve_percentages", settle)
    monkeypatch.setattr(Box, "is_in_normal_flow", Box.is_in_normal_flow)
    page = ShortenedPage(PAGE)
    plain, before = pdf_child.whole_pdf(page, "pdf/ua-1"), len(asked)

    pdf_savings.remember_patterns()
    pdf_savings.remember_references()
    pdf_savings.convert_by_kind()
    pdf_savings.style_markers_of_lists()
    pdf_styles.inherit_at_once()
    lengths = len(settled)
    pdf_boxes.remember_lengths()

    assert pdf_child.whole_pdf(page, "pdf/ua-1") == plain
    assert len(asked) - before < before * 0.6
    assert 0 < len(settled) - lengths < lengths * 0.5
    assert len(inputstream.characters_until_regex) < 12
    assert not [
        selector
        for selector in own.other_selectors
        if (selector[3] or "").endswith(("call", "marker"))
    ]
