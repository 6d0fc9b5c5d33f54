import os
import sys

import pytest

from ocrjury.pages import compiled_templates
from ocrjury.pages.environment import environment

NAME = "shared/diff.html.j2"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def compiled(monkeypatch):
    """Whether a template had to be compiled in a new environment."""
    made, count = environment.__wrapped__(), []
    compile_ = made.compile
    monkeypatch.setattr(made, "compile", lambda *given: count.append(given) or compile_(*given))
    made.get_template(NAME)
    return bool(count)


def test_a_template_is_compiled_once(folder, monkeypatch):
    assert compiled(monkeypatch)
    assert not compiled(monkeypatch)
    assert len(list(folder.rglob("*.cache"))) == 1


def test_a_template_is_compiled_anew_after_a_change_of_our_code(folder, monkeypatch):
    compiled(monkeypatch)
    code = folder / "compiled_templates.py"
    monkeypatch.setattr(compiled_templates, "our_code", lambda: f"{code}:1")

    assert compiled(monkeypatch)


def test_code_is_known_by_the_times_of_its_files(tmp_path, monkeypatch):
    place = tmp_path / "ocrjury" / "pages" / "numbers.py"
    place.parent.mkdir(parents=True)
    place.touch()
    monkeypatch.setattr(compiled_templates, "_HERE", place)

    before = compiled_templates.our_code.__wrapped__()
    os.utime(place, ns=(1, 1))

    assert "numbers.py:0:1" in compiled_templates.our_code.__wrapped__()
    assert before != compiled_templates.our_code.__wrapped__()


def test_nothing_is_kept_where_python_keeps_no_compiled_modules(folder, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compiled(monkeypatch)
    assert not list(folder.rglob("*.cache"))

    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (folder / "file").touch()
    monkeypatch.setattr(sys, "pycache_prefix", str(folder / "file"))
    assert compiled(monkeypatch)
