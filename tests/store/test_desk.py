"""What the desk keeps and reads: requests, newest results, activity, texts."""

from datetime import timedelta

import pytest

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.errors import StateError
from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import AgreementFinding, Disagreements
from ocrjury.findings.sampling import Balance
from ocrjury.store.database import reading, writing
from ocrjury.store.decisions import (
    add_request,
    list_requested,
    list_requests,
    settle_request,
    waiting_request,
)
from ocrjury.store.item_ratings import list_given, list_texts
from ocrjury.store.moves import Position
from ocrjury.store.outbox import list_unsent
from ocrjury.store.raters import list_activity
from ocrjury.store.ratings import Submission
from ocrjury.store.results import Result, add_results, newest_findings
from ocrjury.store.timelines import estimate_history, list_hand_ins
from tests.store_calls import add_submissions

DAY = timedelta(days=1)


def ask(engine, evaluation, now, *, decision="proceed", version=2):
    with writing(engine) as connection:
        return add_request(
            connection,
            Position(evaluation, "collecting", version),
            decision=decision,
            target=DecisionTarget(days=3),
            reason="public holiday",
            actor="J. Kim",
            now=now,
        )


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
    assert newest_findings(engine, evaluation, Balance, kind="interim") is None
    for number, value, later in ((1, 1, 0), (2, 2, 1), (2, 3, 2)):
        found = Balance("cer", pool=value, sample=value, weighted=value)
        row = Result(number, "interim", "meaning", found, "i")
        with writing(engine) as connection:
            add_results(connection, evaluation, [row], now=now + later * DAY)

    newest = newest_findings(engine, evaluation, Balance, kind="interim")

    assert (newest.round, newest.at) == (2, now + 2 * DAY)
    assert [(name, found.pool) for name, found in newest.findings.items()] == [("meaning", 3)]


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
    assert [(text.item, text.reference) for text in texts] == [("d2", "금액")]


def test_a_history_reads_the_estimate_alone_and_is_thinned_evenly(engine, evaluation, now):
    for number in range(1, 8):
        alpha = {"krippendorff_alpha": Estimate(number / 10)}
        found = AgreementFinding(
            dimension="meaning",
            n_items=2,
            n_raters=2,
            n_ratings=4,
            estimates=alpha,
            disagreements=Disagreements(threshold=2, n_items=2, n=0, rate=0.0),
        )
        row = Result(1, "interim", "meaning", found, f"i{number}")
        with writing(engine) as connection:
            add_results(connection, evaluation, [row], now=now + number * DAY)
    asked = {"meaning": "krippendorff_alpha", "layout": "krippendorff_alpha"}

    found = estimate_history(engine, evaluation, asked, number=1, most=3)
    other = estimate_history(engine, evaluation, {"meaning": "icc"}, number=1, most=3)

    assert [(row.at, row.estimate.value) for row in found["meaning"]] == [
        (now + DAY, 0.1),
        (now + 4 * DAY, 0.4),
        (now + 7 * DAY, 0.7),
    ]
    assert (found["layout"], other["meaning"]) == ([], [])


def test_an_answer_counts_from_its_first_hand_in(engine, evaluation, now):
    name = f"{evaluation}/1/R01/0/d1"
    for event, value, later in (("e1", 4.0, 0), ("e2", 2.0, 1)):
        sent = Submission(name, {"meaning": value}, event, "r", "web")
        add_submissions(engine, evaluation, [sent], now=now + later * DAY)

    assert list_hand_ins(engine, evaluation, 1) == [now]
