"""A store in which another version opened an evaluation, whose campaign this one cannot read."""

import json
from contextlib import contextmanager

import sqlalchemy as sa

REASON = (
    "was opened by ocrjury 9.9.9; this version does not understand its campaign (sampling.luck: "
)


CONFIG = sa.text("SELECT config FROM evaluations WHERE evaluation = :name")
CHANGED = sa.text(
    "UPDATE evaluations SET config = :config, package_version = :version WHERE evaluation = :name"
)


@contextmanager
def of_another_version(engine, evaluation):
    """Give the campaign of an evaluation a key that only a later version has."""
    with engine.connect() as connection:
        config = connection.execute(CONFIG, {"name": evaluation}).scalar_one()
    body = config if isinstance(config, dict) else json.loads(config)
    change(engine, evaluation, {**body, "sampling": {**body["sampling"], "luck": 7}}, "9.9.9")
    yield
    change(engine, evaluation, body, "0.1.0")


def change(engine, evaluation, config, version):
    values = {"name": evaluation, "config": json.dumps(config), "version": version}
    with engine.begin() as connection:
        connection.execute(CHANGED, values)
