"""A mail is claimed before it is sent, by one process at a time."""

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from threading import Barrier

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocrjury.errors import LostRaceError
from ocrjury.store.database import open_database
from ocrjury.store.reports import list_deliveries
from ocrjury.store.sendings import (
    ATTEMPTS,
    CLAIM_LASTS,
    PAUSES,
    UNKNOWN,
    Sending,
    claim_sending,
    settle,
)
from tests.conftest import NOW

MAIL = Sending("claims-2026w47", "<m@example.org>", "reminder", "a@example.org", "5be1")
LATER = CLAIM_LASTS + timedelta(seconds=1)


def lines(engine, mail=MAIL):
    """What the ledger says of a mail."""
    found = list_deliveries(engine, mail.evaluation)
    return [(one.attempt, one.state) for one in found if one.message_id == mail.message_id]


def test_whoever_comes_second_sends_nothing(engine, now):
    claim = claim_sending(engine, MAIL, now=now)

    assert claim.attempt == 1
    assert claim_sending(engine, MAIL, now=now) is None
    settle(engine, claim, state="sent", detail=None, now=now)
    assert claim_sending(engine, MAIL, now=now + LATER) is None
    assert claim_sending(engine, MAIL, now=now, limit=None) is None
    assert lines(engine) == [(1, "sent")]


def test_what_was_given_up_early_is_not_tried_again(engine, now):
    claim = claim_sending(engine, MAIL, now=now)
    settle(engine, claim, state="given_up", detail="404", now=now)

    assert claim_sending(engine, MAIL, now=now + timedelta(days=9)) is None
    assert lines(engine) == [(1, "given_up")]


def test_of_many_at_once_one_may_send(engine, now):
    barrier = Barrier(8, timeout=60)

    def claim(_):
        barrier.wait()
        return claim_sending(engine, MAIL, now=now)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(claim, range(8), timeout=60))

    assert [one.attempt for one in found if one] == [1]


def test_of_many_at_once_one_takes_a_dead_claim_over(engine, now):
    claim_sending(engine, MAIL, now=now)
    barrier = Barrier(8, timeout=60)

    def claim(_):
        barrier.wait()
        return claim_sending(engine, MAIL, now=now + LATER)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(claim, range(8), timeout=60))

    assert [one.attempt for one in found if one] == [2]
    assert lines(engine) == [(1, "failed")]


def test_a_claim_is_taken_over_when_its_process_must_be_dead(engine, now):
    claim_sending(engine, MAIL, now=now)

    assert claim_sending(engine, MAIL, now=now + CLAIM_LASTS - timedelta(seconds=1)) is None
    second = claim_sending(engine, MAIL, now=now + LATER)

    assert second.attempt == 2
    [dead] = list_deliveries(engine, MAIL.evaluation)
    assert (dead.state, dead.detail) == ("failed", UNKNOWN)
    assert (dead.recipient, dead.sha256) == (MAIL.recipient, MAIL.sha256)


def test_who_wakes_up_after_that_learns_that_it_lost(engine, now):
    first = claim_sending(engine, MAIL, now=now)
    second = claim_sending(engine, MAIL, now=now + LATER)

    with pytest.raises(LostRaceError, match="another process delivered <m@"):
        settle(engine, first, state="sent", detail=None, now=now + LATER)
    settle(engine, second, state="sent", detail=None, now=now + LATER)

    assert lines(engine) == [(1, "failed"), (2, "sent")]


def test_a_refused_mail_is_tried_again_after_longer_and_longer_pauses(engine, now):
    for attempt in range(1, ATTEMPTS + 1):
        claim = claim_sending(engine, MAIL, now=now)
        assert claim.attempt == attempt
        settle(engine, claim, state="failed", detail="450 come back later", now=now)
        if attempt < ATTEMPTS:
            assert claim_sending(engine, MAIL, now=now + PAUSES[attempt - 1] * 0.99) is None
            now += PAUSES[attempt - 1]

    assert lines(engine)[-1] == (ATTEMPTS, "given_up")
    assert claim_sending(engine, MAIL, now=now + timedelta(days=9)) is None


@pytest.mark.parametrize("settled", [True, False])
def test_an_attempt_of_a_clock_that_was_ahead_is_not_waited_for(engine, now, settled):
    year = timedelta(days=365)
    claim = claim_sending(engine, MAIL, now=now + year)
    if settled:  # by a wrong clock, a certificate has expired
        settle(engine, claim, state="failed", detail="TLS", now=now + year)

    again = claim_sending(engine, MAIL, now=now)

    assert again.attempt == 2
    assert claim_sending(engine, MAIL, now=now) is None


def test_a_person_need_not_wait_for_another_attempt(engine, now):
    for attempt in range(1, ATTEMPTS + 3):
        claim = claim_sending(engine, MAIL, now=now, limit=None)
        assert claim.attempt == attempt
        settle(engine, claim, state="failed", detail="450 come back later", now=now)


def test_a_process_that_dies_at_the_last_attempt_gives_the_mail_up(engine, now):
    for attempt in range(ATTEMPTS):
        claim_sending(engine, MAIL, now=now + attempt * LATER)

    assert claim_sending(engine, MAIL, now=now + ATTEMPTS * LATER) is None
    assert [state for _, state in lines(engine)] == ["failed"] * 4 + ["given_up"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    engine = open_database(f"sqlite:///{tmp_path_factory.mktemp('sendings')}/ocrjury.db")
    yield engine
    engine.dispose()


NUMBERS = count()
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["claim", "claim", "sent", "failed", "crash", "wait"]), st.integers(0, 2)
    ),
    min_size=10,
    max_size=30,
)
LONG = [("wait", 0)] * 9


@example(steps=[("claim", 0), ("claim", 1), ("sent", 0), *LONG, ("claim", 1), ("sent", 1)])
@example(steps=[("claim", 0), *LONG, ("claim", 1), ("sent", 0), ("sent", 1), *LONG, ("claim", 2)])
@given(steps=STEPS)
def test_whatever_three_processes_do_at_most_one_holds_a_mail(kept, steps):
    mail = MAIL._replace(message_id=f"<{next(NUMBERS)}@example.org>")
    now, held, outcomes = NOW, {}, defaultdict(list)
    for what, who in steps:
        if what == "wait":
            now += timedelta(minutes=4)
        elif what == "claim" and who not in held:
            claim = claim_sending(kept, mail, now=now)
            if claim is not None:
                assert True not in outcomes["sent"]
                assert all(now - one.at >= CLAIM_LASTS for one in held.values())
                held[who] = claim
        elif what == "crash":
            held.pop(who, None)
        elif what in {"sent", "failed"} and who in held:
            outcomes[what].append(_settled(kept, held.pop(who), what, now))

    attempts = lines(kept, mail)
    assert [attempt for attempt, _ in attempts] == list(range(1, len(attempts) + 1))
    assert [state for _, state in attempts].count("sent") == outcomes["sent"].count(True)
    assert outcomes["sent"].count(True) <= 1
    assert all(state != "sent" for _, state in attempts[:-1])


def _settled(engine, claim, state, now):
    """Whether the outcome was noted, not lost to a process that took the claim over."""
    try:
        settle(engine, claim, state=state, detail=None, now=now)
    except LostRaceError:
        return False
    return True
