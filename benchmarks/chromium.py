"""Pages of a real browser, for benchmarks."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

SCREEN = {"width": 1366, "height": 850}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser without windows."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
        )
        yield browser
        browser.close()


def new_page(browser: Browser) -> Page:
    """Empty page with cookies and a store of its own."""
    return browser.new_context(viewport=SCREEN).new_page()  # type: ignore[arg-type]  # a size
