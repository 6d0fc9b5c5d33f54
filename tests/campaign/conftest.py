import json
from copy import deepcopy

import pytest

from ocrjury.campaign import read_campaign, read_rubric

RUBRIC = {
    "purpose": {"en": "Judge the OCR output.", "ko": "OCR 결과를 평가합니다."},
    "scale": {"kind": "likert", "low": 1, "high": 5},
    "dimensions": [
        {"name": "meaning", "title": "Meaning", "description": "What it says."},
        {"name": "layout", "title": "Layout", "description": "Where it stands."},
    ],
}


@pytest.fixture(scope="session")
def rubric_body():
    """A plain rubric with changes."""
    return lambda **changes: {**deepcopy(RUBRIC), **changes}


@pytest.fixture(scope="session")
def campaign_body(rubric_body):
    """The shortest plain campaign with changes."""
    shortest = {"name": "claims", "pool": {"path": "pool.jsonl"}, "rubric": rubric_body()}
    return lambda **changes: {**deepcopy(shortest), **changes}


@pytest.fixture
def campaign_from(tmp_path, campaign_body):
    """Read the shortest campaign with changes, or a text, from a file; JSON is YAML."""

    def read(text=None, **changes):
        path = tmp_path / "campaign.yaml"
        path.write_text(text or json.dumps(campaign_body(**changes), indent=1), "utf-8")
        return read_campaign(path)

    return read


@pytest.fixture
def rubric_from(tmp_path, rubric_body):
    """Read the plain rubric with changes from a file."""

    def read(**changes):
        path = tmp_path / "rubric.yaml"
        path.write_text(json.dumps(rubric_body(**changes), indent=1), "utf-8")
        return read_rubric(path)

    return read


@pytest.fixture
def registry(tmp_path):
    """Write a rater registry and return its path."""

    def write(*rows, header="pseudonym,role", encoding="utf-8"):
        path = tmp_path / "raters.csv"
        path.write_text("\n".join([header, *rows]) + "\n", encoding)
        return path

    return write
