"""A boundary case makes a new version of the rubric, which the next round takes."""

import pytest
import sqlalchemy as sa

from ocrjury.campaign.boundary_cases import CaseText, rubric_yaml
from ocrjury.campaign.rubric import Rubric, read_rubric
from ocrjury.errors import StateError
from ocrjury.store.database import reading, writing
from ocrjury.store.documents import GoldRow, add_gold, count_texts, take_texts
from ocrjury.store.evaluations import add_rubric, read_evaluation
from ocrjury.store.ratings import Submission
from ocrjury.store.rounds import NewAssignment, RoundPlan, close_round, open_round
from ocrjury.store.rubric_counts import count_by_rubric
from ocrjury.store.rubric_versions import (
    NewCase,
    add_case,
    list_rubric_versions,
    opening_rubric,
    rubrics_so_far,
    undo_case,
)
from tests.store_calls import add_submissions

TEXT = "<b>금액</b>: \u202e12: {{ x }}"
CASE = CaseText({"en": "A separator is missing", "ko": TEXT}, {"en": "Give 3."}, (TEXT, "금맥"))


@pytest.fixture
def rubric(engine, evaluation):
    """Rubric of the evaluation."""
    first = Rubric.model_validate(
        {
            "purpose": {"en": "Is it right?", "ko": "맞는가?"},
            "dimensions": [{"name": "meaning", "title": "Meaning", "description": "Same?"}],
            "boundary_cases": [{"case": "0 for O", "level": 4.0}],
        }
    )
    with writing(engine) as connection:
        add_rubric(connection, first)
        connection.execute(
            sa.text("update evaluations set rubric_hash = :of"), {"of": first.rubric_hash}
        )
    return first


@pytest.fixture
def add(engine, evaluation, rubric, now):
    def add_one(item="d1", dimension="meaning", level=3.0, text=CASE):
        new = NewCase(item, dimension, level, text, "Raters differ.", "J. Kim")
        with writing(engine) as connection:
            return add_case(connection, evaluation, new, address="here", now=now)

    return add_one


@pytest.fixture
def undo(engine, evaluation, now):
    def undo_one(version):
        facts = {"reason": "It was wrong.", "actor": "M. Lee", "address": "here", "now": now}
        with writing(engine) as connection:
            return undo_case(connection, evaluation, version, **facts)

    return undo_one


def open_next(engine, evaluation, now):
    plan = RoundPlan("adaptive", "r", ("meaning",), "web", now, (NewAssignment("d1", "A01", 1),))
    with writing(engine) as connection:
        close_round(connection, evaluation, by="done", now=now)
        open_round(connection, evaluation, plan, now=now)


def rate(engine, evaluation, assignment, now):
    of = read_evaluation(engine, evaluation).rubric_hash
    name = f"{evaluation}/{assignment}"
    sent = Submission(name, {"meaning": 4.0}, name, of, "file", {})
    add_submissions(engine, evaluation, [sent], now=now)


def test_the_open_round_keeps_its_rubric_and_the_next_takes_the_new_one(
    engine, evaluation, rubric, add, now
):
    rate(engine, evaluation, "1/R01/0/d1", now)

    assert add() == 2
    during = read_evaluation(engine, evaluation).rubric_hash
    rate(engine, evaluation, "1/R02/0/d1", now)
    open_next(engine, evaluation, now)
    rate(engine, evaluation, "2/A01/0/d1", now)

    first, second = list_rubric_versions(engine, evaluation)
    assert (first.change, first.actor, first.rubric) == ("opening", "lead", rubric)
    assert (second.change, second.item, second.reason) == ("case", "d1", "Raters differ.")
    assert (second.case.level, second.case.example.reference) == (3.0, TEXT)
    assert during == rubric.rubric_hash != second.rubric_hash == second.rubric.rubric_hash
    assert [tuple(row) for row in count_by_rubric(engine, evaluation)] == [
        (1, "main", rubric.rubric_hash, 2, 0),
        (2, "adaptive", second.rubric_hash, 1, 1),
    ]
    assert opening_rubric(engine, evaluation, current="?") == rubric.rubric_hash
    known = {rubric.rubric_hash, second.rubric_hash}
    assert rubrics_so_far([first, second], second.rubric_hash) == known
    assert rubrics_so_far([first, second], rubric.rubric_hash) == {rubric.rubric_hash}
    assert rubrics_so_far([], "r") == {"r"}


