"""PostgreSQL server in its own folder, for the time of a measurement."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def postgres_server() -> Iterator[Path]:
    """Yield the folder of its socket; it stores durably, as PostgreSQL does when nobody asks."""
    # Not below folders of ours: initdb refuses root, and nobody else may enter those.
    folder = Path(tempfile.mkdtemp(prefix="ocrjury-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data = str(folder / "data")
    _run("initdb", "-D", data, "-U", "postgres", "-A", "trust")
    start(folder)
    try:
        yield folder
    finally:
        _run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder)


def start(folder: Path) -> None:
    """Start the server of a folder, for the first time or after its end."""
    options = f"-c listen_addresses='' -c unix_socket_directories={folder}"
    data, log = str(folder / "data"), str(folder / "log")
    _run("pg_ctl", "-D", data, "-o", options, "-l", log, "-w", "start")


@contextmanager
def new_database(folder: Path, name: str, *, disk: Path | None = None) -> Iterator[str]:
    """Yield the address of a new database, with its tables on a disk of their own if one is given.

    The disk must be writable for the account of the server.
    """
    where = []
    if disk is not None:
        place = f"CREATE TABLESPACE {name} LOCATION '{disk}'"
        _run("psql", "-h", str(folder), "--command", place)
        where = ["--tablespace", name]
    _run("createdb", "-h", str(folder), *where, name)
    yield f"postgresql://postgres@/{name}?host={folder}"
    _run("dropdb", "-h", str(folder), "--force", name)


def _run(program: str, *arguments: str) -> None:
    """Run a PostgreSQL program, as its own user where we are root."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parts[-2]))
    command = [str(programs / program), *arguments]
    if os.geteuid() == 0:
        command = ["runuser", "-u", "postgres", "--", *command]
    environment = os.environ | {"PGUSER": "postgres", "HOME": pwd.getpwuid(os.geteuid()).pw_dir}
    subprocess.run(  # noqa: S603  # programs of the installation
        command, capture_output=True, env=environment, cwd="/", check=True, timeout=120
    )
