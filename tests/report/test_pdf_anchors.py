import re

import pytest
from weasyprint import HTML, css
from weasyprint.css import ComputedStyle, StyleFor

from ocrjury.report import pdf_anchors, pdf_child
from ocrjury.report.pdf_page import ShortenedPage

BLOCK = """<h2 id="{0}">One <span>and <b>two</b></span></h2><table id="{0}-table" style="{1}">
<caption>Three</caption><tr><th>4<td><p id="{0}-p">5</table>
<div class="grid"><figure id="{0}.a"><b>6</b></figure><figure id="{0}:b" class="b">7</figure></div>
"""
PAGE = """<html lang="en" id="all"><title>t</title><style>
h2 { break-before: page; padding: 1mm } span { text-decoration: underline; padding: inherit }
table { border-collapse: collapse; width: 40% } th { border: 1pt solid; padding: inherit }
.grid { display: grid; grid-template-columns: 1fr 2fr } #two-p { color: #345 }
[id] .x, .b::before { content: counter(page) attr(id) } b { display: inline-block }
a::after { content: target-counter(attr(href), page) target-text(attr(href)) }
</style><p><a href="#two">Two</a> <a id="here" href="#three-p">Three</a> <a href="#all">All</a>
<a href="#here">Here</a><a href="#o&quot;dd">Odd</a>""" + "".join(
    BLOCK.format(name, style)
    for name, style in (("one", ""), ("two", "margin: 2mm"), ("three", ""), ("two", ""))
)
ODD = '<h2 id="o&quot;dd">Odd</h2><div id="last"></div>'


@pytest.fixture
def shared(monkeypatch):
    """A function that lets elements share styles until the test ends."""
    monkeypatch.setattr(css, "find_style_attributes", css.find_style_attributes)
    monkeypatch.setattr(StyleFor, "__init__", StyleFor.__init__)
    return pdf_anchors.share_anchored


def test_shared_styles_leave_every_byte_of_a_pdf_as_it_was(monkeypatch, shared):
    made, make = [], ComputedStyle.__init__

    def making(style, *given):
        make(style, *given)
        if not style.pseudo_type:
            made.append(style)

    monkeypatch.setattr(ComputedStyle, "__init__", making)
    page = ShortenedPage(PAGE + ODD)
    (plain, warnings), before = pdf_child.render(page, "pdf/ua-1", None), len(made)

    shared()
    fast, again = pdf_child.render(page, "pdf/ua-1", None)

    assert fast == plain
    assert sorted(again) == sorted(warnings)
    assert [text for text in warnings if "Anchor defined twice: 'two'" in text]
    assert len(made) - before < before * 0.8


def test_every_address_is_a_place_in_the_pdf(shared):
    shared()

    pdf = HTML(string=PAGE + ODD).write_pdf(uncompressed_pdf=True)

    assert {"one", "two-table", "three.a", "here", "all", "last"} <= {
        name.decode() for name in re.findall(rb"\(([^()]+)\) \[", pdf)
    }


def test_a_copy_of_a_style_changes_alone(shared):
    shared()
    body = HTML(string='<p id="a">A<p id="b">B<p>C')
    styles = []
    for page in body.render().pages:
        styles += [box.style for box in page._page_box.descendants() if box.element_tag == "p"]
    first = next(style for style in styles if style["anchor"] == "a")

    copy = first.copy()
    copy["color"] = "changed"

    assert copy["anchor"] == "a"
    assert "changed" not in {first["color"], first.shared["color"]}
