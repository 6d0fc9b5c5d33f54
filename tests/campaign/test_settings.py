from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ocrjury.campaign import Settings
from ocrjury.campaign.settings import nearest_home, real_now
from ocrjury.errors import InputError


def test_without_variables_everything_lies_in_a_folder_here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))

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


def test_the_real_time_is_that_of_no_fixed_clock(monkeypatch):
    monkeypatch.setenv("OCRJURY_CLOCK", "2001-02-03T09:00:00+00:00")

    assert abs(datetime.now(UTC) - real_now()) < timedelta(minutes=1)


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


def test_pools_are_scored_one_batch_after_the_other_unless_said_otherwise():
    plain = Settings.from_environment({})
    there = Settings.from_environment(
        {
            "OCRJURY_ENGINE": "dask",
            "OCRJURY_WORKERS": "3",
            "OCRJURY_DASK_SCHEDULER": "tcp://cluster:8786",
        }
    )

    assert (plain.engine, plain.dask_scheduler) == ("serial", None)
    assert plain.workers >= 1
    assert (there.engine, there.workers, there.dask_scheduler) == ("dask", 3, "tcp://cluster:8786")


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("OCRJURY_ENGINE", "ray", "OCRJURY_ENGINE is 'ray'; it must be one of serial, processes"),
        ("OCRJURY_WORKERS", "0", "a whole number from 1 to 1024"),
        ("OCRJURY_WORKERS", "many", "OCRJURY_WORKERS is 'many'"),
    ],
)
def test_an_engine_that_does_not_exist_is_told(variable, value, message):
    with pytest.raises(InputError, match=message):
        Settings.from_environment({variable: value})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://rate.example.org/", "https://rate.example.org"),
        ("http://127.0.0.1:8090", "http://127.0.0.1:8090"),
        ("http://[::1]:8090", "http://[::1]:8090"),
        ("https://Rate.Example.org:443", "https://rate.example.org"),
        ("https://rate.example.org:8443", "https://rate.example.org:8443"),
        ("https://평가.한국", "https://xn--o39al86e.xn--3e0b707e"),
    ],
)
def test_the_address_of_the_rating_page_has_no_path_and_is_written_as_browsers_do(text, expected):
    assert Settings.from_environment({"OCRJURY_RATING_URL": text}).rating_url == expected


@pytest.mark.parametrize(
    "text",
    [
        *("rate.example.org", "http://rate.example.org", "https://a.org/b", "https://[::1"),
        *("https://lead:secret@a.org", "https://a.org:99999", "https://a..org"),
    ],
)
def test_another_address_of_the_rating_page_is_refused(text):
    with pytest.raises(InputError, match="must be an https address without a path"):
        Settings.from_environment({"OCRJURY_RATING_URL": text})


def test_the_header_of_a_proxy_is_a_name():
    assert Settings.from_environment({}).sign_in_header is None
    named = Settings.from_environment({"OCRJURY_SIGN_IN_HEADER": "X-Forwarded-Email"})
    assert named.sign_in_header == "X-Forwarded-Email"

    for text in ("X Forwarded", "X-User:", "é"):
        with pytest.raises(InputError, match="it must be the name of a header, such as X-Forw"):
            Settings.from_environment({"OCRJURY_SIGN_IN_HEADER": text})


def test_the_nearest_home_above_a_folder_is_found_else_that_of_the_account(monkeypatch, tmp_path):
    folder, own = tmp_path / "claims" / "pool", tmp_path / "me"
    for path in (folder, own):
        path.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(own))
    assert nearest_home(folder) == folder / ".ocrjury"

    for place in (own, tmp_path, folder.parent, folder):
        (place / ".ocrjury").mkdir()
        assert nearest_home(folder) == place / ".ocrjury"


def test_a_home_of_another_account_above_a_folder_is_none(monkeypatch, tmp_path):
    folder = tmp_path / "claims"
    for path in (folder, tmp_path / ".ocrjury"):
        path.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.setattr("os.geteuid", lambda: -1)

    assert nearest_home(folder) == folder / ".ocrjury"


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_database_that_ends_with_its_command_is_refused(url):
    with pytest.raises(InputError, match="names no file: all would be lost"):
        Settings.from_environment({"OCRJURY_DATABASE_URL": url})


@pytest.mark.parametrize("url", ["postgresql://lead:secret@[::1/x", "postgresql://a:secret@b:c/x"])
def test_an_address_of_a_database_that_is_none_is_refused_without_its_password(url):
    with pytest.raises(InputError, match="OCRJURY_DATABASE_URL is no address") as refused:
        Settings.from_environment({"OCRJURY_DATABASE_URL": url})

    assert "secret" not in str(refused.value)


def test_a_database_is_the_same_in_whatever_folder_a_process_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    settings = Settings.from_environment({"OCRJURY_DATABASE_URL": "sqlite:///jury.db"})

    assert settings.database_url == f"sqlite:///{tmp_path}/jury.db"
