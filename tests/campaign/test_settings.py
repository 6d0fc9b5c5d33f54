from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ocrjury.campaign import Settings
from ocrjury.errors import InputError


def test_without_variables_everything_lies_in_a_folder_here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    settings = Settings.from_environment({})

    assert settings.home == tmp_path / ".ocrjury"
    assert settings.database_url == f"sqlite:///{tmp_path}/.ocrjury/ocrjury.db"
    assert settings.prefect_port == 4200
    assert settings.clock is None


def test_the_variables_of_the_process_are_read(monkeypatch):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", "postgresql+psycopg://db/ocrjury")

    assert Settings.from_environment().database_url == "postgresql+psycopg://db/ocrjury"


def test_an_empty_variable_counts_as_unset():
    settings = Settings.from_environment({"OCRJURY_HOME": "/srv/jury", "OCRJURY_CLOCK": " "})

    assert settings.home == Path("/srv/jury")
    assert settings.database_url == "sqlite:////srv/jury/ocrjury.db"
    assert settings.clock is None


def test_a_fixed_clock_stands_still_in_utc():
    settings = Settings.from_environment({"OCRJURY_CLOCK": "2026-11-16T06:00:00+09:00"})

    assert settings.now() == settings.now() == datetime(2026, 11, 15, 21, tzinfo=UTC)
    assert settings.now().tzinfo is UTC


def test_the_real_clock_is_aware_and_in_utc():
    now = Settings.from_environment({}).now()

    assert now.tzinfo is UTC
    assert datetime.now(UTC) - now < timedelta(minutes=1)


@pytest.mark.parametrize("text", ["soon", "2026-11-16T06:00:00", "2026-13-01T00:00:00Z"])
def test_a_clock_without_a_moment_is_refused(text):
    with pytest.raises(
        InputError,
        match=r"OCRJURY_CLOCK is '.*'; it must be an ISO time with a zone, such as "
        r"2026-11-16T06:00:00\+09:00, or unset\.",
    ):
        Settings.from_environment({"OCRJURY_CLOCK": text})


@pytest.mark.parametrize("text", ["http", "0", "65536", "-1", "４２００"])
def test_a_port_that_is_none_is_refused(text):
    with pytest.raises(
        InputError,
        match=r"OCRJURY_PREFECT_PORT is '.*'; it must be a whole number from 1 to 65535, or unset",
    ):
        Settings.from_environment({"OCRJURY_PREFECT_PORT": text})
