"""`ocrjury campaign check` compares pseudonyms with those of the store, which it only reads."""

import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa

from ocrjury.campaign.registry import read_raters
from ocrjury.errors import InputError
from ocrjury.store.database import writing
from ocrjury.store.raters import keep_raters
from ocrjury.store.workspace import open_store

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"


@pytest.fixture
def check(run, tmp_path):
    """A function that checks the example after its raters' file was changed."""
    folder = shutil.copytree(EXAMPLE, tmp_path / "claims", ignore=shutil.ignore_patterns("pages"))

    def call(before="", after=""):
        file = folder / "raters.csv"
        file.write_text(file.read_text("utf-8").replace(before, after), "utf-8")
        return run("campaign", "check", folder / "campaign.yaml", "--no-pool")

    call.raters = folder / "raters.csv"
    return call


def about_store(answer):
    (line,) = [line for line in answer.out.splitlines() if line.startswith("store ")]
    return line.removeprefix("store").strip()


def test_the_error_is_that_of_the_opening(run, check, opened, store, home):
    assert (
        about_store(check()) == f"{home}/ocrjury.db, where no pseudonym belongs to another person"
    )

    answer = check("R02,이도윤,r02@", "R02,박지민,jimin@")

    people = read_raters(check.raters)
    with pytest.raises(InputError) as refused, writing(store.engine) as connection:
        keep_raters(connection, people)
    assert (answer.code, answer.out) == (2, "")
    assert str(refused.value) in " ".join(answer.err.split())
    assert "R02 already belongs to another person" in str(refused.value)
    assert f"{home}, which OCRJURY_HOME names" in answer.err
    opening = run("evaluation", "open", check.raters.with_name("campaign.yaml"))
    assert (opening.code, opening.out, opening.err) == (2, "", answer.err)  # before any run


def test_without_a_store_none_is_made(check, home):
    answer = check()

    assert answer.code == 0
    assert about_store(answer) == "there is none yet, so that no pseudonym is taken"
    assert not home.exists()


def test_tables_of_another_version_stay_as_they_are(check, home):
    with open_store(home=home) as store, writing(store.engine) as connection:
        connection.execute(sa.text("update alembic_version set version_num = '0001'"))

    answer = check()

    assert answer.code == 0
    assert "is of another version, so that pseudonyms were not compared" in about_store(answer)


def test_a_store_that_cannot_be_read_says_so_and_the_rest_is_checked(check, monkeypatch):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", "postgresql://127.0.0.1:9/none")

    answer = check()

    assert answer.code == 0
    assert about_store(answer).startswith("postgresql://127.0.0.1/none could not be read, so that")
    assert "The campaign is valid" in answer.out


def test_a_file_that_is_no_database_says_so(check, home):
    home.mkdir()
    (home / "ocrjury.db").write_text("no database", "utf-8")

    assert "could not be read, so that pseudonyms were not" in about_store(check())
