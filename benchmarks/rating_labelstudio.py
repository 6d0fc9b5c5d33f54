"""Label Studio with fields of the example, as ocrjury's frontend for it publishes them."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import httpx
from playwright.sync_api import Page

from benchmarks.chromium import chromium, new_page
from benchmarks.rating_server import free_port, wait_until
from benchmarks.rating_world import EXAMPLE, Field, new_world
from ocrjury.campaign.config import read_campaign
from ocrjury.frontends.ingest import OpenRound
from ocrjury.frontends.labelstudio import LabelStudioFrontend
from ocrjury.frontends.labelstudio.privacy import PRIVACY
from ocrjury.frontends.labelstudio.rater_projects import plan_projects
from ocrjury.frontends.labelstudio.server import Server

WHO, PASSWORD, TOKEN = "lead@example.org", "a-password-for-benchmarks-1", "01234567" * 5
STARTS_WITHIN = 600.0
"""Seconds; the first start on two processors writes its database for minutes."""
Pages = Callable[[list[Field]], AbstractContextManager[Page]]


@contextmanager
def label_studio_pages(folder: Path, program: Path) -> Iterator[Pages]:
    """Yield a function that shows the first of some fields on the page of a running server."""
    folder.mkdir(parents=True)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [
        *(str(program.absolute()), "start", "--no-browser", "--data-dir", str(folder)),
        *("--internal-host", "127.0.0.1", "--port", str(port)),
        *("--username", WHO, "--password", PASSWORD, "--user-token", TOKEN),
    ]
    environment = {
        **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
        **{name: value for name, (value, _) in PRIVACY.items()},
        "HOME": str(folder),
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
    }
    with (folder / "log").open("wb") as log:
        child = subprocess.Popen(  # noqa: S603  # a program of the installation
            command, stdout=log, stderr=log, env=environment, start_new_session=True
        )
    try:
        wait_until(partial(_answers, address), (), seconds=STARTS_WITHIN)
        yield partial(_first_page, address)
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait(60)


def _answers(address: str) -> bool:
    """Whether the server answers."""
    try:
        return httpx.get(f"{address}/api/version", timeout=5.0).is_success
    except httpx.HTTPError:
        return False


@contextmanager
def _first_page(address: str, queue: list[Field]) -> Iterator[Page]:
    """Yield a page of Chromium that shows the first field of a project of its own."""
    project = _publish(address, queue)
    with chromium() as browser:
        page = new_page(browser)
        page.set_default_timeout(120_000)
        page.goto(f"{address}/user/login/")
        page.fill("input[name=email]", WHO)
        page.fill("input[name=password]", PASSWORD)
        page.click("button[type=submit]")
        page.wait_for_url(lambda url: "login" not in url)
        page.goto(f"{project}data?labeling=1")
        page.get_by_text(queue[0]["hypothesis"]).first.wait_for()
        page.wait_for_timeout(3000)
        page.keyboard.press("Escape")  # the instruction
        yield page


def _publish(address: str, queue: list[Field]) -> str:
    """Make a project of some fields; return its address."""
    campaign = read_campaign(EXAMPLE / "campaign.yaml")
    with (
        tempfile.TemporaryDirectory() as folder,
        new_world(Path(folder), {"R01": queue}) as world,
        Server(address, TOKEN) as server,
    ):
        round_ = OpenRound(world.store, world.evaluation, 1, world.dimensions, campaign.rubric)
        [project] = plan_projects(round_, {})
        return LabelStudioFrontend(campaign, server).publish_project(round_, project).address
