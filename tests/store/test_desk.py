"""What the desk keeps and reads: its links, requests, newest results, activity, texts."""

from datetime import timedelta

import pytest

from ocrjury.errors import StateError
from ocrjury.store.database import reading, writing
from ocrjury.store.decisions import (
    add_request,
    list_requested,
    list_requests,
    settle_request,
    waiting_request,
)
from ocrjury.store.item_ratings import list_given, list_texts
from ocrjury.store.links import (
    add_desk_link,
    add_link,
    extend_links,
    find_link,
    list_links,
    revoke_links,
    secret_hash,
)
from ocrjury.store.moves import Position
from ocrjury.store.outbox import list_unsent
from ocrjury.store.raters import list_activity
from ocrjury.store.ratings import Submission, add_submissions
from ocrjury.store.results import Result, add_results, newest_results
from ocrjury.store.sessions import IDLE, LONGEST, add_session, find_session, touch_session

DAY = timedelta(days=1)


def ask(engine, evaluation, now, *, decision="proceed", version=2):
    with writing(engine) as connection:
        return add_request(
            connection,
            Position(evaluation, "collecting", version),
            decision=decision,
            target={"days": 3},
            reason="public holiday",
            actor="J. Kim",
            now=now,
        )


def sign_in(engine, now, *, days=7):
    """Return the hash of a session that a fresh link began."""
    with writing(engine) as connection:
        secret = add_desk_link(connection, "J. Kim", now=now, expires_at=now + days * DAY)
        link = find_link(connection, secret_hash(secret), now=now, audience="desk")
        return secret_hash(add_session(connection, link, now=now))


def found(engine, session, at):
    with reading(engine) as connection:
        return find_session(connection, session, now=at, audience="desk")


def test_a_session_ends_with_rest_with_time_and_with_its_link(engine, now):
    session = sign_in(engine, now)
    first = found(engine, session, now + IDLE)
    assert first.link.who == "J. Kim"
    assert found(engine, session, now + IDLE + timedelta(seconds=1)) is None
    with writing(engine) as connection:
        touch_session(connection, first, now=now + LONGEST)

    assert found(engine, session, now + LONGEST) is not None
    assert found(engine, session, now + LONGEST + timedelta(seconds=1)) is None
    with writing(engine) as connection:
        assert revoke_links(connection, None, now=now) == 1
    assert found(engine, session, now) is None


def test_a_link_works_until_its_end(engine, now):
    with writing(engine) as connection:
        secret = add_desk_link(connection, "J. Kim", now=now, expires_at=now + DAY)
        key = secret_hash(secret)
        before = find_link(connection, key, now=now + DAY - timedelta(seconds=1), audience="desk")
        assert before.who == "J. Kim"
        assert find_link(connection, key, now=now + DAY, audience="desk") is None
        assert find_link(connection, key, now=now) is None
    (link,) = list_links(engine, None)
    assert (link.who, link.state(now), link.state(now + DAY)) == ("J. Kim", "works", "expired")


def test_links_and_sessions_of_raters_and_leads_never_meet(engine, evaluation, now):
    session = sign_in(engine, now)
    with writing(engine) as connection:
        made = {"number": None, "created_by": "lead", "now": now}
        rater = secret_hash(add_link(connection, evaluation, "R01", **made))

        assert find_session(connection, session, now=now) is None
        assert find_link(connection, rater, now=now, audience="desk") is None
        assert revoke_links(connection, None, ["R01"], now=now) == 0
        assert find_link(connection, rater, now=now).who == "R01"


def test_one_request_waits_and_is_announced(engine, evaluation, now):
    name = ask(engine, evaluation, now)

    with pytest.raises(StateError, match="still waits to be taken"):
        ask(engine, evaluation, now, decision="abort")
    assert waiting_request(engine, evaluation).request == name
    assert list_requested(engine) == [evaluation]
    assert [one.name for one in list_unsent(engine)] == ["ocrjury.decision.requested"]


def test_a_settled_request_stays_as_it_was_settled(engine, evaluation, now):
    name = ask(engine, evaluation, now)
    settle_request(engine, name, "refused", now=now, detail="nobody is left")
    settle_request(engine, name, "taken", now=now)
    again = ask(engine, evaluation, now + DAY)

    rows = list_requests(engine, evaluation)
    assert [(row.request, row.outcome, row.detail) for row in rows] == [
        (name, "refused", "nobody is left"),
        (again, None, None),
    ]
    assert len(list_unsent(engine)) == 2


def test_the_newest_result_has_its_round_and_moment(engine, evaluation, now):
    assert newest_results(engine, evaluation, "interim") is None
    for number, value, later in ((1, 1, 0), (2, 2, 1), (2, 3, 2)):
        row = Result(number, "interim", "meaning", {"value": value}, "i")
        with writing(engine) as connection:
            add_results(connection, evaluation, [row], now=now + later * DAY)

    newest = newest_results(engine, evaluation, "interim")

    assert (newest.round, newest.at) == (2, now + 2 * DAY)
    assert newest.bodies == {"meaning": {"value": 3}}


def test_activity_texts_and_ratings_are_those_of_the_round(engine, evaluation, now):
    sent = Submission(f"{evaluation}/1/R01/0/d1", {"meaning": 4.0}, "e1", "r", "web")
    add_submissions(engine, evaluation, [sent], now=now)

    first, second = list_activity(engine, evaluation, 1)
    with reading(engine) as connection:
        (given,) = list_given(connection, evaluation, ["d1", "d2"])
        texts = list_texts(connection, evaluation, ["d2"])

    assert (first.done, first.open, first.asked, first.last) == (1, 1, 2, now)
    assert (second.done, second.open, second.last) == (0, 2, None)
    assert given == ("d1", "meaning", "R01", 4.0)
    assert [(one.item, one.reference) for one in texts] == [("d2", "금액")]


def test_the_end_of_a_rater_s_links_moves_and_revoked_ones_stay(engine, evaluation, now):
    with writing(engine) as connection:
        for rater in ("R01", "R02"):
            add_link(connection, evaluation, rater, number=1, created_by="lead", now=now)
        assert extend_links(connection, evaluation, "R01", until=now + 30 * DAY) == 1

    ends = {link.who: link.ends_at for link in list_links(engine, evaluation)}
    assert ends["R01"] == now + 30 * DAY
    assert ends["R02"] == now + 10 * DAY
