"""What the rating page keeps: queue, visits, drafts, remarks, quarantine, audit."""

from datetime import timedelta
from importlib.resources import files

import pytest
import sqlalchemy as sa

from ocrjury.store.audit import add_audit, list_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.draft_content import Draft
from ocrjury.store.item_ratings import LatestAnswer, latest_answer
from ocrjury.store.links import Link
from ocrjury.store.migrations import HEAD
from ocrjury.store.migrations import versions as migrations
from ocrjury.store.quarantine import QuarantineRow, add_refused, list_refused
from ocrjury.store.queue import count_queue, last_done, next_task, read_asked, read_task
from ocrjury.store.ratings import Submission, insert_submissions
from ocrjury.store.remarks import RuleFlag, add_comment, add_note, add_rule_flags, read_comment
from ocrjury.store.schema.intake import comments, notes
from ocrjury.store.visits import (
    close_visit,
    drop_draft,
    find_visit,
    open_visit,
    overtaken,
    read_draft,
    save_draft,
    seconds_per_item,
)
from tests.store_calls import list_rule_flags

SESSION = "s" * 64


@pytest.fixture
def link(evaluation):
    return Link("t", "R01", evaluation, 1)


@pytest.fixture
def first(evaluation):
    return f"{evaluation}/1/R01/0/d1"


@pytest.fixture
def connection(engine, evaluation):
    with writing(engine) as found:
        yield found


def rate(connection, evaluation, assignment, now, *, event="e", **values):
    sent = Submission(assignment, values or {"meaning": 4.0}, event, "r", "web")
    insert_submissions(connection, evaluation, [sent], now=now)


def visit_of(connection, link, assignment, now):
    name = open_visit(connection, assignment, session_hash=SESSION, client="phone", now=now)
    return find_visit(connection, link, name)


def test_the_version_of_the_tables_is_that_of_the_newest_migration():
    names = [path.name for path in files(migrations).iterdir() if path.name[:4].isdecimal()]
    assert max(names)[:4] == HEAD


def test_the_queue_follows_the_stored_order_and_hides_everything_else(
    connection, link, evaluation, first, now
):
    task = next_task(connection, link)
    assert (task.assignment, task.item, task.reference) == (first, "d1", "금액")
    assert not {"system", "confidence", "stratum", "scores", "purpose"} & set(task._fields)

    rate(connection, evaluation, first, now)

    assert next_task(connection, link).item == "d2"
    assert count_queue(connection, link) == (1, 1, 0)


@pytest.mark.parametrize("changes", [{"who": "R02"}, {"round": 2}, {"evaluation": "other"}])
def test_another_link_reaches_nothing_of_it(connection, link, first, changes):
    assert read_task(connection, link, first) is not None
    assert read_task(connection, link._replace(**changes), first) is None


def test_a_visit_is_the_same_until_it_is_handed_in(connection, link, first, now):
    visit = visit_of(connection, link, first, now)
    later = now + timedelta(minutes=2)

    assert visit_of(connection, link, first, later) == visit
    assert find_visit(connection, link._replace(who="R02"), visit.visit) is None
    close_visit(connection, visit, active_ms=90_000, conditions={"diff": "shown"}, now=later)
    assert visit_of(connection, link, first, later).visit != visit.visit


def test_a_visit_is_overtaken_by_a_later_submission_elsewhere(connection, link, first, now):
    mine = visit_of(connection, link, first, now)
    other_name = open_visit(connection, first, session_hash="o" * 64, client="", now=now)
    other = find_visit(connection, link, other_name)
    assert not overtaken(connection, mine)

    close_visit(connection, other, active_ms=1, conditions={}, now=now + timedelta(seconds=9))

    assert overtaken(connection, mine)


def test_nobody_was_active_longer_than_the_clock_ran(connection, link, first, now):
    for minutes in (1, 1, 1, 1, 2, 2, 30, 30, 30, 30):
        visit = visit_of(connection, link, first, now)
        assert seconds_per_item(connection, link) is None
        end = now + timedelta(minutes=minutes)
        close_visit(connection, visit, active_ms=10 * 60_000, conditions={}, now=end)

    assert seconds_per_item(connection, link) == 120


def test_what_was_done_lately_may_be_looked_at_again(connection, link, evaluation, first, now):
    visit = visit_of(connection, link, first, now)
    rate(connection, evaluation, first, now)
    close_visit(connection, visit, active_ms=1, conditions={}, now=now)

    assert last_done(connection, link, since=now, limit=5) == [first]
    assert last_done(connection, link, since=now + timedelta(seconds=1), limit=5) == []
    assert last_done(connection, link, since=now, limit=0) == []


