"""Raters in real browsers whose server is killed: what their pages keep, and what is stored."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import sqlalchemy as sa
from playwright.sync_api import Page

from benchmarks.chromium import chromium, new_page
from benchmarks.rating_server import Server, serving
from benchmarks.rating_world import World, fields, new_world
from ocrjury.store.database import reading

TITLE = "The server is killed while browsers rate"
BROWSERS, EACH_BROWSER = 4, 100
KILLED = 3
SENT = "() => typeof queue === 'undefined' || queue.unsent() === 0"
"""Whether nothing waits in a page: at the end, or on a page without items."""
Chosen = dict[str, list[int]]
"""Levels by the item's name in the browser."""
STORED = """select work_name, value, rev, dimension from ratings
join assignments using (assignment) order by work_name"""


def queue_lines(folder: Path, *, each: int) -> Iterator[str]:
    """Yield the sentences on the page's own queue."""
    names = [f"R{number:02}" for number in range(1, BROWSERS + 1)]
    queues = {name: fields()[:each] for name in names}
    chosen: Chosen = {}
    ahead = 0
    with new_world(folder / "queue", queues) as world, ExitStack() as stack, chromium() as browser:
        server = stack.enter_context(serving(world))
        pages = [_entered(new_page(browser), server, world.codes[name]) for name in names]
        for number in range(each):
            for page in pages:
                _rate(page, number, last=number == each - 1, chosen=chosen)
            if number + 1 in [each * part // (KILLED + 1) for part in range(1, KILLED + 1)]:
                server, shown, kept = _killed(world, server, pages, stack=stack)
                ahead = max(ahead, shown - kept)
        for page in pages:
            page.wait_for_function(SENT)
        stored = _stored(world)
    lost = sum(item not in stored for item in chosen)
    other = sum(stored[item] != sorted(levels) for item, levels in chosen.items() if item in stored)
    yield f"\n## {TITLE}\n"
    yield (
        f"{BROWSERS} raters in Chromium, {each} items each, by keyboard without a pause: "
        f"{len(chosen)} submissions in the background. `kill -9` {KILLED} times; meanwhile "
        f"raters go on with the items that are there. Lost: {lost}; doubled or with other levels "
        f"than were chosen: {other}; shown as stored and not stored when the server died: {ahead}."
    )


def _entered(page: Page, server: Server, code: str) -> Page:
    """Page on the first item."""
    page.set_default_timeout(120_000)
    page.goto(f"http://127.0.0.1:{server.port}/enter#{code}")
    page.wait_for_url("**/rate")
    return page


def _rate(page: Page, number: int, *, last: bool, chosen: Chosen) -> None:
    """Choose levels and submit, once the next item is there."""
    page.wait_for_function("last => ahead.count() > 0 || last", arg=last)
    item = page.evaluate("() => document.body.dataset.item")
    levels = [1 + (number + place) % 5 for place in range(3)]
    for level in levels:
        page.keyboard.press(str(level))
    chosen[item] = levels
    page.keyboard.press("Enter")
    if page.locator("#problem").is_visible():  # asked whether a broken rule is meant
        page.keyboard.press("Enter")


def _killed(
    world: World, server: Server, pages: list[Page], *, stack: ExitStack
) -> tuple[Server, int, int]:
    """Kill the server and start another; how many items pages show as stored, and how many are."""
    for page in pages:
        page.evaluate("() => { queue.hurry(); }")
    os.kill(server.child.pid, signal.SIGKILL)
    server.child.wait(60)
    bars = [page.locator(".bar .progress b").inner_text() for page in pages]
    shown, kept = sum(int(bar.split()[0]) for bar in bars), len(_stored(world))
    return stack.enter_context(serving(world, port=server.port)), shown, kept


def _stored(world: World) -> Chosen:
    """Stored levels by the item's name in the browser, sorted."""
    found: Chosen = {}
    with reading(world.store.engine) as connection:
        for row in connection.execute(sa.text(STORED)):
            found.setdefault(row.work_name, []).append(int(row.value))
    return {item: sorted(levels) for item, levels in found.items()}
