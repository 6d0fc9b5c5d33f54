from types import SimpleNamespace

import pytest
from weasyprint.draw import text as drawing
from weasyprint.text.line_break import Layout

from ocrjury.report import pdf_child, pdf_texts
from ocrjury.report.pdf_lines import MeasuredLines
from ocrjury.report.pdf_page import ShortenedPage

LINES = """<tr><td>보험 청구 <s>서류</s> <ins>and words</ins><td lang="zh">0.31 to 0.45
<td> <b>0.31</b>
<tr><td class="big">보험 청구<td>\U0001f600 \U000fffff<td class="long">unbroken unbroken unbroken"""
PAGE = f"""<html lang="ko"><title>t</title><style>
html {{ font: 9pt "Noto Sans CJK KR", "Noto Color Emoji" }} .big {{ font-size: 12pt }}
.long {{ display: block; width: 9mm }}
.long {{ white-space: nowrap; overflow: hidden; text-overflow: ellipsis }}
p {{ text-align: justify; width: 30mm }} h1 {{ break-before: page }}
</style><table>{LINES}{LINES}</table><p>One line breaks, one does not.</p><h1>One</h1>
<p style="width: 27mm">One line breaks, one does not.</p><table>{LINES}</table>
<svg viewBox="0 0 90 20" width="90" height="20" font-family="Noto Sans CJK KR">
<text x="1" y="9" font-size="9">0.31</text><text x="40" y="9" font-size="9">0.31</text>
<text x="1 9" y="18" font-size="9" font-weight="700">0.31</text></svg>"""


def test_texts_drawn_again_leave_every_byte_of_a_pdf_as_it_was(monkeypatch):
    shaped, reactivate = [], Layout.reactivate

    def counting(layout, style):
        shaped.append(layout.text)
        reactivate(layout, style)

    monkeypatch.setattr(Layout, "reactivate", counting)
    monkeypatch.setattr(drawing, "draw_first_line", drawing.draw_first_line)
    page, look = ShortenedPage(PAGE), MeasuredLines(SimpleNamespace).font
    (plain, warnings), before = pdf_child.render(page, "pdf/ua-1", None), len(shaped)

    pdf_texts.remember_texts(look)
    fast, again = pdf_child.render(page, "pdf/ua-1", None)
    anew, _ = pdf_child.render(page, "pdf/ua-1", None)

    assert fast == plain == anew
    assert set(again) == set(warnings)
    assert len(shaped) - before < 2 * before * 0.7


class Stream:
    """Stand-in for a stream of a PDF."""

    def __init__(self):
        self._fonts, self.told, self.ink_rect = {}, [], "rectangle"

    def __getattr__(self, name):
        return lambda *given: self.told.append((name, *given))


def drawn_anew(stream, draw):
    """How often each of two drawings of a text by a function was made anew."""
    acts = []
    texts = pdf_texts.DrawnTexts(
        lambda *given: acts.append(1) or draw(*given),
        activate=lambda layout, style: None,
        look=lambda style: "look",
    )
    layout = SimpleNamespace(text="words", justification_spacing=0)
    box, counts = SimpleNamespace(pango_layout=layout, style={}), []
    for place in (1, 2):
        before = len(acts)
        texts(stream, box, "clip", "none", SimpleNamespace(values=(place,)))
        counts.append(len(acts) - before)
    return counts


def show(stream, _box, _overflow, _ellipsis, matrix):
    stream.set_text_matrix(*matrix.values)
    stream.show_text("<01>")
    return []


def test_a_text_is_shown_again_at_its_own_place():
    stream = Stream()

    assert drawn_anew(stream, show) == [1, 0]
    assert stream.told == [
        ("set_text_matrix", 1),
        ("show_text", "<01>"),
        ("set_text_matrix", 2),
        ("show_text", "<01>"),
    ]


@pytest.mark.parametrize(
    "draw",
    [
        lambda *given: [*show(*given), "emoji"],
        lambda stream, *rest: stream.set_other(1) or show(stream, *rest),
        lambda *given: [],
    ],
    ids=["with an emoji", "with something unknown", "with nothing to show"],
)
def test_a_text_that_is_more_than_what_is_shown_is_drawn_anew(draw):
    assert drawn_anew(Stream(), draw) == [1, 1]
