"""The HTML report in a real browser, without a network."""

import shutil
import subprocess

import pytest
from PIL import Image

OFFLINE = ["--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking"]
QUIET = ["--headless", "--disable-gpu", "--no-first-run", "--disable-component-update"]


@pytest.fixture
def browse(html, tmp_path):
    """Open the report with some options of the browser, and return what it printed."""
    page = tmp_path / "report.html"
    page.write_text(html, "utf-8")

    def run(*options):
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
