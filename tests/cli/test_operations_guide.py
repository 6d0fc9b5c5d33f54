"""What "Operate in ten minutes" tells people to type makes a campaign that is valid."""

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import yaml

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


def test_the_pool_and_the_keys_of_the_guide_make_a_valid_campaign(run, tmp_path):
    folder = tmp_path / "my-claims"
    typed = "\n".join(blocks("sh"))
    [script] = re.findall(r"<<'END'.*?\n(.*?)^END$", typed, re.MULTILINE | re.DOTALL)
    [keys] = blocks("yaml")
    run("campaign", "new", folder)
    campaign = yaml.safe_load((folder / "campaign.yaml").read_text("utf-8"))

    command = [sys.executable, "-c", script]
    pool = subprocess.run(command, capture_output=True, check=True, timeout=60)
    (folder / "pool.jsonl").write_bytes(pool.stdout)
    set_keys(campaign, yaml.safe_load(keys))
    (folder / "campaign.yaml").write_text(yaml.safe_dump(campaign), "utf-8")
    answer = run("campaign", "check", folder / "campaign.yaml")

    assert answer.code == 0, answer.err
    assert "The campaign is valid" in answer.out
    assert "400 outputs" in answer.out
    assert campaign["schedule"] == {"cron": "0 6 * * 1"}
