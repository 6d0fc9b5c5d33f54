import doctest
import importlib
import os
from pathlib import Path

import pytest

import ocrjury

PACKAGE = Path(ocrjury.__file__).parent
SCRIPTS = (PACKAGE / "examples", PACKAGE / "store" / "migrations")
"""Folders whose modules run when they are imported."""


def with_examples():
    """Name of every module that has an example, those behind the links of the package too."""
    for folder, _, files in os.walk(PACKAGE, followlinks=True):
        for file in sorted(Path(folder, name) for name in files if name.endswith(".py")):
            scripted = any(file.is_relative_to(one) for one in SCRIPTS)
            if not scripted and ">>> " in file.read_text(encoding="utf-8"):
                module = file.relative_to(PACKAGE).with_suffix("")
                yield ".".join(["ocrjury", *module.parts]).removesuffix(".__init__")


@pytest.mark.parametrize("name", sorted(with_examples()))
def test_the_examples_of_a_module_give_what_they_say(name):
    failed, tried = doctest.testmod(importlib.import_module(name))

    assert tried
    assert not failed, "what was printed stands in the captured output"
