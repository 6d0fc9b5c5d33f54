from datetime import timedelta

import pytest

from ocrjury.campaign.history import Step
from ocrjury.store.database import reading, writing
from ocrjury.store.links import (
    GRACE,
    add_desk_link,
    add_link,
    extend_links,
    find_link,
    list_links,
    revoke_links,
    secret_hash,
)
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.rounds import change_round
from ocrjury.store.sessions import (
    IDLE,
    LONGEST,
    PAUSE,
    add_session,
    end_session,
    find_session,
    list_sessions,
    touch_session,
)

DAY = timedelta(days=1)


@pytest.fixture
def link_of(engine, evaluation, now):
    """A function that makes a link and returns its secret."""

    def make(rater="R01", number=1, **changes):
        with writing(engine) as connection:
            return add_link(
                connection, evaluation, rater, number=number, created_by="lead", now=now, **changes
            )

    return make


@pytest.fixture
def find(engine):
    def found(secret, moment):
        with reading(engine) as connection:
            return find_link(connection, secret_hash(secret), now=moment)

    return found


def test_a_link_opens_one_rater_s_work_in_one_round(link_of, find, evaluation, now):
    link = find(link_of(), now)

    assert (link.who, link.evaluation, link.round) == ("R01", evaluation, 1)
    assert find("another", now) is None


def test_a_link_ends_three_days_after_the_deadline_wherever_that_is(
    engine, link_of, find, evaluation, now
):
    secret, deadline = link_of(), now + timedelta(days=7)
    second = timedelta(seconds=1)
    assert find(secret, deadline + GRACE - second) is not None
    assert find(secret, deadline + GRACE) is None

    with writing(engine) as connection:
        change_round(connection, evaluation, deadline=deadline + timedelta(days=2))

    assert find(secret, deadline + GRACE + timedelta(days=2) - second) is not None


def test_an_end_that_was_set_counts_alone(link_of, find, now):
    secret = link_of(expires_at=now + timedelta(hours=1))

    assert find(secret, now) is not None
    assert find(secret, now + timedelta(hours=1)) is None


def test_a_revoked_link_ends_with_its_sessions(engine, link_of, find, evaluation, now):
    mine, other = link_of(), link_of("R02")
    with writing(engine) as connection:
        session = add_session(connection, find(mine, now), now=now)
        assert revoke_links(connection, evaluation, ["R01"], now=now) == 1
        assert revoke_links(connection, evaluation, ["R01"], now=now) == 0

    assert find(mine, now) is None
    assert find(other, now) is not None
    with reading(engine) as connection:
        assert find_session(connection, secret_hash(session), now=now) is None


def test_links_end_with_their_evaluation(engine, link_of, find, evaluation, now):
    secret = link_of()
    abort = Step("31", "aborted", "abort")
    with moving(engine, Position(evaluation, "collecting", 2), abort, mover=Mover(now)):
        pass

    assert find(secret, now) is None


def test_the_list_tells_who_has_been_there_and_no_secret(engine, link_of, find, evaluation, now):
    secret = link_of()
    link_of("R02", number=None)
    with writing(engine) as connection:
        add_session(connection, find(secret, now), now=now)

    first, second = list_links(engine, evaluation)
    assert (first.who, first.last_seen, first.ends_at) == (
        *("R01", now),
        now + timedelta(days=7) + GRACE,
    )
    assert (second.who, second.round, second.last_seen) == ("R02", None, None)
    assert secret not in str(first)


@pytest.fixture(params=["rating", "desk"])
def session(request, engine, evaluation, now):
    """An audience, and the hash of a session that a fresh link of it began."""
    with writing(engine) as connection:
        if request.param == "desk":
            secret = add_desk_link(connection, "J. Kim", now=now, expires_at=now + 7 * DAY)
        else:
            secret = add_link(connection, evaluation, "R01", number=1, created_by="lead", now=now)
        link = find_link(connection, secret_hash(secret), now=now, audience=request.param)
        return request.param, secret_hash(add_session(connection, link, now=now))


