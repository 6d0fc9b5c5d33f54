import gc
import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from hypothesis import settings
from playwright.sync_api import sync_playwright
from xdist.scheduler import LoadFileScheduling

from ocrjury.store.database import open_database
from tests.quick_database import make_quick
from tests.wheel_installation import install_wheel

gc.disable()  # until all tests are collected
make_quick()
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("deep", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("OCRJURY_EXAMPLES", "ci"))

SHARED = (
    ("tests/wheel/", "tests/flows/"),
    ("tests/drill/",),
    ("tests/report/test_pdf.py", "tests/report/test_pages.py", "tests/report/test_golden_pictures"),
    ("tests/agreement/test_peers.py", "tests/agreement/test_wrong_peers.py"),
    tuple(
        f"tests/test_{name}.py"
        for name in (
            "house",
            "floors",
            "meanings",
            "quoted_messages",
            "security_guide",
            "statistics",
        )
    ),
)
"""What shares one thing: a wheel, a whole evaluation, a printed report, peers, the parsed code."""

LONG = (
    *sum(SHARED, ()),
    "tests/test_worst_inputs.py",
    *("tests/tasks/", "tests/frontends/", "tests/report/", "tests/cli/"),
)
"""What begins, so that no worker ends with a long file while others rest."""

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests run side by side: no core is left over

MEMORY = Path("/dev/shm")  # a file of our own name in it
NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def pytest_addoption(parser):
    parser.addoption("--regen-golden", action="store_true", help="write the golden files anew")
    parser.addoption(
        "--postgresql",
        action="store_true",
        help="run evaluations of tests/tasks, and the server of tests/flows, on PostgreSQL",
    )
    parser.addoption("--all-points", action="store_true", help="kill at every point (slow)")


class ByFile(LoadFileScheduling):
    """Tests side by side: those of one file, or of a folder that shares, stay together."""

    def _split_scope(self, nodeid):
        shared = (one[0] for one in SHARED if nodeid.startswith(one))
        return next(shared, super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False  # by number of tests, which is not their time
    return ByFile(config, log)


def pytest_collection_modifyitems(items):
    @cache
    def rank(path):
        return next((k for k, one in enumerate(LONG) if path.startswith(one)), len(LONG))

    names = {item: item.nodeid for item in items}  # pytest puts each together anew
    items.sort(key=lambda item: rank(names[item].partition("::")[0]))
    wandering = [name for name in names.values() if " at 0x" in name]
    if wandering:
        raise pytest.UsageError(f"other processes would not know this test: {wandering[0]}")


def pytest_collection_finish():
    """Half a million objects of modules and tests stay: no later collection walks over them."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def now():
    return NOW


@pytest.fixture
def statements():
    """What is sent to any database from now on."""
    sent = []

    def note(_connection, _cursor, statement, *_):
        sent.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    yield sent
    sa.event.remove(sa.Engine, "before_cursor_execute", note)


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium without windows; a process can hold no second Playwright."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            # One process draws every page: to begin another takes a third of a second.
            args=["--no-sandbox", "--renderer-process-limit=1"],
        )
        found.devices = playwright.devices
        yield found
        found.close()


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """What somebody has who installed the wheel: a command, and an empty folder."""
    return install_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request, tmp_path):
    """A new database on each of the two that are supported."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/ocrjury.db"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def engine(database_url):
    engine = open_database(database_url)
    yield engine
    engine.dispose()  # Python 3.13 warns of a connection that nobody closed


@pytest.fixture
def postgres_url(postgres_cluster, postgres_template, request):
    """A database of a real PostgreSQL server, with tables in which nothing is yet."""
    with new_database(postgres_cluster, request, template=postgres_template) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request, tmp_path):
    """A database without tables on each of the two that are supported."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/ocrjury.db"
        return
    with new_database(request.getfixturevalue("postgres_cluster"), request) as url:
        yield url


@contextmanager
def new_database(cluster, request, *, template="template1"):
    """Yield the address of a database of this test; a copy of another costs half of new tables."""
    name = f"t{abs(hash(request.node.nodeid))}"
    with server_of(cluster) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        yield f"postgresql://postgres@/{name}?host={cluster}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def postgres_template(postgres_cluster):
    """Name of a database with the tables of this version."""
    with server_of(postgres_cluster) as connection:
        connection.execute("CREATE DATABASE with_tables")
    open_database(f"postgresql://postgres@/with_tables?host={postgres_cluster}").dispose()
    return "with_tables"


def server_of(cluster):
    server = f"host={cluster} user=postgres dbname=postgres"
    return psycopg.connect(server, autocommit=True, connect_timeout=60)


@pytest.fixture(scope="session")
def postgres_cluster():
    """The socket's folder of a PostgreSQL server of this test session."""
    with new_cluster() as folder:
        yield folder


@contextmanager
def new_cluster():
    """Yield the socket's folder of a new PostgreSQL server."""
    # Not below pytest's own folders: initdb refuses root, and nobody else may enter those.
    folder = Path(tempfile.mkdtemp(prefix="ocrjury-pg-", dir=_in_memory()))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    _as_postgres("initdb", "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync")
    start_postgres(folder)
    try:
        yield folder
    finally:
        _as_postgres("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder)


def _in_memory():
    """Where files cost no disk, if there is room: each new database has 350 of them."""
    room = shutil.disk_usage(MEMORY).free if MEMORY.is_dir() else 0
    return MEMORY if room > 2**30 else None


def start_postgres(folder):
    """Start the server of a cluster."""
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    log = str(folder / "log")
    _as_postgres("pg_ctl", "-D", str(folder / "data"), "-o", options, "-l", log, "-w", "start")


def stop_postgres(folder):
    """Stop the server of a cluster, as an operator would."""
    _as_postgres("pg_ctl", "-D", str(folder / "data"), "-m", "fast", "-w", "stop")


def _as_postgres(program, *arguments):
    """Run a PostgreSQL program, as its own user where we are root."""
    folder = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parts[-2]))
    command = [str(folder / program), *arguments]
    if os.geteuid() == 0:
        command = ["runuser", "-u", "postgres", "--", *command]
    environment = os.environ | {"PGUSER": "postgres", "HOME": pwd.getpwuid(os.geteuid()).pw_dir}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd="/", check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
