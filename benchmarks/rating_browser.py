"""A rater in a real browser: the time from Enter until the next item is painted, and its bytes."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import CDPSession, Page, sync_playwright

from benchmarks.rating_server import percentile, serving
from benchmarks.rating_world import fields, new_world

ITEMS = 60
SLOW = {"latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000, "offline": False}
"""A bad connection: 400 ms until a first byte, 50 kB a second."""
WATCH = """() => {
  window.painted = [];
  addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const [start, before] = [performance.now(), document.body.dataset.visit];
    const look = () => requestAnimationFrame(() => {
      const picture = document.getElementById("picture");
      if (document.body.dataset.visit === before || !picture.complete) return look();
      // A message arrives once the frame is painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => painted.push(performance.now() - start);
      port2.postMessage(null);
    });
    look();
  }, { capture: true });
}"""


class Painted(NamedTuple):
    """Milliseconds until the next item was painted, kilobytes of an item, and the load before."""

    milliseconds: list[float]
    kilobytes: float
    load: float


def painted_lines(folder: Path) -> Iterator[str]:
    """Yield the table on what a rater sees after Enter."""
    yield "\n## From Enter to the next item\n"
    yield (
        f"Chromium, {ITEMS} items by keyboard: from the key until the next item, image included, "
        "is painted. Its page and image are there already; a slow connection answers after 400 ms "
        "with 50 kB a second. A submission waits two seconds for a change of mind.\n"
    )
    yield "| connection | seconds per item | load | p50 (ms) | p95 (ms) | goal | kB per item |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, seconds, goal in (("good", 1.0, 50), ("slow", 3.0, 100)):
        seen = _painted(folder / f"painted {name}", seconds=seconds, slow=name == "slow")
        times = [milliseconds / 1000 for milliseconds in seen.milliseconds]
        p95 = percentile(times, 95)
        yield (
            f"| {name} | {seconds:g} | {seen.load:.1f} | {percentile(times, 50):.0f} | {p95:.0f} "
            f"| {goal}, {'met' if p95 <= goal else 'missed'} | {seen.kilobytes:.0f} |"
        )


@contextmanager
def _browser_page() -> Iterator[Page]:
    """Yield an empty page of Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
        )
        yield browser.new_page(viewport={"width": 1366, "height": 850})
        browser.close()


def _painted(folder: Path, *, seconds: float, slow: bool) -> Painted:
    """Rate items by keyboard, each for so many seconds, on a good or a bad connection."""
    queue = fields()[: ITEMS + 5]
    load = os.getloadavg()[0]
    with (
        new_world(folder, {"R01": queue}) as world,
        serving(world) as server,
        _browser_page() as page,
    ):
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        page.goto(f"http://127.0.0.1:{server.port}/enter#{world.codes['R01']}")
        page.wait_for_url("**/rate")
        page.wait_for_function("() => ahead.count() > 0")
        if slow:
            wire.send("Network.emulateNetworkConditions", SLOW)
        received = _count_bytes(wire)
        page.evaluate(WATCH)
        for _ in range(ITEMS):
            _rate(page, len(world.dimensions), seconds)
        page.wait_for_function("count => painted.length === count", arg=ITEMS)
        times: list[float] = page.evaluate("() => painted")
    return Painted(times, sum(received) / ITEMS / 1000, load)


def _count_bytes(wire: CDPSession) -> list[int]:
    """Sizes of all answers from now on."""
    received: list[int] = []
    wire.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    return received


def _rate(page: Page, dimensions: int, seconds: float) -> None:
    """Press a digit for every dimension, and Enter, within some seconds."""
    for number in range(dimensions):
        page.wait_for_timeout(1000 * seconds / dimensions)
        page.keyboard.press(str(1 + (number + int(time.monotonic())) % 5))
    page.keyboard.press("Enter")
