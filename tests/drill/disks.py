"""What a disk or a server does to a store: it is full, it is read-only, it dies.

On PostgreSQL the tables of a store may lie on a small disk of their own; that of the server's log
has room, as without it the server ends. Needs root.
"""

import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from benchmarks.postgres_server import start

MEGABYTES = 160


@contextmanager
def small_disk(folder):
    """A small disk in a folder that is there already."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)]
    subprocess.run(mount, check=True, timeout=30)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=30)


@contextmanager
def disk_of_tables():
    """A small disk on which PostgreSQL may keep tables."""
    # Not below folders of ours, as the server's own.
    with (
        tempfile.TemporaryDirectory(prefix="ocrjury-pg-disk-") as folder,
        small_disk(Path(folder)) as disk,
    ):
        shutil.chown(disk, "postgres", "postgres")
        yield disk


@contextmanager
def full(disk):
    """Leave no room on a disk."""
    filler = disk / "filler"
    with suppress(OSError), filler.open("wb") as file:
        while True:
            file.write(bytes(1 << 16))
            file.flush()
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def locked(database):
    """Hold the write lock of an SQLite database."""
    connection = sqlite3.connect(database, isolation_level=None, timeout=60)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


@contextmanager
def read_only_file(home):
    """Forbid changes of the database in a home, even to root."""
    files = [str(path) for path in home.glob("ocrjury.db*")]
    subprocess.run(["chattr", "+i", *files], check=True, timeout=10)
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", *files], check=True, timeout=10)


@contextmanager
def read_only_server(folder):
    """Let every transaction of a PostgreSQL server be one that only reads."""
    order(folder, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    try:
        yield
    finally:
        order(folder, "ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()")


def order(folder, *statements):
    """Tell a PostgreSQL server to do something."""
    address = f"postgresql://postgres@/postgres?host={folder}"
    with psycopg.connect(address, autocommit=True, connect_timeout=30) as connection:
        for statement in statements:
            connection.execute(statement)


def crash_database(folder):
    """Kill PostgreSQL's first process and its children, and start it again."""
    leader = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    family = [psutil.Process(leader), *psutil.Process(leader).children()]
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs(family, timeout=30)
    time.sleep(2)
    (folder / "data" / "postmaster.pid").unlink(missing_ok=True)
    start(folder)
