"""What `ocrjury serve` refuses before it serves; a process of its own, for it hears signals."""

import os
import socket
import subprocess
import sys

import pytest

from ocrjury.cli import serve as serve_command
from ocrjury.cli.page_address import FILE, check_port
from ocrjury.deployments.worker import work
from ocrjury.errors import InputError


def serve(port):
    words = [sys.executable, "-m", "ocrjury.cli", "serve", "--port", str(port)]
    return subprocess.run(
        words, env=os.environ, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_port_that_another_program_has_is_refused_and_named_in_no_link(store, home):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ended = serve(other.getsockname()[1])

    assert (ended.returncode, ended.stdout) == (2, "")
    assert "Address already in use. Stop what listens there" in ended.stderr
    assert not (home / FILE).exists()


def test_a_port_of_health_that_there_is_not_is_refused():
    with pytest.raises(InputError, match="--health-port must be from 1 to 65535; found 99999"):
        work(limit=1, pool="ocrjury", name=None, health_port=99999)


@pytest.fixture
def served(store, monkeypatch):
    """The sites that would be served."""
    sites = []
    monkeypatch.setattr(serve_command, "check_port", lambda *_: None)
    monkeypatch.setattr(serve_command, "stop_quietly", lambda: None)
    monkeypatch.setattr(serve_command, "write_log", lambda: None)
    monkeypatch.setattr(serve_command, "_answer", lambda site, **_: sites.append(site))
    return sites


@pytest.mark.parametrize("port", ["-5", "99999"])
def test_a_port_that_there_is_not_is_refused(run, served, port, monkeypatch):
    monkeypatch.setattr(serve_command, "check_port", check_port)

    answer = run("serve", "--port", port)

    assert (answer.code, served) == (2, [])
    assert answer.err == f"--port must be from 1 to 65535; found {port}.\n"


def test_behind_a_proxy_without_its_address_it_says_where_it_answers(run, served, monkeypatch):
    answer = run("serve", "--behind-proxy", "--port", "8090")

    assert answer.err.endswith(
        "OCRJURY_RATING_URL is not set: the page answers only at http://127.0.0.1:8090.\n"
    )
    monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
    assert "OCRJURY_RATING_URL" not in run("serve", "--behind-proxy", "--port", "8090").err
    assert len(served) == 2


def test_the_address_of_ipv6_is_one_that_a_browser_opens(run, served, home):
    run("serve", "--host", "::1", "--port", "8090")

    [site] = served
    assert site.address == (home / FILE).read_text("ascii") == "http://[::1]:8090"
    assert "[::1]:8090" in site.hosts
