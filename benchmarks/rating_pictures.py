"""Pictures of the rating page and the desk for their guides, taken in Chromium from a real server.

Needs Debian's chromium-headless-shell and fonts-noto-cjk. Run as
``.venv/bin/python -m benchmarks.rating_pictures``; writes ``docs/pictures``.
"""

import io
import os
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.rating_server import Server, serving
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
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.progress import keep_progress
from ocrjury.store.database import writing
from ocrjury.store.links import add_desk_link
from ocrjury.store.remarks import add_comment
from ocrjury.store.rounds import NewAssignment, change_round, close_round, open_round

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
AMOUNT, ADDRESS = "kr-005/claim", "kr-018/address"
LARGE, PHONE = (1280, 800), (390, 844)
COLOURS = 256
READ_BETTER = "서울특별시 가온구 한빚로 44(9동)"
SAID = "The building is lost: a letter would not arrive."


def main() -> None:
    """Take every picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"]
        )
        pictures_of_page(browser)
        pictures_of_pair(browser)
        pictures_of_desk(browser)
        browser.close()


def pictures_of_page(browser: Browser) -> None:
    """Take what raters see."""
    by_name = {line["doc_id"]: line for line in fields()}
    queue = [by_name[name] for name in (AMOUNT, ADDRESS)]
    filler = [line for line in by_name.values() if line not in queue][::70]
    queues = {
        "R01": [*queue, *filler],
        "R02": [by_name[ADDRESS], *filler],
        "R03": [by_name[AMOUNT], *filler],
    }
    with served(queues) as (world, server):
        for rater, number in (("R01", 9), ("R02", 14), ("R03", 6)):
            rate(world, rater, {line["doc_id"]: (5.0, 5.0, 5.0) for line in filler[:number]})
        main_round(browser, server, world)
        adjudication(browser, server, world, disputed=by_name[ADDRESS])


def pictures_of_pair(browser: Browser) -> None:
    """Take two systems' outputs of one place side by side, half rated."""
    line = next(field for field in fields() if field["doc_id"] == ADDRESS)
    second = {**line, "doc_id": f"{ADDRESS}/2", "system": "other", "hypothesis": READ_BETTER}
    page = {"systems": "side_by_side", "preference": True}
    with served({"R01": [line, second]}, page=page) as (world, server):
        shown = entered(browser, server, world.codes["R01"])
        press(shown, "2", "4")
        shoot(shown, "rating-pair")
        shown.context.close()


def pictures_of_desk(browser: Browser) -> None:
    """Take what a lead sees while three raters work, one of them with another idea of layout.

    Two of them have each field, so that a next round could ask the third.
    """
    lines, rng = fields()[::20], random.Random(1)
    queues = {
        f"R0{number}": [line for place, line in enumerate(lines) if place % 3 != number - 1]
        for number in (1, 2, 3)
    }
    with served(queues) as (world, server):
        now = datetime.now(UTC)
        begun, end = now - timedelta(days=5), now + timedelta(days=1)
        with writing(world.store.engine) as connection:
            change_round(connection, world.evaluation, opened_at=begun, deadline=end)
        os.environ |= {"OCRJURY_HOME": str(world.home), "OCRJURY_DATABASE_URL": world.url}
        for day in range(10):
            for rater, share in (("R01", 1.0), ("R02", 0.8), ("R03", 0.6)):
                queue = queues[rater]
                from_, to = (round(share * len(queue) * (day + more) / 10) for more in (0, 1))
                given = {line["doc_id"]: levels(line, rater, rng) for line in queue[from_:to]}
                rate(world, rater, given, at=begun + timedelta(hours=11 * (day + 1)))
            with at_work() as work:
                keep_progress(work.case(world.evaluation))
        with writing(world.store.engine) as connection:
            code = add_desk_link(connection, "J. Kim", now=now, expires_at=now + timedelta(days=1))
        page = browser.new_context(viewport={"width": 1280, "height": 1450}).new_page()
        page.goto(f"http://127.0.0.1:{server.port}/desk/enter#{code}")
        page.wait_for_url("**/desk")
        for name, path in (("desk", ""), ("desk-items", "/items")):
            page.goto(f"http://127.0.0.1:{server.port}/desk/{world.evaluation}{path}")
            if path == "/items":
                page.set_viewport_size({"width": 1280, "height": 900})
            shoot(page, name)
        page.context.close()


