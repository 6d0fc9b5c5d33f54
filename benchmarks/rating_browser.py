"""A rater in a real browser: the time from Enter until the next item is painted, and its bytes."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import CDPSession, Page

from benchmarks.chromium import chromium, new_page
from benchmarks.rating_labelstudio import label_studio_pages
from benchmarks.rating_server import percentile, serving
from benchmarks.rating_world import fields, new_world

TITLE = "From Enter to the next item"
ALONE = f"{TITLE}, twice"
"""Without Label Studio: its rows stay under the other title, as they were measured."""
ITEMS = 60
SHARE_SLOW = 3
GOAL = 50
"""Milliseconds, on a good connection; twice as many on a slow one."""
SLOW = {"latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000, "offline": False}
"""A bad connection: 400 ms until a first byte, 50 kB a second."""


class Keys(NamedTuple):
    """Keys of a page: the lowest level of every dimension, and the one that submits.

    The lowest breaks no field rule, about which our page would ask.
    """

    levels: tuple[str, ...]
    submit: str


OCRJURY = Keys(("1", "1", "1"), "Enter")
LABEL_STUDIO = Keys(("1", "q", "a"), "Control+Enter")
SHOWN = {
    OCRJURY: """window.shown = () => {
      const picture = document.getElementById("picture");
      return picture.complete && document.body.dataset.visit;
    }""",
    LABEL_STUDIO: """window.shown = () => {
      const all = [...document.images].filter((one) => one.src.startsWith("blob:"));
      const texts = [...document.querySelectorAll(".ocrjury-text")].map((one) => one.innerText);
      const there = all.length === 1 && all[0].complete && all[0].naturalWidth > 0;
      return there && texts.length === 3 && texts.every(Boolean) && texts.join() + all[0].src;
    }""",
}
"""What is shown once its image is there, else false."""
WATCH = """window.painted = [];
  addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const [start, before] = [performance.now(), window.shown()];
    const look = () => requestAnimationFrame(() => {
      const now = window.shown();
      if (!now || now === before) return look();
      // A message arrives once the frame is painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => painted.push(performance.now() - start);
      port2.postMessage(null);
    });
    look();
  }, { capture: true });"""


class Painted(NamedTuple):
    """Milliseconds until the next item was painted, kilobytes of an item, and the load before."""

    milliseconds: list[float]
    kilobytes: float
    load: float


def painted_lines(folder: Path, *, items: int, label_studio: Path | None) -> Iterator[str]:
    """Yield the table on what a rater sees after Enter, beside Label Studio if it is here."""
    few = items // SHARE_SLOW
    yield f"\n## {TITLE if label_studio else ALONE}\n"
    yield (
        f"Chromium, {items} items ({few} over the slow connection) by keyboard: from the key until "
        "the next item, image included, is painted. On our page it is there already, and a "
        "submission waits two seconds for a change of mind; a slow connection answers after 400 ms "
        "with 50 kB a second."
    )
    yield _beside(label_studio)
    yield "| page | connection | seconds per item | load | p50 (ms) | p95 | goal | kB per item |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    with ExitStack() as stack:
        theirs = None
        if label_studio is not None:
            theirs = stack.enter_context(label_studio_pages(folder / "labelstudio", label_studio))
        for name, count, seconds, goal, run in (
            (*connection, run)
            for connection in (("good", items, 1.0, GOAL), ("slow", few, 3.0, 2 * GOAL))
            for run in ((1,) if theirs else (1, 2))
        ):
            slow = name == "slow"
            place = folder / f"painted {name} {run}"
            seen = _painted(place, items=count, seconds=seconds, slow=slow)
            p95 = p50_and_p95(seen.milliseconds)[1]
            met = f"{goal}, {'met' if p95 <= goal else 'missed'}"
            yield _row("ocrjury", name, seconds, goal=met, seen=seen)
            if theirs is not None:
                with theirs(fields()[: count + 5]) as page:
                    beside = _at_work(page, LABEL_STUDIO, items=count, seconds=seconds, slow=slow)
                yield _row("Label Studio", name, seconds, goal="", seen=beside)


def _beside(label_studio: Path | None) -> str:
    """Sentence on Label Studio."""
    if label_studio is None:
        return (
            "Every row was measured twice. Label Studio was not there to be measured beside it: "
            "what stands beside its rows is of an earlier run.\n"
        )
    return (
        "Label Studio 1.23 has the same fields in the same order, as our frontend for it publishes "
        "them: digits and letters choose, Ctrl+Enter submits, and its server is on this machine "
        "too. The load is that of other programs, so the ratio of two rows counts.\n"
    )


def p50_and_p95(milliseconds: list[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    seconds = [duration / 1000 for duration in milliseconds]
    return percentile(seconds, 50), percentile(seconds, 95)


def load_now() -> float:
    """Number of processes that want a processor."""
    return os.getloadavg()[0]


def _row(page: str, connection: str, seconds: float, *, goal: str, seen: Painted) -> str:
    """Row of the table."""
    p50, p95 = p50_and_p95(seen.milliseconds)
    return (
        f"| {page} | {connection} | {seconds:g} | {seen.load:.1f} | {p50:.0f} | {p95:.0f} "
        f"| {goal} | {seen.kilobytes:.0f} |"
    )


def _painted(folder: Path, *, items: int, seconds: float, slow: bool) -> Painted:
    """Rate items by keyboard on our page, each for so many seconds."""
    queue = fields()[: items + 5]
    with (
        new_world(folder, {"R01": queue}) as world,
        serving(world) as server,
        chromium() as browser,
    ):
        page = new_page(browser)
        page.goto(f"http://127.0.0.1:{server.port}/enter#{world.codes['R01']}")
        page.wait_for_url("**/rate")
        page.wait_for_function("() => ahead.count() > 0")
        return _at_work(page, OCRJURY, items=items, seconds=seconds, slow=slow)


def _at_work(page: Page, keys: Keys, *, items: int, seconds: float, slow: bool) -> Painted:
    """Rate items on a page that shows the first."""
    load = load_now()
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    if slow:
        wire.send("Network.emulateNetworkConditions", SLOW)
    received = _count_bytes(wire)
    page.evaluate(f"{SHOWN[keys]}; {WATCH}")
    for number in range(items):
        for choice in keys.levels:
            page.wait_for_timeout(1000 * seconds / len(keys.levels))
            page.keyboard.press(choice)
        page.keyboard.press(keys.submit)
        page.wait_for_function("count => painted.length >= count", arg=number + 1)
    times: list[float] = page.evaluate("() => painted")
    return Painted(times, sum(received) / items / 1000, load)


def _count_bytes(wire: CDPSession) -> list[int]:
    """Sizes of all answers from now on."""
    received: list[int] = []
    wire.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    return received
