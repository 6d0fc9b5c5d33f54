"""The guide to security names the test behind each claim."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_every_test_that_the_guide_names_is_there():
    guide = (ROOT / "docs" / "security.md").read_text("utf-8")

    named = set(re.findall(r"`(tests/[^`]+)`", guide))

    assert len(named) > 10
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []
