from datetime import timedelta

import pytest

from ocrjury.store import rests
from ocrjury.store.audit import add_audit
from ocrjury.store.database import writing
from ocrjury.store.rests import Rest, keep_rest, list_rests, read_marks


@pytest.fixture
def rest(engine, evaluation, now):
    marks = read_marks(engine)
    until = now + timedelta(hours=1)
    found = Rest(evaluation, marks.versions[evaluation], marks.line, "Held", "late", "", "x", until)
    keep_rest(engine, found)
    return found


def at_rest(engine, now):
    return list_rests(engine, surroundings="x", now=now)


def test_what_rests_is_kept_once_with_what_was_found_last(engine, rest, now):
    newer = rest._replace(sentence="later")
    keep_rest(engine, newer)

    assert at_rest(engine, now) == {rest.evaluation: newer}
    assert at_rest(engine, rest.until) == list_rests(engine, surroundings="y", now=now) == {}


def test_news_about_another_evaluation_or_too_much_of_it(engine, rest, now, monkeypatch):
    def write(about):
        with writing(engine) as connection:
            add_audit(connection, "rate", actor="R01", object_=about, address="cli", now=now)

    write(f"{rest.evaluation}b/1/R01/0/d1")
    assert at_rest(engine, now) == {rest.evaluation: rest}
    monkeypatch.setattr(rests, "_MOST_NEWS", 1)
    assert at_rest(engine, now) == {}
    monkeypatch.undo()
    write(f"{rest.evaluation}/1/R01/0/d1")
    assert at_rest(engine, now) == {}