def levels(line: Field, rater: str, rng: random.Random) -> tuple[float, ...]:
    """Plausible ratings of a field."""
    wrong = len(set(line["reference"]) ^ set(line["hypothesis"]))
    right = max(5 - wrong, 1)
    near = [min(max(right + rng.choice((0, 0, 0, 0, -1)), 1), 5) for _ in range(3)]
    layout = rng.randint(1, 5) if rater == "R03" else near[1]
    return float(near[0]), float(layout), float(near[2])


@contextmanager
def served(
    queues: Mapping[str, Sequence[Field]], *, page: Mapping[str, Any] | None = None
) -> Iterator[tuple[World, Server]]:
    """Yield a round of some raters, and the server at which they work."""
    with (
        tempfile.TemporaryDirectory(prefix="ocrjury-pictures-") as folder,
        new_world(Path(folder), queues, page=page) as world,
        serving(world) as server,
    ):
        yield world, server


def main_round(browser: Browser, server: Server, world: World) -> None:
    """Take the item of a rater on a desk, on a telephone, and in the dark in Korean."""
    page = entered(browser, server, world.codes["R01"])
    press(page, "4")
    shoot(page, "rating-desktop")
    page.context.close()

    page = entered(browser, server, world.codes["R03"], size=PHONE, phone=True)
    page.locator(".dimension").first.locator(".level").nth(3).tap()
    page.get_by_text("Saved").wait_for()
    page.evaluate("scrollTo(0, 0)")
    shoot(page, "rating-phone")
    page.context.close()

    page = entered(browser, server, world.codes["R02"], language="ko", scheme="dark")
    press(page, "2")
    shoot(page, "rating-dark")
    page.context.close()


def adjudication(browser: Browser, server: Server, world: World, *, disputed: Field) -> None:
    """Take an item on which two raters differ, after the own judgement of who settles it."""
    item, campaign, now = disputed["doc_id"], campaign_of(world), datetime.now(UTC)
    rate(world, "R01", {item: (4.0, 5.0, 4.0)})
    rate(world, "R02", {item: (2.0, 5.0, 3.0)})
    with writing(world.store.engine) as connection:
        add_comment(connection, f"{world.evaluation}/1/R02/0/{item}", SAID, now=now)
        close_round(connection, world.evaluation, by="complete", now=now)
        asks = [NewAssignment(item, "A01", 1)]
        plan = plan_of("adjudication", asks, campaign=campaign)
        open_round(connection, world.evaluation, plan, now=now)
    code = new_links(world.store, world.evaluation, ["A01"])["A01"]
    page = entered(browser, server, code)
    press(page, "2", "5", "3")
    page.keyboard.press("Enter")
    page.locator(".others").wait_for()
    shoot(page, "rating-adjudication")
    page.context.close()


def entered(
    browser: Browser,
    server: Server,
    code: str,
    *,
    size: tuple[int, int] = LARGE,
    phone: bool = False,
    language: str = "en",
    scheme: str = "light",
) -> Page:
    """First page that a link opens, once its image is loaded."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=2 if phone else 1,
        is_mobile=phone,
        has_touch=phone,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    address = f"http://127.0.0.1:{server.port}"
    page = context.new_page()
    page.goto(f"{address}/enter")
    if language != "en":
        context.add_cookies([{"name": "ocrjury-language", "value": language, "url": address}])
    page.goto(f"{address}/enter#{code}")
    page.wait_for_url("**/rate")
    return page


def press(page: Page, *keys: str) -> None:
    """Press keys as a rater does, and wait until what they chose is saved."""
    for key in keys:
        page.keyboard.press(key)
    page.get_by_text("Saved").or_(page.get_by_text("저장")).first.wait_for()


def shoot(page: Page, name: str) -> None:
    """Keep what the window shows, in few colours."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(800)
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    # The median of all pixels would drop a colour that stands in a dot of a legend only.
    covering = Image.Quantize.MAXCOVERAGE
    few = taken.quantize(COLOURS, method=covering, dither=Image.Dither.NONE, kmeans=1)
    path = FOLDER / f"{name}.png"
    few.save(path, optimize=True)
    print(f"{path}  {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
