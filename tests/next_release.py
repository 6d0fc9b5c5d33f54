"""The next release, as far as a store sees it: one more migration."""

import shutil
import sys
from pathlib import Path

from ocrjury.store import database, migrations

REVISION = "9999"
MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{revision}", "{head}"


def upgrade():
    op.add_column("rounds", sa.Column("room", sa.Text))
    op.execute("update rounds set room = 'first floor'")
    {more}
"""


def become(monkeypatch, folder, more=""):
    """Make this process one of the next release, whose rounds have a room."""
    scripts = folder / "migrations"
    shutil.copytree(Path(migrations.__file__).parent, scripts)
    text = MIGRATION.format(revision=REVISION, head=migrations.HEAD, more=more)
    (scripts / "versions" / f"{REVISION}_rooms.py").write_text(text)
    monkeypatch.setattr(database, "_SCRIPTS", str(scripts))
    for name, module in sys.modules.copy().items():
        if name.startswith("ocrjury.store.") and module is not migrations:
            monkeypatch.setattr(module, "HEAD", REVISION, raising=False)
