"""The HTML report in a real browser, without a network."""

import dataclasses
import html as markup
import json
import re
import shutil
import subprocess

import pytest
from PIL import Image

from ocrjury.report.html import render_html

OFFLINE = ["--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking"]
QUIET = ["--headless", "--disable-gpu", "--no-first-run", "--disable-component-update"]


# What reaches beyond the window, be it a box or the words of one; what lies in a box that scrolls
# by itself does not.
MEASURE = """
const width = document.documentElement.clientWidth, found = [];
const scrolled = e => {
  for (; e && e !== document.body; e = e.parentElement)
    if (getComputedStyle(e).overflowX !== "visible") return true;
  return false;
};
const out = r => r.width > 0 && (r.right > width + 1 || r.left < -1);
for (const e of document.querySelectorAll("body *"))
  if (out(e.getBoundingClientRect()) && !scrolled(e.parentElement))
    found.push(e.tagName + " " + e.textContent.trim().slice(0, 60));
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const range = document.createRange();
  range.selectNodeContents(words.currentNode);
  if ([...range.getClientRects()].some(out) && !scrolled(words.currentNode.parentElement))
    found.push(words.currentNode.data.trim().slice(0, 60));
}
const all = document.documentElement.scrollWidth;
parent.postMessage(JSON.stringify({width: innerWidth, all, found}), "*");
"""


@pytest.fixture
def browse(html, tmp_path):
    """Open the report with some options of the browser, and return what it printed."""

    def run(*options, content=html):
        page = tmp_path / "report.html"
        page.write_text(content, "utf-8")
        # Debian's chromium refuses its sandbox to root, as whom containers run.
        command = [shutil.which("chromium"), "--no-sandbox", *QUIET, *OFFLINE]
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        done = subprocess.run(
            [*command, profile, *options, page.as_uri()],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        return done.stdout

    return run


def test_the_page_says_in_a_browser_what_it_says_in_the_file(browse, report):
    shown = browse("--dump-dom")

    assert report.identity.title in shown
    assert "SIMULATED" in shown
    assert "<script>" not in shown


@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_is_drawn_on_a_desk_and_on_a_phone(browse, tmp_path, width):
    picture = tmp_path / "page.png"

    browse(f"--window-size={width},900", f"--screenshot={picture}")

    with Image.open(picture) as image:
        assert image.size == (width, 900)
        colors = image.convert("RGB").getcolors(maxcolors=1_000_000)
    # Paper, ink, and the colours of charts: an empty page has one.
    assert len(colors) > 50


@pytest.fixture
def measure(browse):
    """Return what of a page reaches beyond a window of some width."""

    def run(page, width):
        # A page may not run scripts; and a window may be wider than it was asked to be.
        free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
        measured = f'{free}<script>addEventListener("load", () => {{{MEASURE}}})</script>'
        frame = (
            f'<pre>nothing</pre><iframe style="width:{width}px" srcdoc="{markup.escape(measured)}">'
            '</iframe><script>addEventListener("message", event => '
            'document.querySelector("pre").textContent = event.data)</script>'
        )
        shown = browse("--virtual-time-budget=9000", "--dump-dom", content=frame)
        return json.loads(markup.unescape(re.search(r"<pre>(.*?)</pre>", shown, re.DOTALL)[1]))

    return run


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_reaches_beyond_the_window_of_a_phone(measure, html, width):
    found = measure(html, width)

    assert found["width"] == width
    assert found["found"] == []
    assert found["all"] <= width


def test_long_names_stay_in_the_window_too(measure, make, report):
    long = "x" * 90
    row = dataclasses.replace(report.items.rows[0], doc_id=long, doc_type=long)
    divided = dataclasses.replace(
        report.sections["differences"].divided[0], item=long, doc_type=long
    )
    page = render_html(
        make(
            identity=dataclasses.replace(report.identity, title=long, evaluation=long),
            items=dataclasses.replace(report.items, rows=(row,)),
            differences=dataclasses.replace(report.sections["differences"], divided=(divided,)),
            estimates=(
                dataclasses.replace(
                    report.estimates[0],
                    types=(dataclasses.replace(report.types[0], doc_type=long),),
                ),
            ),
            scores=dataclasses.replace(report.sections["scores"], signature=long * 3),
        )
    )

    found = measure(page, 390)

    assert found["found"] == []
    assert found["all"] <= 390
