import sys
from pathlib import Path

import pytest

from ocrjury.deployments.installation import Installation, prefect
from ocrjury.errors import InputError
from ocrjury.signals import own_server
from ocrjury.signals.own_server import make_password


def test_the_environment_names_home_and_port(tmp_path):
    found = Installation.from_environment(
        {"OCRJURY_HOME": str(tmp_path), "OCRJURY_PREFECT_PORT": "4300"}
    )

    assert found == Installation(tmp_path.resolve(), 4300)
    assert (found.ui, found.api) == ("http://127.0.0.1:4300", "http://127.0.0.1:4300/api")
    assert found.log("worker") == tmp_path.resolve() / "logs" / "worker.log"


def test_a_port_that_is_none_is_refused():
    with pytest.raises(InputError, match=r"OCRJURY_PREFECT_PORT is 'x'.* 1 to 65535"):
        Installation.from_environment({"OCRJURY_PREFECT_PORT": "x"})


def test_children_talk_to_this_server_and_to_nobody_else():
    given = {
        "PREFECT_API_URL": "https://elsewhere/api",
        "PREFECT_API_KEY": "secret",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "true",
        "PATH": "/bin",
    }

    environment = Installation(Path("/h"), 4300).environment(given)

    assert environment["PREFECT_API_URL"] == "http://127.0.0.1:4300/api"
    assert environment["PREFECT_SERVER_API_HOST"] == "127.0.0.1"
    assert environment["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
    assert environment["PREFECT_HOME"] == "/h/prefect"
    assert environment["OCRJURY_HOME"] == "/h"
    assert environment["PATH"] == "/bin"
    assert "PREFECT_API_KEY" not in environment


def test_a_person_may_keep_prefects_data_elsewhere():
    environment = Installation(Path("/h"), 4300).environment({"PREFECT_HOME": "/x"})

    assert environment["PREFECT_HOME"] == "/x"


def test_old_runs_go_with_their_artifacts_unless_a_person_keeps_them():
    variable = "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED"

    assert Installation(Path("/h"), 4300).environment({})[variable] == "events,flow_runs"
    assert Installation(Path("/h"), 4300).environment({variable: "false"})[variable] == "false"


def test_prefect_is_the_one_of_this_interpreter():
    assert prefect("version") == [sys.executable, "-m", "prefect", "version"]


def test_children_lock_the_server_with_the_password_of_the_home(tmp_path):
    password = make_password(tmp_path)

    environment = Installation(tmp_path, 4300).environment({"PREFECT_API_AUTH_STRING": "a:b"})

    assert environment["PREFECT_SERVER_API_AUTH_STRING"] == password
    assert environment["PREFECT_API_AUTH_STRING"] == password
    assert environment["PREFECT_SERVER_CSRF_PROTECTION_ENABLED"] == "true"
    assert environment["PREFECT_SERVER_API_CORS_ALLOWED_ORIGINS"] == (
        "http://127.0.0.1:4300,http://localhost:4300"
    )


def test_the_password_of_the_home_goes_to_no_server_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", "theirs:1")
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setattr(own_server, "listens_here", lambda _port: True)
    password, up = make_password(tmp_path), Installation(tmp_path, 4300)

    here = up.environment_of_client("http://localhost:4300/api")
    elsewhere = up.environment_of_client("https://elsewhere/api")

    assert here["PREFECT_API_AUTH_STRING"] == password
    assert elsewhere["PREFECT_API_AUTH_STRING"] == "theirs:1"
    assert password not in elsewhere.values()
    assert elsewhere["PREFECT_API_URL"] == "https://elsewhere/api"
