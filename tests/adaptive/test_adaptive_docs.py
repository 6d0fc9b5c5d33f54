import doctest
from pathlib import Path

from ocrjury.adaptive import POLICIES

PAGE = Path(__file__).parents[2] / "docs" / "adaptive.md"


def test_the_examples_of_the_page_run():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)

    assert tried > 10
    assert failed == 0


def test_every_policy_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")

    assert all(f"`{name}`" in text for name in POLICIES)
