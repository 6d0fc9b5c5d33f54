"""A real Label Studio on 127.0.0.1, and people who work in it."""

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from ocrjury.frontends.labelstudio.privacy import PRIVACY

TOKEN = "0123456789abcdef0123456789abcdef01234567"
PASSWORD = "a-password-for-tests-1"
STARTS_WITHIN = 600
"""Seconds; the first start on two processors writes its database for minutes."""


def executable():
    """The program, or skip where there is none."""
    found = os.environ.get("OCRJURY_LABEL_STUDIO") or shutil.which("label-studio")
    if not found:
        pytest.skip("no Label Studio: set OCRJURY_LABEL_STUDIO, or run `make test-external`")
    return str(Path(found).absolute())


@contextmanager
def running(folder):
    """Yield the address of a server with an empty database, silent to the outside."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [
        *(executable(), "start", "--no-browser", "--data-dir", str(folder)),
        *("--internal-host", "127.0.0.1", "--port", str(port)),
        *("--username", "lead@example.org", "--password", PASSWORD, "--user-token", TOKEN),
    ]
    environment = {
        **{name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ},
        **{name: value for name, (value, _) in PRIVACY.items()},
        "HOME": str(folder),
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "SSRF_PROTECTION_ENABLED": "false",  # else it sends no webhook to this machine
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env=environment, start_new_session=True
        )
    try:
        _wait(process, address, folder / "log")
        yield address
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)


def _wait(process, address, log):
    """When the server answers."""
    end = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < end:
        try:
            httpx.get(f"{address}/api/version", timeout=5.0).raise_for_status()
        except httpx.HTTPError:
            assert process.poll() is None, log.read_text()[-2000:]
            time.sleep(1)
        else:
            return
    raise TimeoutError(log.read_text()[-2000:])


class Person:
    """Somebody who signed up by an invitation and works in a browser's session."""

    def __init__(self, address, email):
        self.email, self.address = email, address
        self.client = httpx.Client(base_url=address, timeout=60, follow_redirects=True)
        with httpx.Client(headers={"Authorization": f"Token {TOKEN}"}, timeout=60) as lead:
            invitation = lead.get(f"{address}/api/invite").json()["invite_url"]
        token = re.search(r"token=([^&]+)", invitation)[1]
        self.client.get("/user/signup/", params={"token": token})
        form = {
            "email": email,
            "password": PASSWORD,
            "allow_newsletters": "false",
            "csrfmiddlewaretoken": self.client.cookies["csrftoken"],
        }
        self.client.post("/user/signup/", params={"token": token}, data=form, headers=self._proof())
        self.number = self.client.get("/api/current-user/whoami").json()["id"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()

    def _proof(self):
        return {"Referer": self.address, "X-CSRFToken": self.client.cookies["csrftoken"]}

    def personal_token(self):
        """A new personal access token."""
        return self.client.post("/api/token/", headers=self._proof()).json()["token"]

    def next_task(self, project):
        """The task that the label stream gives next, None if it gives none."""
        answer = self.client.get(f"/api/projects/{project}/next")
        return answer.json() if answer.status_code == 200 else None

    def annotate(self, task, said):
        """Annotate a task and return the annotation's number."""
        answer = self.client.post(
            f"/api/tasks/{task}/annotations/",
            json={"result": result(said), "lead_time": 3.0},
            headers=self._proof(),
        )
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def change(self, annotation, said):
        """Change an annotation, whoever made it."""
        answer = self.client.patch(
            f"/api/annotations/{annotation}/", json={"result": result(said)}, headers=self._proof()
        )
        assert answer.status_code == 200, answer.text

    def projects(self):
        """Every project that this person sees: number by title."""
        found = self.client.get("/api/projects/", params={"page_size": 100}).json()["results"]
        return {one["title"]: one["id"] for one in found}


def result(said):
    """What the controls of a page hold, as a browser sends it."""
    return [
        {
            "from_name": name,
            "to_name": "hypothesis",
            "type": "textarea" if name == "comment" else "choices",
            "value": {"text" if name == "comment" else "choices": [value]},
        }
        for name, value in said.items()
    ]