def test_taking_back_is_a_further_version_and_the_audit_log_tells_no_text(
    engine, evaluation, rubric, add, undo
):
    add()
    add("d2", text=CASE._replace(example=None))

    assert undo(2) == 4
    with pytest.raises(StateError, match="no boundary case to take back"):
        undo(2)

    last = list_rubric_versions(engine, evaluation)[-1]
    assert (last.change, last.undoes, last.item) == ("undo", 2, "d1")
    assert [case.example for case in last.rubric.boundary_cases] == [None, None]
    with reading(engine) as connection:
        lines = connection.execute(sa.text("select action, object, reason from audit")).all()
    assert [line.action for line in lines][-1] == "take boundary case back"
    assert "금" not in str(lines)
    undo(3)
    assert list_rubric_versions(engine, evaluation)[-1].rubric_hash == rubric.rubric_hash


def test_what_does_not_fit_is_refused_and_leaves_nothing(engine, evaluation, add, now):
    with writing(engine) as connection:
        add_gold(connection, evaluation, [GoldRow("d2", "meaning", 4.0, "", "file")])

    for wrong, why in (
        ({"item": "d9"}, "no item 'd9'"),
        ({"item": "d2"}, "known rating"),
        ({"dimension": "look"}, "no dimension look"),
        ({"level": 9.0}, "has no level 9"),
    ):
        with pytest.raises(StateError, match=why):
            add(**wrong)
    assert list_rubric_versions(engine, evaluation) == []
    add()
    with pytest.raises(StateError, match="already"):
        add()


def test_a_purge_takes_the_texts_and_leaves_dimension_and_level(engine, evaluation, add, now):
    add()

    with writing(engine) as connection:
        assert count_texts(connection, evaluation).rubrics == 1
        take_texts(connection, evaluation, now=now)
        assert count_texts(connection, evaluation).rubrics == 0
        bodies = str(connection.execute(sa.text("select body from rubrics")).all())

    assert "separator" not in bodies
    assert "금" not in bodies.encode().decode("unicode_escape")
    campaigns, added = list_rubric_versions(engine, evaluation)[-1].rubric.boundary_cases
    assert campaigns.case == {"und": "0 for O"}
    assert (added.dimension, added.level, added.example) == ("meaning", 3.0, None)
    with pytest.raises(StateError, match="were removed"):
        add("d2")


def test_a_purge_leaves_the_rubric_of_another_campaign(engine, evaluation, add, now):
    add()
    of = list_rubric_versions(engine, evaluation)[-1].rubric_hash
    with writing(engine) as connection:
        copied = "insert into rubric_versions select 'next', 1, rubric_hash, 'opening', null, "
        rest = "null, null, '', 'lead', at from rubric_versions where version = 2"
        connection.execute(sa.text(copied + rest))
        take_texts(connection, evaluation, now=now)

    assert list_rubric_versions(engine, "next")[0].rubric.rubric_hash == of


def test_versions_never_change(engine, add):
    add()

    with pytest.raises(sa.exc.DatabaseError, match="never change"), writing(engine) as connection:
        connection.execute(sa.text("update rubric_versions set reason = ''"))


def test_a_version_is_written_as_a_file_for_the_next_campaign(engine, evaluation, add, tmp_path):
    add()
    rubric = list_rubric_versions(engine, evaluation)[-1].rubric
    path = tmp_path / "rubric.yaml"

    path.write_text(rubric_yaml(rubric, title="Rubric"), "utf-8")

    assert read_rubric(path).rubric_hash == rubric.rubric_hash


def test_the_author_of_a_first_version_that_no_lead_opened_is_the_campaign(
    engine, evaluation, add, monkeypatch
):
    monkeypatch.setattr("ocrjury.store.rubric_versions.FLOW", "lead")  # who opened this one
    add()

    first, second = list_rubric_versions(engine, evaluation)
    assert (first.actor, second.actor != "campaign") == ("campaign", True)
