"""Pages of a real browser that go from test to test, emptied in between: a new one costs most."""

import json
from contextlib import suppress
from itertools import chain

from playwright.sync_api import Error

SCREEN = {"width": 1366, "height": 850}
EMPTY = "() => { localStorage.clear(); sessionStorage.clear(); }"


class Pages:
    """Pages that no test uses now, by what their browsers can do."""

    def __init__(self, browser):
        self.browser, self.resting = browser, {}

    def take(self, *, viewport=SCREEN, **options):
        """An empty page in a window of some size."""
        kind = json.dumps(options, sort_keys=True)
        if waiting := self.resting.get(kind):
            page = waiting.pop()
            if page.viewport_size != viewport:
                page.set_viewport_size(viewport)
            return page
        page = self.open(viewport=viewport, **options)
        page.kind = kind
        return page

    def open(self, *, viewport=SCREEN, **options):
        """Open a page in a browser of its own; collect what goes wrong there."""
        # Without motion: no colour is measured on its way to another.
        options = {"viewport": viewport, "reduced_motion": "reduce", **options}
        page = self.browser.new_context(**options).new_page()
        page.set_default_timeout(60_000)
        page.kind = None
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on(
            "console", lambda said: page.wrong.append(said.text) if said.type == "error" else None
        )
        return page

    def watch(self, page):
        """Collect what it asks others for; to hear of every request takes a tenth of a test."""
        page.foreign = []
        page.watching = lambda sent: (
            None if sent.url.startswith(page.home) else page.foreign.append(sent.url)
        )
        page.on("request", page.watching)

    def give_back(self, page):
        """Empty a page for the next test; close one that has a window beside it or cannot be."""
        if hasattr(page, "watching"):
            page.remove_listener("request", page.watching)
            del page.watching, page.foreign
        with suppress(Error):
            if page.kind is not None and page.context.pages == [page]:
                page.unroute_all()
                page.context.set_offline(False)
                page.goto(f"{page.home}/health")  # of the same origin, and nothing runs there
                page.evaluate(EMPTY)
                page.context.clear_cookies()
                page.mouse.move(0, 0)
                self.resting.setdefault(page.kind, []).append(page)
                return
        page.context.close()

    def close(self):
        for page in chain(*self.resting.values()):
            page.context.close()
