import re
from pathlib import Path

import pytest
import yaml

from ocrjury.campaign.capabilities import LACKING
from ocrjury.campaign.labelstudio_section import LabelStudio
from ocrjury.campaign.rating_sections import Rounds
from ocrjury.cli.command_line import build_parser
from ocrjury.frontends.labelstudio.privacy import PRIVACY

TEXT = (Path(__file__).parents[3] / "docs" / "labelstudio.md").read_text("utf-8")


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)


def test_the_section_is_valid_and_has_every_key():
    [section] = blocks("yaml")

    rounds = Rounds.model_validate(yaml.safe_load(section)["rounds"])

    assert rounds.labelstudio is not None
    assert all(f"{key}:" in section for key in LabelStudio.model_fields)


@pytest.mark.parametrize("line", re.findall(r"^ocrjury .*", blocks("sh")[0], re.MULTILINE))
def test_every_command_can_be_typed(line):
    assert build_parser().parse_args(line.partition("#")[0].split()[1:]).run


def test_every_variable_of_the_silent_server_is_there():
    assert {f"export {name}={value}" for name, (value, _) in PRIVACY.items()} <= set(
        TEXT.splitlines()
    )


def test_there_is_a_line_for_everything_that_it_lacks():
    assert LACKING["labelstudio"] == {"blind", "server_validation", "timing", "diff"}
    table = TEXT.partition("## What it cannot do")[2].partition("##")[0]
    assert all(word in table for word in ("nobody else", "checked", "times", "differences"))
