"""`ocrjury ratings remarks` prints what raters flagged and wrote, and answers it."""

import json
import re
import unicodedata

import pytest

from ocrjury.cli import rubric as rubric_command
from ocrjury.evaluation.case import at_work
from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.ratings import Submission, insert_submissions
from ocrjury.store.remarks import add_comment
from tests.cli.conftest import an_item


@pytest.fixture
def remarked(collecting):
    """An evaluation with a flag and a comment of R01."""
    assignment = f"{collecting}/1/R01/0/d1"
    flags = dict.fromkeys(("meaning", "layout", "readability"), "wrong_image")
    with at_work() as work, writing(work.engine) as connection:
        sent = Submission(assignment, {}, "e1", "r", "file", flags)
        insert_submissions(connection, collecting, [sent], now=work.now)
        add_comment(connection, assignment, "Another page.", now=work.now)
    return collecting, assignment


def test_a_remark_is_listed_answered_and_then_no_longer_open(run, remarked):
    name, assignment = remarked
    listed = run("ratings", "remarks", name, "--open")
    [remark] = json.loads(run("ratings", "remarks", name, "--json").out)

    answered = run("ratings", "remarks", name, "--answer", assignment, "--text", "Thank you.")
    [after] = json.loads(run("ratings", "remarks", name, "--json").out)

    assert "wrong_image  Another page." in listed.out
    assert "1 of 1 remark open." in listed.out
    assert re.search(r" 18:00 Asia/Seoul +d1 +R01 +open +wrong_image", listed.out)
    assert (remark["rater"], remark["item"], remark["open"]) == ("R01", "d1", True)
    assert answered.code == 0
    assert [answer["body"] for answer in after["answers"]] == ["Thank you."]
    assert re.search(
        r"Answers\n.*\n.* d1 +R01 +\S+ +Thank you\.", run("ratings", "remarks", name).out
    )
    assert run("ratings", "remarks", name, "--open").out == (
        f"No remark of {name} waits for an answer.\n"
    )


def test_a_comment_on_an_output_beside_others_is_listed_with_its_letter(run, remarked):
    name, assignment = remarked
    with at_work() as work, writing(work.engine) as connection:
        add_comment(connection, assignment, "[B] is shorter.", now=work.now, letter="A")

    [remark] = json.loads(run("ratings", "remarks", name, "--json").out)

    assert (remark["letter"], remark["comment"]) == ("A", "[B] is shorter.")
    assert "wrong_image  [A] [B] is shorter." in run("ratings", "remarks", name).out


def test_what_is_no_remark_cannot_be_answered(run, collecting):
    answer = run("ratings", "remarks", collecting, "--answer", "x", "--text", "Thank you.")

    assert answer.code == 2
    assert "has no remark 'x'" in answer.err


def test_an_item_is_excluded_with_a_reason_and_taken_back(run, remarked):
    name, _ = remarked
    why = ("--why", "wrong_image", "--reason", "Another page.")

    assert run("ratings", "exclude", name, "d1", *why).out == "d1 is excluded.\n"
    assert " excluded  wrong_image" in run("ratings", "remarks", name).out
    assert run("ratings", "exclude", name, "d1", *why).code == 2
    assert run("ratings", "exclude", name, "d2", "--reason", " no  ").code == 2
    undone = run("ratings", "exclude", name, "d1", "--undo", "--reason", "Right page.")
    assert undone.out == "d1 is no longer excluded.\n"
    assert " answered  wrong_image" in run("ratings", "remarks", name).out


def test_an_item_becomes_a_boundary_case_and_its_version_a_file(run, remarked, tmp_path):
    name, _ = remarked
    facts = ("--dimension", "meaning", "--case", "A case", "--reason", "Raters differ.")
    path = tmp_path / "rubric.yaml"

    added = run("ratings", "boundary", name, "d1", *facts, "--level", "3")
    assert "Version 2 of the rubric is stored" in added.out
    assert run("ratings", "boundary", name, "d1", *facts, "--level", "9").code != 0
    listed = run("evaluation", "rubric", name).out
    assert "Boundary case added: d1, meaning, level 3" in listed
    assert re.search(r"^1 +\S+ \S+ Asia/Seoul +", listed, re.MULTILINE)
    assert "The next round takes version 2." in listed
    assert run("evaluation", "rubric", name, "--out", str(path)).code == 0
    assert "A case" in path.read_text("utf-8")
    path.write_text("by hand", "utf-8")
    again = run("evaluation", "rubric", name, "--out", str(path))
    assert again == (2, "", f"{path} exists; name another file.\n")
    assert path.read_text("utf-8") == "by hand"
    other = tmp_path / "other.yaml"
    assert run("evaluation", "rubric", name, "--out", str(other), "--number", "3").code == 2
    undone = run("evaluation", "rubric", name, "--take-back", "2", "--reason", "No doubt.")
    assert undone.out == "Version 3 is stored; the next round takes it.\n"


def test_no_rubric_leaves_without_a_line_of_the_audit_log(run, remarked, tmp_path, monkeypatch):
    name, _ = remarked

    def killed(*_, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(rubric_command, "whole_text", killed)

    run("evaluation", "rubric", name, "--out", tmp_path / "rubric.yaml")

    with at_work() as work:
        assert list_audit(work.engine)[0].object == f"{name} rubric version 1"


@pytest.mark.parametrize(("stored", "typed"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_an_item_is_found_however_its_letters_are_typed(run, collect, stored, typed):
    item, written = (unicodedata.normalize(form, "영수증-é") for form in (stored, typed))
    name = collect(an_item("d1", called=item))
    facts = ("--dimension", "meaning", "--case", "A case", "--level", "3")

    case = run("ratings", "boundary", name, written, *facts, "--reason", "Raters differ.")
    excluded = run("ratings", "exclude", name, written, "--reason", "Another page.")

    assert (case.code, case.err) == (0, "")
    assert excluded.out == f"{item} is excluded.\n"
    assert f"Boundary case added: {item}, meaning, level 3" in run("evaluation", "rubric", name).out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["evaluation", "rubric", "--number", "1"], "--number belongs to --out"),
        (["evaluation", "rubric", "--reason", "No doubt."], "--reason belongs to --take-back"),
        (["evaluation", "rubric", "--take-back", "2", "--out", "x"], "two orders"),
        (["ratings", "remarks", "--text", "Thanks."], "--text belongs to --answer"),
    ],
)
def test_an_option_that_says_nothing_is_refused(run, remarked, words, why):
    name, _ = remarked

    answer = run(*words[:2], name, *words[2:])

    assert answer.code == 2
    assert why in answer.err
