"""The tables of a new database of Prefect on SQLite, made at once.

Prefect makes them by more than a hundred migrations, which take most of the time of a server's
first start. ``prefect_tables.sql`` has what they end with in the oldest release that ocrjury works
with, and the name of the last one: the migrations of a later release go on from there.
"""

import sqlite3
from contextlib import closing, suppress
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from ocrjury.whole_files import whole_file

TABLES = Path(str(files("ocrjury"))) / "deployments" / "prefect_tables.sql"


def make_tables(path: Path) -> None:
    """Make a database in a file, unless there is one or what is left of one."""
    if path.exists() or path.with_name(f"{path.name}-wal").exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        suppress(FileExistsError),
        whole_file(path, new=True) as part,
        closing(sqlite3.connect(part)) as connection,
    ):
        connection.executescript(TABLES.read_text(encoding="utf-8"))


def database_file() -> Path | None:
    """File of the database in which a server of this process would make tables, if it is one."""
    from prefect.settings import get_current_settings  # noqa: PLC0415  # takes a second

    database = get_current_settings().server.database
    if not database.migrate_on_start or database.connection_url is None:
        return None
    url = urlsplit(database.connection_url.get_secret_value())
    name = url.path.removeprefix("/")
    is_file = url.scheme.startswith("sqlite") and name != ":memory:" and not url.query
    return Path(name) if is_file else None
