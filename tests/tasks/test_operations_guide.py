"""What "Operate in ten minutes" tells people to type ends as it says: a report by email."""

import email
import re
import subprocess
import sys
from email.policy import default
from pathlib import Path
from textwrap import dedent

import yaml

from ocrjury.cli import main
from tests.mailbox import open_mailbox

GUIDE = Path(__file__).parents[2] / "docs" / "operations.md"


def blocks(language):
    text = GUIDE.read_text("utf-8").split("## Operate in ten minutes")[1].split("\n## ")[0]
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [dedent(block) for _, block in found]


def set_keys(campaign, changes):
    """Set the keys of one mapping in another, at every depth."""
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(campaign.get(key), dict):
            set_keys(campaign[key], value)
        else:
            campaign[key] = value


def test_the_pool_and_the_keys_of_the_guide_end_in_a_report_by_email(chain, capsys):
    folder = chain.path.parent / "my-claims"
    typed = "\n".join(blocks("sh"))
    [script] = re.findall(r"<<'END'.*?\n(.*?)^END$", typed, re.MULTILINE | re.DOTALL)
    [keys] = blocks("yaml")
    main(["campaign", "new", str(folder)])
    chain.path = folder / "campaign.yaml"
    campaign = yaml.safe_load(chain.path.read_text("utf-8"))

    command = [sys.executable, "-c", script]
    pool = subprocess.run(command, capture_output=True, check=True, timeout=60)
    (folder / "pool.jsonl").write_bytes(pool.stdout)
    set_keys(campaign, yaml.safe_load(keys))
    assert campaign["schedule"] == {"cron": "0 6 * * 1"}
    with open_mailbox() as mailbox:
        campaign["report"]["mail"] |= {"host": "127.0.0.1", "port": mailbox.port}
        chain.path.write_text(yaml.safe_dump(campaign), "utf-8")
        capsys.readouterr()

        assert main(["campaign", "check", str(chain.path)]) == 0
        checked = capsys.readouterr().out
        end = chain.open("rehearsal")

    assert "The campaign is valid" in checked
    assert "400 outputs" in checked
    assert (end.name, end.message) == ("Closed", "my-claims-rehearsal")
    [letter] = mailbox.envelopes
    said = email.message_from_bytes(letter.content, policy=default)
    assert (said["To"], said["Subject"][:11]) == ("you@example.org", "[SIMULATED]")
    assert [part.get_content_type() for part in said.iter_attachments()] == ["application/pdf"]
