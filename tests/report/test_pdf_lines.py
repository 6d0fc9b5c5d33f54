import subprocess
import sys
from collections import defaultdict
from types import SimpleNamespace

import pytest
from weasyprint.pdf import fonts

from ocrjury.report import pdf_child, pdf_lines
from ocrjury.report.pdf_page import ShortenedPage

PAGE = """<html lang="ko"><title>t</title><style>
html { font: 9pt "Noto Sans CJK KR"; overflow-wrap: break-word } table { width: 60mm }
.number { white-space: nowrap } .narrow { width: 22mm } .just { text-align: justify; width: 30mm }
</style><table>
<tr><td>보험 청구 서류 and some words<td class="number">0.31 to 0.45<td>0.31
<tr><td>보험 청구 서류 and some words<td class="number">0.31 to 0.45<td>unbrokenunbrokenunbroken
</table><p class="narrow">One line breaks, one does not; hyphen\u00adation too.</p>
<p class="just">One line breaks, one does not; hyphen\u00adation too.</p><p>One line breaks.</p>
<svg viewBox="0 0 90 20" width="90" height="20" font-family="Noto Sans CJK KR">
<text x="1" y="9" font-size="9">1.10</text><text x="40" y="9" font-size="9">1.10</text>
<text x="1" y="18" font-size="9" font-weight="700">1.10</text></svg>"""


class Layout:
    """Stand-in for a layout of Pango."""


@pytest.fixture
def measured(monkeypatch):
    """Lines of a typewriter: a letter is one wide, a line may end anywhere."""
    calls = []

    def split(text, style, context, max_width, *rest):
        calls.append((text, max_width))
        fits = max_width is None or len(text) <= max_width
        length = len(text) if fits else max_width
        return Layout(), length, None if fits else length, length, 1, 1

    monkeypatch.setattr(pdf_lines, "line_break", SimpleNamespace(Layout=Layout))
    return SimpleNamespace(lines=pdf_lines.MeasuredLines(split), calls=calls)


def styled(**properties):
    return defaultdict(str, {"white_space": "normal", **properties})


def test_a_line_is_measured_once_for_all_styles_of_one_look(measured):
    measured.lines("words", styled(color="red"), None, None, 0)
    measured.lines("words", styled(color="blue"), None, None, 0)

    assert measured.calls == [("words", None)]


def test_a_line_is_measured_once_for_every_room_that_it_fits_in(measured):
    style = styled()

    widths = [measured.lines("words", style, None, room, 0)[3] for room in (None, 9, 5, None)]

    assert widths == [5, 5, 5, 5]
    assert measured.calls == [("words", None)]


def test_a_line_that_does_not_fit_is_broken_for_its_room(measured):
    style = styled()

    ends = [measured.lines("words", style, None, room, 0)[2] for room in (None, 4, 3, 4)]

    assert ends == [None, 4, 3, 4]
    assert measured.calls == [("words", None), ("words", 4), ("words", 3)]


def test_another_style_or_a_long_text_is_measured_anew(measured):
    one, other, long = styled(), styled(font_size=9), "x" * 201

    for text, style in (("a", one), ("a", other), (long, one), (long, one)):
        measured.lines(text, style, None, None, 0)

    assert [text for text, _ in measured.calls] == ["a", "a", long, long]


def test_without_room_a_word_is_measured_once_whatever_comes_after_it(measured):
    style = styled(font_size=9)

    ends = [measured.lines(text, style, None, 0, 0)[2] for text in ("same words", "same wishes")]

    assert ends == [0, 0]
    assert measured.calls == [("same w", 0)]


def test_whoever_draws_a_line_has_a_layout_of_their_own(measured):
    style = styled(white_space="nowrap")

    first, second = (measured.lines("words", style, None, room, 0)[0] for room in (3, 7))
    first.justification_spacing = 2

    assert second.max_width == 7
    assert not hasattr(second, "justification_spacing")


def test_remembered_lines_leave_every_byte_of_a_pdf_as_it_was(monkeypatch):
    modules = [pdf_lines.line_break, pdf_lines.inline, pdf_lines.preferred]
    page, split, count = ShortenedPage(PAGE), pdf_lines.line_break.split_first_line, []

    def counting(*given, **named):
        count.append(given)
        return split(*given, **named)

    for module in modules:
        monkeypatch.setattr(module, "split_first_line", counting)
    key = pdf_lines.line_break._font_style_cache_key
    monkeypatch.setattr(pdf_lines.line_break, "_font_style_cache_key", key)
    set_up, setup = [], pdf_lines.line_break.Layout.setup
    monkeypatch.setattr(
        pdf_lines.line_break.Layout, "setup", lambda *of: set_up.append(of) or setup(*of)
    )
    plain, before = pdf_child.whole_pdf(page, "pdf/ua-1"), len(count)
    layouts = len(set_up)
    pdf_lines.remember_lines()
    fast = pdf_child.whole_pdf(page, "pdf/ua-1")

    assert fast == plain
    assert len(count) - before < before * 0.7
    assert len(set_up) - layouts < layouts * 0.3


def test_no_garbage_is_looked_for_while_a_pdf_is_made_and_its_process_ends():
    command = (
        "import gc, sys; gc.callbacks.append(lambda phase, info: 'weasyprint' in sys.modules"
        " and print(phase, file=sys.stderr)); from ocrjury.report.pdf_child import main; main();"
    )
    order = b'{"variant": "pdf/ua-1", "dated": "2026-11-20T09:00:00+00:00", "attachments": {}}\n'

    made = subprocess.run(
        [sys.executable, "-c", command],
        input=order + b"<html lang=en><title>t</title><p>x",
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert made.stdout.startswith(b"%PDF-")
    assert made.stderr == b""


def test_no_program_is_started_to_find_a_library_and_no_rare_module_imported():
    command = (
        "import sys; sys.addaudithook(lambda event, given: event == 'subprocess.Popen'"
        " and print(given[1])); import ocrjury.report.pdf_child;"
        " rare = {'fontTools.subset', 'fontTools.varLib', 'fontTools.ttLib.woff2'};"
        " print(*rare & set(sys.modules), sep='', end='')"
    )

    said = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, check=True, timeout=60
    )

    assert said.stdout == b""


def test_a_rare_module_is_imported_when_it_is_called():
    assert type(fonts.subset.Options()).__module__ == "fontTools.subset"
    with pytest.raises(AttributeError, match="Nothing"):
        fonts.subset.Nothing()