def test_a_session_ends_after_an_hour_without_work_after_twelve_and_with_its_link(
    engine, evaluation, session, now
):
    audience, key = session
    second = timedelta(seconds=1)

    def seen(connection, moment):
        return find_session(connection, key, now=moment, audience=audience)

    with writing(engine) as connection:
        assert seen(connection, now + IDLE) is not None
        assert seen(connection, now + IDLE + second) is None
        for hours in range(12):
            moment = now + timedelta(hours=hours)
            touch_session(connection, seen(connection, moment), now=moment)
        assert seen(connection, now + LONGEST) is not None
        assert seen(connection, now + LONGEST + second) is None
        revoked = revoke_links(connection, evaluation if audience == "rating" else None, now=now)
        assert revoked == 1
        assert seen(connection, now) is None


def test_links_and_sessions_of_raters_and_leads_never_meet(engine, evaluation, session, now):
    audience, key = session
    other = "rating" if audience == "desk" else "desk"

    with writing(engine) as connection:
        assert find_session(connection, key, now=now, audience=audience) is not None
        assert find_session(connection, key, now=now, audience=other) is None
        assert revoke_links(connection, evaluation if other == "rating" else None, now=now) == 0
        assert find_session(connection, key, now=now, audience=audience) is not None


def test_a_link_to_the_desk_works_until_its_end(engine, find, now):
    with writing(engine) as connection:
        secret = add_desk_link(connection, "J. Kim", now=now, expires_at=now + DAY)
        key, before = secret_hash(secret), now + DAY - timedelta(seconds=1)
        assert find_link(connection, key, now=before, audience="desk").who == "J. Kim"
        assert find_link(connection, key, now=now + DAY, audience="desk") is None
        assert revoke_links(connection, None, ["somebody"], now=now) == 0

    assert find(secret, now) is None
    (link,) = list_links(engine, None)
    assert (link.who, link.state(now), link.state(now + DAY)) == ("J. Kim", "works", "expired")


def test_ten_minutes_away_count_as_a_break(engine, link_of, find, now):
    link = find(link_of(), now)
    with writing(engine) as connection:
        session = secret_hash(add_session(connection, link, now=now))
        early = now + PAUSE - timedelta(seconds=1)
        touch_session(connection, find_session(connection, session, now=early), now=early)
        assert find_session(connection, session, now=early).working_since == now
        late = early + PAUSE
        assert find_session(connection, session, now=late).working_since == late
        end_session(connection, session, now=late)
        assert find_session(connection, session, now=late) is None


def test_the_end_of_a_rater_s_links_moves_and_revoked_ones_stay(engine, evaluation, now):
    with writing(engine) as connection:
        for rater in ("R01", "R02"):
            add_link(connection, evaluation, rater, number=1, created_by="lead", now=now)
        assert extend_links(connection, evaluation, "R01", until=now + 30 * DAY) == 1
        revoke_links(connection, evaluation, ["R02"], now=now)
        assert extend_links(connection, evaluation, "R02", until=now + 30 * DAY) == 0

    ends = {link.who: link.ends_at for link in list_links(engine, evaluation)}
    assert ends["R01"] == now + 30 * DAY
    assert ends["R02"] == now + 10 * DAY


def test_a_link_that_works_longer_is_not_cut_short(engine, evaluation, now):
    with writing(engine) as connection:
        add_link(connection, evaluation, "R01", number=1, created_by="lead", now=now)
        late = now + 40 * DAY
        add_link(connection, evaluation, "R02", number=1, created_by="J", now=now, expires_at=late)
        for rater in ("R01", "R02"):
            assert extend_links(connection, evaluation, rater, until=now + 7 * DAY) == 0

    ends = {link.who: link.ends_at for link in list_links(engine, evaluation)}
    assert ends == {"R01": now + 10 * DAY, "R02": now + 40 * DAY}


def test_addresses_are_forgotten_when_a_session_is_over(engine, link_of, find, now):
    link = find(link_of(), now)
    with writing(engine) as connection:
        first = secret_hash(add_session(connection, link, now=now, address="10.0.0.1"))
        add_session(connection, link, now=now, address="10.0.0.2")
        end_session(connection, first, now=now)
        kept = [session.address for session in list_sessions(connection, "R01", now=now)]
        later = now + LONGEST + timedelta(hours=1)
        add_session(connection, link, now=later, address="10.0.0.3")
        stored = connection.exec_driver_sql("select address from sessions").scalars().all()

    assert kept == ["10.0.0.2"]
    assert sorted(filter(None, stored)) == ["10.0.0.3"]
