"""'Operate in ten minutes', typed at two terminals of a machine that has nothing but the wheel."""

import email
import os
import pty
import select
import signal
import subprocess
import time
from contextlib import contextmanager
from email.policy import default

import pytest
import yaml

from tests.flows.conftest import free_port
from tests.mailbox import open_mailbox
from tests.tasks.test_operations_guide import GUIDE, blocks, set_keys

SAYS = {
    "ocrjury doctor": "Everything that is needed is here.",
    "ocrjury up": "Prefect is up: http://127.0.0.1:4200",
    "ocrjury deploy": "open-my-claims opens at '0 6 * * 1' (UTC).",
    "ocrjury evaluation open": "my-claims-rehearsal-r00-open: Closed, my-claims-rehearsal",
    "ocrjury status": "nothing is open (1 finished)",
}
"""What the guide promises of what is typed."""
ENDS = ("page stopped", "worker stopped", "server stopped")


class Terminal:
    """A shell at which somebody types."""

    def __init__(self, folder, environment):
        self._ours, theirs = pty.openpty()
        self._shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-i"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=environment | {"PS1": "", "PS2": "", "TERM": "dumb", "COLUMNS": "200"},
            start_new_session=True,
        )
        os.close(theirs)
        self._ends = 0

    def type(self, text):
        os.write(self._ours, text.encode())

    def until(self, *sentences, seconds=300):
        """What is shown until all of some sentences are."""
        shown, end = "", time.monotonic() + seconds
        while not all(sentence in shown for sentence in sentences):
            ready, _, _ = select.select([self._ours], [], [], 1.0)
            if ready:
                shown += os.read(self._ours, 1 << 16).decode(errors="replace")
            elif time.monotonic() > end:
                pytest.fail(f"{sentences} were not shown within {seconds} s, but:\n{shown}")
        return shown

    def run(self, block):
        """Type a block of the guide, and say yes where it asks; return what is shown."""
        self.type(f"{block.strip()}\n")  # an empty line would be an answer
        shown = ""
        if "evaluation open" in block:
            shown = self.until("Open it? [y/N]")
            self.type("y\n")
        self._ends += 1
        self.type(f"echo ended-$(({self._ends} * 1000))\n")  # which the typed line does not show
        return shown + self.until(f"ended-{self._ends}000")

    def close(self):
        self._shell.send_signal(signal.SIGHUP)
        self._shell.wait(60)
        os.close(self._ours)


@contextmanager
def opened(folder, environment):
    terminal = Terminal(folder, environment)
    try:
        yield terminal
    finally:
        terminal.close()


def edit(path, port):
    """Set the keys of the guide in a campaign, with a mail server of this machine."""
    campaign = yaml.safe_load(path.read_text("utf-8"))
    [keys] = blocks("yaml")
    set_keys(campaign, yaml.safe_load(keys))
    campaign["report"]["mail"] |= {"host": "127.0.0.1", "port": port}
    path.write_text(yaml.safe_dump(campaign), "utf-8")


def test_a_new_operator_gets_a_report_by_email(installed, tmp_path):
    section = GUIDE.read_text("utf-8").split("## Operate in ten minutes")[1].split("\n## ")[0]
    first, up, write, *rest = blocks("sh")
    port = str(free_port())
    environment = installed.environment | {
        "PATH": f"{installed.python.parent}:{installed.environment['PATH']}",
        "OCRJURY_PREFECT_PORT": port,
        "OCRJURY_RATING_PORT": str(free_port()),
    }
    first = first.replace("/srv/ocrjury", str(tmp_path / "ocrjury"))
    home = first.splitlines()[0]

    with (
        open_mailbox() as mailbox,
        opened(tmp_path, environment) as one,
        opened(tmp_path, environment) as other,
    ):
        shown = {"ocrjury doctor": one.run(first)}
        one.type(up)
        shown["ocrjury up"] = one.until("Prefect is up").replace(f":{port}", ":4200")
        other.run(f"{home}\n{write}")
        edit(tmp_path / "my-claims" / "campaign.yaml", mailbox.port)
        checked = other.run("ocrjury campaign check my-claims/campaign.yaml")
        for block in rest:
            typed = next(command for command in SAYS if block.startswith(command))
            shown[typed] = other.run(block)
        assert [typed for typed in SAYS if SAYS[typed] not in shown[typed]] == [], shown
        assert "The campaign is valid" in checked
        one.type("\x03")
        one.until(*ENDS)

    assert [said for said in (*SAYS.values(), *ENDS) if said not in section] == []
    [letter] = mailbox.envelopes
    message = email.message_from_bytes(letter.content, policy=default)
    assert message["Subject"].startswith("[SIMULATED]")
    assert [part.get_content_type() for part in message.iter_attachments()] == ["application/pdf"]
