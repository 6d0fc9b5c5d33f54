from ocrjury.store.database import reading, writing
from ocrjury.store.item_ratings import LatestAnswer, latest_answers
from ocrjury.store.ratings import Submission
from ocrjury.store.remarks import add_comment
from tests.store_calls import add_submissions


def submit(engine, evaluation, event, *, now, item="d1", rater="R01", **said):
    values = {"values": {}, **said}
    name = f"{evaluation}/1/{rater}/0/{item}"
    one = Submission(name, event_id=event, rubric_hash="r", source="sheet", **values)
    add_submissions(engine, evaluation, [one], now=now)
    return name


def answers(engine, evaluation, **options):
    with reading(engine) as connection:
        return latest_answers(connection, evaluation, **{"number": 1, "rater": "R01", **options})


def test_the_newest_revision_counts(engine, evaluation, now):
    name = submit(engine, evaluation, "1", now=now, values={"meaning": 4.0}, confidence=0.5)
    submit(engine, evaluation, "2", now=now, values={"meaning": 2.0})

    assert answers(engine, evaluation) == {name: LatestAnswer({"meaning": 2.0}, {}, None)}


def test_a_reason_takes_the_place_of_a_value(engine, evaluation, now):
    name = submit(engine, evaluation, "1", now=now, values={"meaning": 4.0})
    submit(engine, evaluation, "2", now=now, flags={"meaning": "other"}, confidence=1.0)

    assert answers(engine, evaluation) == {name: LatestAnswer({}, {"meaning": "other"}, 1.0)}


def test_only_this_rater_and_round_are_asked_for(engine, evaluation, now):
    submit(engine, evaluation, "1", now=now, rater="R02", values={"meaning": 4.0})

    assert answers(engine, evaluation) == {}
    assert answers(engine, evaluation, rater="R02", number=2) == {}
    assert len(answers(engine, evaluation, rater="R02")) == 1


def test_the_newest_comment_comes_along(engine, evaluation, now):
    name = submit(engine, evaluation, "1", now=now, values={"meaning": 4.0})
    for body in ("first", "second"):
        with writing(engine) as connection:
            add_comment(connection, name, body, now=now)

    assert answers(engine, evaluation) == {name: LatestAnswer({"meaning": 4.0}, {}, None, "second")}
