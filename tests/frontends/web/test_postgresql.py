"""The same page on PostgreSQL: every statement it makes, over real HTTP."""

import json
from threading import Thread

from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.links import list_links
from ocrjury.store.quarantine import list_refused
from ocrjury.store.ratings import lock_open_round
from tests.frontends.web.conftest import open_place, serving, store_in
from tests.frontends.web.test_round_kinds import next_round, rated
from tests.locks import wait_for_waiting

EXPERTS = [RaterEntry(f"E0{number}", role="expert") for number in (1, 2)]


def agree(client, place, attendance):
    page = client.ask("GET", "/panel").text.decode()
    visit = page.split("/panel/")[1].split('"')[0]
    form = client.ask("GET", f"/panel/{visit}").text.decode()
    client.token = form.split('data-token="')[1].split('"')[0]
    body = {
        "event_id": "agreed-1234",
        "rubric_hash": form.split('data-rubric="')[1].split('"')[0],
        "values": {"meaning": 3, "layout": 3},
        "discussion": "Talked.",
        "attendance": attendance,
    }
    return client.ask("POST", f"/api/consensus/{visit}", body)


def test_all_kinds_of_rounds_work(postgres_url, tmp_path, now):
    with store_in(tmp_path, url=postgres_url) as base, serving(base) as base.server:
        place = open_place(base, people=EXPERTS)
        client = place.client()
        assert client.enter(place.link("R01")).status == 303
        visit, rev, _, _ = client.open()
        draft = {"event_id": "draft-1234", "base": rev, "values": {"meaning": 5}}
        saved = client.ask("PUT", f"/api/drafts/{visit}", draft)
        assert json.loads(saved.text)["notes"] == {
            "meaning": "The value differs, 2 of 8 characters: at most 4"
        }
        assert client.hand_in({"meaning": 5, "layout": 2}, comment="so").status == 200
        assert client.hand_in({"meaning": 9, "layout": 2}).status == 422
        assert client.ask("GET", "/previous").getheader("Location").startswith("/as/")
        assert place.rows("rule_flags", "level") == [{"level": 5.0}]

        adjudicate_and_agree(place, now)

        assert len(place.own("signals", "name")) == 2
        assert len(list_refused(place.store.engine, place.evaluation)) == 1
        assert len(list_links(place.store.engine, place.evaluation)) == 4
        assert {row.action for row in list_audit(place.store.engine)} == {
            *("sign-in", "view", "rate", "vote", "agree"),
        }


def adjudicate_and_agree(place, now):
    rated(place, now, {"R02": (1, 5)})
    next_round(place, "adjudication", ["A01"], now)
    judge = place.client()
    judge.enter(place.link("A01"))
    visit, rev, rubric, _ = judge.open()
    own = {"base": rev, "rubric_hash": rubric, "values": {"meaning": 2, "layout": 2}}
    first = judge.ask("POST", f"/api/judgements/{visit}", {**own, "event_id": "first-1234"})
    assert first.status == 200
    assert "Rater B" in judge.open()[3]
    assert judge.hand_in({"meaning": 3, "layout": 2}, category="rater_error").status == 200

    next_round(place, "panel", ["E01", "E02"], now)
    for expert, value in (("E01", 1), ("E02", 5)):
        voter = place.client()
        voter.enter(place.link(expert))
        assert voter.hand_in({"meaning": value, "layout": 5}).status == 200
    assert agree(voter, place, ["E02"]).status == 200


def test_of_two_last_votes_at_once_that_differ_one_waits_for_the_panel(postgres_url, tmp_path, now):
    with store_in(tmp_path, url=postgres_url) as base, serving(base) as base.server:
        place = open_place(base, people=EXPERTS)
        next_round(place, "panel", ["E01", "E02"], now)

        hand_in_at_once(place, {"E01": 1, "E02": 5})

        assert sorted(row["locked"] for row in place.rows("drafts", "locked")) == [True]
        assert len(place.rows("ratings", "value")) == 2  # on two dimensions, of one expert
        assert place.own("signals", "name") == []


def hand_in_at_once(place, votes):
    """Let experts send their votes while somebody else holds the round."""
    threads = []
    for expert, value in votes.items():
        voter = place.client()
        voter.enter(place.link(expert))
        visit, rev, rubric, _ = voter.open()
        body = {"event_id": f"event-{expert}", "base": rev, "rubric_hash": rubric}
        body["values"] = {"meaning": value, "layout": 5}
        sent = ("POST", f"/api/ratings/{visit}", {**body, "told": ["meaning"]})
        threads.append(Thread(target=voter.ask, args=sent))
    with writing(place.store.engine) as connection:
        lock_open_round(connection, place.evaluation)
        for thread in threads:
            thread.start()
        wait_for_waiting(place.store.engine, len(threads))
    for thread in threads:
        thread.join(60)
