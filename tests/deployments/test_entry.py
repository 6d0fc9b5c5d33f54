import subprocess
import sys

import pytest

from ocrjury.deployments.entry import SECRETS, from_files, main
from ocrjury.errors import InputError


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret"
    path.write_text("s3cret\n", "utf-8")
    return str(path)


@pytest.mark.parametrize("name", [*SECRETS, "OCRJURY_PROXY_SECRET", "OCRJURY_MAIL_PASSWORD"])
def test_a_secret_comes_from_a_file(secret, name):
    assert from_files({f"{name}_FILE": secret}) == {name: "s3cret"}


def test_what_is_no_secret_of_ours_stays_as_it_is(secret):
    given = {"PREFECT_API_SSL_CERT_FILE": secret, "SSL_CERT_FILE": secret, "PATH": "/bin"}

    assert from_files(given) == given


def test_a_variable_that_is_set_itself_stays(secret):
    given = {"PGPASSWORD": "own", "PGPASSWORD_FILE": secret}

    assert from_files(given) == {"PGPASSWORD": "own"}


def test_prefect_writes_json_where_the_rest_does():
    environment = from_files({"OCRJURY_LOG": "json"})

    assert environment["PREFECT_LOGGING_HANDLERS_CONSOLE_FORMATTER"] == "json"


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "ocrjury.deployments.entry", *arguments],
        env={"PATH": "/usr/bin:/bin"} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_program_takes_its_place(secret):
    shown = 'echo "$PGPASSWORD$PGPASSWORD_FILE $(umask)"'

    done = run("sh", "-c", shown, PGPASSWORD_FILE=secret)

    assert (done.returncode, done.stdout) == (0, "s3cret 0077\n"), done.stderr


def test_a_file_that_is_absent_is_named(tmp_path):
    done = run("true", PGPASSWORD_FILE=str(tmp_path / "absent"))

    assert done.returncode == 1
    assert done.stderr == f"{tmp_path}/absent: No such file or directory.\n"


@pytest.mark.parametrize("content", [b"", b"\n", b"a\xff", b"a\0"])
def test_a_server_does_not_start_open_because_its_secret_is_empty(tmp_path, content):
    (tmp_path / "secret").write_bytes(content)

    given = {"PREFECT_SERVER_API_AUTH_STRING_FILE": str(tmp_path / "secret")}

    with pytest.raises(InputError, match=r"AUTH_STRING_FILE names, is empty or no text\."):
        from_files(given)


def test_nothing_to_start_is_said():
    with pytest.raises(SystemExit, match="Name a program"):
        main([])
