"""Practice, adjudication and panels in a real browser: from Enter until what follows is painted."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

from benchmarks.chromium import chromium, new_page
from benchmarks.rating_browser import GOAL, SLOW, WATCH, load_now, p50_and_p95
from benchmarks.rating_server import serving
from benchmarks.rating_world import (
    Field,
    World,
    campaign_of,
    fields,
    new_links,
    new_world,
    plan_of,
    rate,
)
from ocrjury.campaign.history import RoundKind
from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.database import writing
from ocrjury.store.documents import GoldRow, add_gold
from ocrjury.store.raters import keep_raters
from ocrjury.store.rounds import NewAssignment, close_round, open_round

TITLE = "Practice, adjudication and panels: from Enter to what follows"
EACH, EACH_SLOW = 16, 6
NEXT = "the next item"
SHOWN = """window.shown = () => {
  const picture = document.getElementById("picture");
  return picture?.complete && document.querySelector("main");
}"""
"""What is shown once its image is there: practice and adjudication show an item twice."""


class Step(NamedTuple):
    """What Enter leads to, and the keys before it."""

    to: str
    keys: tuple[str, ...]


class Kind(NamedTuple):
    """A kind of round, who rates in it, and the steps of an item."""

    round: RoundKind
    title: str
    who: str
    steps: Sequence[Step]


LOWEST = ("1", "1", "1")
KINDS = (
    Kind("pilot", "practice", "R01", (Step("what was expected", LOWEST), Step(NEXT, ()))),
    Kind(
        "adjudication",
        "adjudication",
        "A01",
        (Step("the raters' levels", LOWEST), Step(NEXT, ("1",))),
    ),
    Kind("panel", "panel", "E01", (Step(NEXT, LOWEST),)),
)


def kind_lines(folder: Path, *, items: int, slow_items: int) -> Iterator[str]:
    """Yield the table on rounds that show something before the next item, and on votes."""
    yield f"\n## {TITLE}\n"
    yield (
        f"As above, {items} items, {slow_items} over the slow connection, measured twice. What was "
        "expected and what raters said leave the server only once the own answer is stored, so "
        "that they wait for it and have no goal; the next item is there already. The goals are "
        "those of an idle machine; the load is that of other programs.\n"
    )
    yield "| page | from Enter to | connection | run | load | p50 (ms) | p95 | goal |"
    yield "|---|---|---|--:|--:|--:|--:|--:|"
    for kind in KINDS:
        for connection, count, goal in (("good", items, GOAL), ("slow", slow_items, 2 * GOAL)):
            for run in (1, 2):
                place = folder / f"{kind.round} {connection} {run}"
                load, times = _painted(place, kind, items=count, slow=connection == "slow")
                for number, step in enumerate(kind.steps):
                    p50, p95 = p50_and_p95(times[number :: len(kind.steps)])
                    met = f"{goal}, {'met' if p95 <= goal else 'missed'}" if step.to == NEXT else ""
                    yield (
                        f"| {kind.title} | {step.to} | {connection} | {run} | {load:.1f} "
                        f"| {p50:.0f} | {p95:.0f} | {met} |"
                    )


def _painted(folder: Path, kind: Kind, *, items: int, slow: bool) -> tuple[float, list[float]]:
    """Load before, and milliseconds of every step of every item but the last step."""
    with (
        _world(folder, kind, fields()[: items + 5]) as (world, code),
        serving(world) as server,
        chromium() as browser,
    ):
        page = new_page(browser)
        page.goto(f"http://127.0.0.1:{server.port}/enter#{code}")
        page.wait_for_url("**/rate")
        page.wait_for_function("() => ahead.count() > 0")
        if slow:
            wire = page.context.new_cdp_session(page)
            wire.send("Network.enable")
            wire.send("Network.emulateNetworkConditions", SLOW)
        page.evaluate(f"{SHOWN}; {WATCH}")
        load = load_now()
        for number in range(items * len(kind.steps)):
            _step(page, kind.steps[number % len(kind.steps)], number, pause=500 if slow else 250)
        times: list[float] = page.evaluate("() => painted")
        return load, times


def _step(page: Page, step: Step, number: int, *, pause: int) -> None:
    """Choose and press Enter; return once what follows is painted."""
    for key in step.keys or ("",):
        page.wait_for_timeout(pause)
        if key:
            page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_function("count => painted.length >= count", arg=number + 1)


@contextmanager
def _world(folder: Path, kind: Kind, lines: Sequence[Field]) -> Iterator[tuple[World, str]]:
    """Yield an open round of a kind on some items, and the code of who rates in it."""
    now = datetime.now(UTC)
    items = [line["doc_id"] for line in lines]
    with new_world(folder, {"R01": lines, "R02": lines}) as world:
        for rater, level in (("R01", 1.0), ("R02", 5.0)):
            rate(world, rater, dict.fromkeys(items, (level,) * len(world.dimensions)))
        known = [
            GoldRow(item, name, 2.0, "", "file") for item in items for name in world.dimensions
        ]
        asks = [NewAssignment(item, kind.who, place) for place, item in enumerate(items, start=1)]
        plan = plan_of(kind.round, asks, campaign=campaign_of(world))
        with writing(world.store.engine) as connection:
            keep_raters(connection, [RaterEntry("E01", role="expert")])
            add_gold(connection, world.evaluation, known)
            close_round(connection, world.evaluation, by="complete", now=now)
            open_round(connection, world.evaluation, plan, now=now)
        yield world, new_links(world.store, world.evaluation, [kind.who])[kind.who]
