"""In an empty folder with nothing but the wheel, every promise of the first page holds."""

import ast
import json
import re
import signal
import socket
import subprocess
import sys
import time
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import httpx
import pytest

from tests.deployments.services import STARTED, command_of
from tests.report.printed_pages import empty_shares, faults, printed_pages

RATINGS = "item,rater,rating\n" + "".join(
    f"d{item},{rater},{1 + (item + (item % 7 == 0 and rater == 'R2')) % 5}\n"
    for item in range(60)
    for rater in ("R1", "R2", "R3")
)


@pytest.fixture(scope="module")
def ratings(installed):
    path = installed.folder / "ratings.csv"
    path.write_text(RATINGS, "utf-8")
    return path


@pytest.fixture(scope="module")
def demo(installed):
    """The whole chain on the bundled pool, once."""
    return installed.run("demo")


@pytest.fixture(scope="module")
def run_process(installed):
    """What a fresh process has that loaded a flow, as the process of every run does."""
    code = (
        "import json, sys, ocrjury, ocrjury.flows.advance_evaluation as flow;"
        "print(json.dumps([[ocrjury.__file__, flow.__file__], [*sys.modules]]))"
    )
    done = subprocess.run(
        [installed.python, "-c", code],
        cwd=installed.folder,
        env=installed.environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return json.loads(done.stdout)


def test_the_package_is_the_wheel_and_no_clone(installed, run_process):
    paths, _ = run_process

    where = str(installed.python.parents[1])
    assert all(path.startswith(where) for path in paths)


def test_a_run_loads_no_spreadsheets_and_no_optimizer_before_it_needs_them(run_process):
    _, modules = run_process

    assert "pandas" in modules
    assert {"openpyxl", "scipy.optimize"} & set(modules) == set()


def test_the_files_for_servers_come_with_it(installed):
    folder = installed.package / "deployments"

    for name in ("Dockerfile", "compose.yaml", "systemd/ocrjury.service"):
        assert (folder / name).is_file()
    assert (folder / "kubernetes" / "job-template.json").is_file()
    assert not list(folder.rglob("secrets"))


def test_the_demo_leaves_a_report(installed, demo):
    assert demo.returncode == 0, demo.stderr
    pdf, html = (installed.folder / "out" / f"report.{kind}" for kind in ("pdf", "html"))
    pages = printed_pages(pdf)
    assert len(pages) == 15
    assert max(empty_shares(pages)) <= 1 / 3
    assert faults(pages) == []
    assert "simulated" in html.read_text("utf-8").lower()
    assert html.stat().st_size < 5_000_000  # to be mailed
    assert "report.pdf" in demo.stdout
    assert re.search(r"^agreement +(PASS|FAIL|INCONCLUSIVE)$", demo.stdout, re.MULTILINE)
    assert "`ocrjury up`" in demo.stdout
    assert "`ocrjury up --password`" in demo.stdout
    readme = Path(__file__).parents[2].joinpath("README.md").read_text("utf-8")
    sizes = re.findall(r"^out/report.*MB\)$", readme, re.MULTILINE)
    assert len(sizes) == 2
    assert set(sizes) <= set(demo.stdout.splitlines())
    [mean] = re.findall(r"^Mean rating .+  (\S+ \(\S+ to \S+\))$", demo.stdout, re.MULTILINE)
    value, low, high = re.findall(r"[\d.]+", mean)
    assert mean in readme
    assert f"{value} (95 % interval {low} to {high})" in readme


def test_the_server_of_the_demo_ends_with_it(installed, demo):
    assert demo.returncode == 0, demo.stderr
    log = installed.folder / ".ocrjury" / "logs" / "brief-server.log"
    [port] = re.findall(r"PREFECT_API_URL=http://127.0.0.1:(\d+)/api", log.read_text("utf-8"))

    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(port))) != 0


def test_scores_need_no_campaign(installed):
    for folder, text in (("truth", "claim 1024"), ("ocr", "claim 1O24")):
        (installed.folder / folder).mkdir()
        (installed.folder / folder / "a.txt").write_text(text, "utf-8")

    answer = installed.run("score", "truth", "ocr")

    assert answer.returncode == 0, answer.stderr
    assert "1 edit of 10 characters" in answer.stdout


def test_agreement_ends_with_the_verdict(installed, ratings):
    answer = installed.run("agreement", ratings, "--scale", "likert:1:5")

    assert answer.returncode == 0, answer.stderr
    assert "PASS" in answer.stdout


def test_a_report_on_ratings_needs_no_store(installed, ratings):
    answer = installed.run("report", "--ratings", ratings, "--scale", "likert:1:5", "--out", "bare")

    assert answer.returncode == 0, answer.stderr
    assert (installed.folder / "bare" / "ratings.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.usefixtures("demo")
def test_the_rating_page_is_served_by_the_command_of_its_unit(installed):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = command_of(STARTED["ocrjury-page.service"])
    paths = f"{installed.python.parent}:{installed.environment['PATH']}"
    page = subprocess.Popen(
        [installed.python, "-m", "ocrjury.deployments.entry", *command],
        cwd=installed.folder,
        env=installed.environment | {"PATH": paths, "OCRJURY_RATING_PORT": str(port)},
        stdout=subprocess.DEVNULL,
    )
    try:
        answer = first_answer(f"http://127.0.0.1:{port}/enter", page)
    finally:
        page.send_signal(signal.SIGTERM)
        end = page.wait(30)

    assert answer.status_code == 200
    assert "<form" in answer.text
    assert end == 0


def first_answer(address, process, *, seconds=60):
    end = time.monotonic() + seconds
    while True:
        try:
            return httpx.get(address, timeout=5)
        except httpx.ConnectError:
            if process.poll() is not None or time.monotonic() > end:
                pytest.fail(f"no page at {address}")
            time.sleep(0.2)


def test_whatever_the_package_imports_is_declared(installed):
    declared = {
        re.split(r"[ <>=!~;\[]", line, maxsplit=1)[0].lower().replace("_", "-")
        for line in requires("ocrjury") or ()
    }
    known = packages_distributions()
    imported = {name for path in installed.package.rglob("*.py") for name in imports_of(path)}
    outside = imported - set(sys.stdlib_module_names) - {"ocrjury", "generator"}

    owners = {name: {one.lower().replace("_", "-") for one in known[name]} for name in outside}

    undeclared = {name for name, packages in owners.items() if not packages & declared}
    # What fastapi, jinja2 and pydantic are made of, and cannot be without.
    assert undeclared == {"anyio", "markupsafe", "pydantic_core", "starlette"}


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