def test_a_stale_draft_never_wins(connection, first, now):
    def save(base, event, value):
        body = Draft(values={"meaning": value})
        return save_draft(connection, first, body, base=base, event_id=event, now=now)

    assert save(0, "a", 1) == 1
    assert save(0, "a", 1) == 1  # the same change again
    assert save(0, "z", 1) == 1  # the same, from a page that was loaded anew
    assert save(0, "b", 2) is None
    assert save(1, "c", 3) == 2
    assert read_draft(connection, first).body == Draft(values={"meaning": 3})
    drop_draft(connection, first)
    assert read_draft(connection, first) is None


def test_a_locked_vote_does_not_change_and_waits_outside_the_queue(connection, link, first, now):
    save_draft(connection, first, Draft(), base=0, event_id="a", now=now, locked=True)

    assert save_draft(connection, first, Draft(), base=1, event_id="b", now=now) is None
    assert next_task(connection, link).item == "d2"
    assert count_queue(connection, link) == (0, 1, 1)


def test_comments_keep_every_revision_once(connection, first, now):
    for body in ("", "one", "one", "two", ""):
        add_comment(connection, first, body, now=now)

    assert read_comment(connection, first) == ""
    bodies = connection.execute(comments.select().order_by(comments.c.rev)).all()
    assert [row.body for row in bodies] == ["one", "two", ""]


def test_a_comment_on_an_output_under_another_letter_is_another(connection, first, now):
    for letter, body in (("A", ""), ("A", "one"), ("A", "one"), ("", "one"), ("B", "")):
        add_comment(connection, first, body, now=now, letter=letter)

    rows = connection.execute(comments.select().order_by(comments.c.rev)).all()
    assert [(row.letter, row.body) for row in rows] == [("A", "one"), ("", "one"), ("", "")]


def test_rule_flags_belong_to_a_revision(engine, evaluation, first, now):
    for level, event in ((5.0, "a"), (4.0, "b")):
        with writing(engine) as connection:
            rate(connection, evaluation, first, now, event=event, meaning=level)
            flag = RuleFlag("meaning", "code-differs", level, 3.0, shown=event == "b")
            add_rule_flags(connection, first, [flag])

    assert [(one.level, one.shown) for one in list_rule_flags(engine, first)] == [
        (5.0, False),
        (4.0, True),
    ]


def test_the_newest_answers_are_values_or_flags(connection, evaluation, first, now):
    rate(connection, evaluation, first, now, meaning=4.0)
    flagged = Submission(first, {}, "f", "r", "web", {"meaning": "unreadable"}, 0.5)
    insert_submissions(connection, evaluation, [flagged], now=now)

    assert latest_answer(connection, first) == LatestAnswer({}, {"meaning": "unreadable"}, 0.5)


def test_notes_keep_who_was_there(engine, evaluation, now):
    for text in ("first", "second"):
        with writing(engine) as connection:
            add_note(
                connection,
                evaluation,
                "d1",
                number=1,
                kind="discussion",
                body={"text": text},
                actor="E01",
                attendance=["E01", "E02"],
                now=now,
            )

    with reading(engine) as connection:
        rows = connection.execute(sa.select(notes).order_by(notes.c.rev)).all()
    assert [(row.rev, row.body["text"]) for row in rows] == [(1, "first"), (2, "second")]
    assert rows[0].attendance == ["E01", "E02"]


def test_the_same_refusal_is_kept_once(engine, evaluation, now):
    row = QuarantineRow(evaluation, "web", "visit x", "h", "the round is closed", now)
    with writing(engine) as connection:
        add_refused(connection, row)
        add_refused(connection, row)

    assert list_refused(engine, evaluation) == [row]


def test_the_log_shows_the_newest_first(engine, now):
    with writing(engine) as connection:
        for action in ("sign-in", "view"):
            add_audit(connection, action, actor="R01", object_="x", address="::1", now=now)

    assert [row.action for row in list_audit(engine)] == ["view", "sign-in"]


def test_only_known_assignments_are_asked(engine, evaluation, first):
    with reading(engine) as connection:
        found = read_asked(connection, evaluation, [first, "nothing"])

    assert list(found) == [first]
    assert (found[first].rater, found[first].round_state) == ("R01", "open")
