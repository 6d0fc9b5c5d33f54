"""Practice, adjudication and panels, in a real browser against a real server process."""

import pytest

from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.database import writing
from ocrjury.store.documents import GoldRow
from ocrjury.store.ratings import Submission
from ocrjury.store.rounds import NewAssignment, RoundPlan, close_round, open_round
from tests.store_calls import add_submissions
from tests.whole_pages import follow, press, wait_until

EXPERTS = [RaterEntry(f"E0{number}", role="expert") for number in (1, 2, 3)]


def next_round(place, kind, raters, now, *, items=("d1",)):
    """Close the round and open one of another kind."""
    asks = [NewAssignment(item, rater, n) for rater in raters for n, item in enumerate(items, 1)]
    plan = RoundPlan(kind, "x", ("meaning", "layout"), "web", now.replace(year=2100), tuple(asks))
    with writing(place.store.engine) as connection:
        close_round(connection, place.evaluation, by="complete", now=now)
        open_round(connection, place.evaluation, plan, now=now)


def rated(place, now, values):
    """Hand in ratings of d1 by rater."""
    rubric = place.ask(
        f"select rubric_hash from evaluations where evaluation = '{place.evaluation}'"
    )
    sent = [
        Submission(
            assignment=f"{place.evaluation}/1/{rater}/0/d1",
            values=dict(zip(("meaning", "layout"), pair, strict=True)),
            event_id=f"{place.evaluation}-{rater}",
            rubric_hash=rubric[0]["rubric_hash"],
            source="web",
        )
        for rater, pair in values.items()
    ]
    add_submissions(place.store.engine, place.evaluation, sent, now=now)


@pytest.fixture
def disputed(rounds, now):
    """An evaluation whose adjudicator has one item, on which two raters differ."""
    place = rounds()
    rated(place, now, {"R01": (1, 5), "R02": (5, 5)})
    next_round(place, "adjudication", ["A01"], now)
    return place


@pytest.fixture
def panel(rounds, now):
    place = rounds(people=EXPERTS)
    next_round(place, "panel", [one.pseudonym for one in EXPERTS], now)
    return place


def test_an_adjudicator_judges_before_seeing_what_the_raters_said(disputed, visitor):
    page = visitor(disputed.server, disputed.link("A01"))
    assert page.locator(".others").count() == 0

    press(page, "5", "4", "Enter", "Enter")  # the rule is asked about once
    page.locator(".others").wait_for()
    page.wait_for_load_state()
    table = page.locator(".others table").text_content()
    assert "Rater A" in table
    assert "R01" not in page.content().replace("(R01)", "")
    press(page, "Enter")
    page.get_by_role("alert").get_by_text("Choose why the ratings differ").wait_for()
    press(page, "3", "ArrowDown", "3", "Enter")  # a reason has keys as a level has
    page.get_by_role("heading", name="All done").wait_for()

    meaning = [
        (row["rev"], row["value"])
        for row in disputed.rows("ratings", "rev", "value", "dimension", "assignment", order="rev")
        if row["dimension"] == "meaning" and "/A01/" in row["assignment"]
    ]
    assert meaning == [(1, 5.0), (2, 3.0)]
    assert disputed.rows("rule_flags", "rev", "level") == [{"rev": 1, "level": 5.0}]
    note = disputed.own("notes", "kind", "body", "actor")
    assert note == [{"kind": "adjudication", "body": '{"category": "rater_error"}', "actor": "A01"}]
    assert len(disputed.own("signals", "name")) == 1


def vote_of_two(panel, client_of):
    """Let two of three experts vote alike."""
    for expert in ("E01", "E02"):
        assert client_of(panel, expert).hand_in({"meaning": 4, "layout": 5}).status == 200


def test_experts_vote_alone_then_agree(panel, client_of, visitor):
    vote_of_two(panel, client_of)
    page = visitor(panel.server, panel.link("E03"))
    assert page.get_by_text("The votes").count() == 0
    privacy = ("f", "5")
    press(page, "5", "5", *privacy, "Enter", "Enter")
    wait_until(page, "() => !document.body.dataset.visit")
    assert panel.own("signals", "name") == []

    follow(page, page.get_by_role("link", name="Items to agree on"))
    follow(page, page.get_by_role("link", name="Item 1"))
    assert page.locator(".others tbody tr").count() == 3
    page.get_by_label("Discussion").fill("The amount is right.")
    page.get_by_label("E01").check()
    for name, value in (("meaning", "3"), ("layout", "5")):
        page.locator(f"[name=value-{name}][value='{value}']").check(force=True)
    page.get_by_role("button", name="Record the agreement").click()
    page.get_by_text("There is nothing to agree on").wait_for()

    meaning = {}
    for row in panel.rows("ratings", "assignment", "value", "dimension", "rev", order="rev"):
        if row["dimension"] == "meaning":
            meaning.setdefault(row["assignment"].split("/")[2], []).append(row["value"])
    assert meaning == {"E01": [4.0, 3.0], "E02": [4.0], "E03": [5.0, 3.0]}
    assert panel.rows("rule_flags", "rev", "level") == [{"rev": 1, "level": 5.0}]
    assert panel.rows("item_flags", "reason") == [{"reason": "privacy"}]
    kinds = {row["kind"]: row["attendance"] for row in panel.own("notes", "kind", "attendance")}
    assert kinds == {"discussion": '["E01", "E03"]', "consensus": '["E01", "E03"]'}
    assert panel.own("signals", "name") == [{"name": "ocrjury.round.complete"}]
    lines = f"select action from audit where object like '{panel.evaluation}/%'"
    assert {row["action"] for row in panel.ask(lines)} >= {"rate", "vote", "agree"}
    assert page.wrong == []


@pytest.fixture
def at_the_item_to_agree_on(panel, client_of, visitor):
    """The page of the last of three experts who voted apart: of the item that they discuss."""
    vote_of_two(panel, client_of)
    page = visitor(panel.server, panel.link("E03"))
    press(page, "2", "5", "Enter")
    wait_until(page, "() => !document.body.dataset.visit")
    follow(page, page.get_by_role("link", name="Items to agree on"))
    follow(page, page.get_by_role("link", name="Item 1"))
    return page


def test_an_agreement_without_a_connection_is_said_to_be_on_the_page_only(
    panel, at_the_item_to_agree_on
):
    page = at_the_item_to_agree_on
    page.get_by_label("Discussion").fill("The amount is right.")
    page.get_by_label("E01").check()
    for name, value in (("meaning", "3"), ("layout", "5")):
        page.locator(f"[name=value-{name}][value='{value}']").check(force=True)
    agree = page.get_by_role("button", name="Record the agreement")

    page.context.set_offline(True)
    agree.click()
    page.get_by_role("alert").get_by_text("What you entered is only on this page").wait_for()
    page.context.set_offline(False)
    agree.click()
    page.get_by_text("There is nothing to agree on").wait_for()

    assert [row["kind"] for row in panel.own("notes", "kind", order="kind")] == [
        "consensus",
        "discussion",
    ]


def test_the_keys_beside_votes_work_but_where_something_is_written(at_the_item_to_agree_on):
    page = at_the_item_to_agree_on
    texts, guide = page.locator("#texts"), page.locator("#guide")

    press(page, "d", "g", "r")
    pressed = [texts.get_attribute("data-diff"), guide.get_attribute("open")]
    page.get_by_label("Discussion").press_sequentially("dg")
    written = [texts.get_attribute("data-diff"), guide.get_attribute("open")]

    assert pressed == written == ["hidden", ""]
    assert "rotate(90deg)" in page.locator("#picture").get_attribute("style")
    assert page.get_by_label("Discussion").input_value() == "dg"


def test_votes_that_agree_need_no_talk(panel, client_of, visitor):
    vote_of_two(panel, client_of)
    page = visitor(panel.server, panel.link("E03"))
    press(page, "4", "5", "Enter")
    page.get_by_role("heading", name="Your votes are in").wait_for()

    assert panel.own("signals", "name") == [{"name": "ocrjury.round.complete"}]
    assert panel.own("notes", "kind") == []


def test_practice_tells_what_was_expected_and_cannot_be_changed(rounds, item, visitor):
    why = "The amount differs."
    known = [GoldRow("d1", "meaning", 2.0, why, "file"), GoldRow("d1", "layout", 5.0, "", "file")]
    there = [item("d1", purpose="pilot", inclusion_probability=None), item("d2")]
    place = rounds(kind="pilot", raters=("R01",), items=there, gold=known)
    page = visitor(place.server, place.link("R01"))
    assert why not in page.content()

    press(page, "4", "5", "Enter")
    page.wait_for_url("**/practice/*")
    page.get_by_text(why).wait_for()
    assert page.locator(".lesson.other b").all_text_contents() == ["4", "2"]
    page.get_by_role("link", name="Next item").click()
    page.get_by_text("1 of 2 done").wait_for()
    page.goto(f"{place.server.address}/previous")

    assert page.url.endswith("/rate")


def test_silent_gold_and_second_ratings_look_like_any_other_item(
    rounds, item, client_of, secrets_of_items
):
    there = [item("d1"), item("d2", purpose="gold", inclusion_probability=None)]
    plan = [
        NewAssignment("d1", "R01", 1),
        NewAssignment("d2", "R01", 2, reason="gold"),
        NewAssignment("d1", "R01", 3, repeat=1, reason="repeat"),
    ]
    known = [GoldRow("d2", "meaning", 2.0, "known", "file")]
    place = rounds(raters=("R01",), items=there, plan=tuple(plan), gold=known)
    client = client_of(place, "R01")
    pages = []
    for _ in plan:
        visit, _, _, page = client.open()
        pages.append(page.replace(visit, "VISIT"))
        client.hand_in()

    plain = [blank(page) for page in pages]
    assert plain[0] == plain[1] == plain[2]
    for secret in (*secrets_of_items, "gold", "repeat", "/1/", "d1", "d2"):
        assert not any(secret in page for page in plain), secret


def blank(page):
    """A page without what differs from one item to the next by design."""
    import re

    page = re.sub(r'name="event_id" value="[^"]+"', "", page)
    page = re.sub(r"\d of 3 done|about \d+ min left|/static/\w+/|/as/[0-9a-f]{20}/", "", page)
    return re.sub(
        r'<progress [^>]+>|data-(token|work|rubric|item|owner)="[\w-]+"|value="\w{64}"', "", page
    )


def test_an_adjudication_that_is_changed_still_has_its_reason(disputed, client_of):
    client = client_of(disputed, "A01")
    visit, rev, rubric, _ = client.open()
    values = {"meaning": 4, "layout": 4}
    body = {"event_id": "event-of-judgement", "base": rev, "rubric_hash": rubric, "values": values}
    client.ask("POST", f"/api/judgements/{visit}", body)
    assert client.hand_in(values, category="data_error").status == 200

    back = client.ask("GET", "/previous").getheader("location")
    *_, page = client.open(back)

    assert 'name="category" value="data_error" checked' in page


def test_an_expert_who_voted_is_told_what_comes_next(panel, client_of):
    client = client_of(panel, "E01")
    client.hand_in()

    page = client.ask("GET", "/rate").text.decode()

    assert "Your votes are in" in page
    assert "All done" not in page


def test_the_last_vote_counts_where_the_round_is_closed_before_the_panel_has_met(
    panel, client_of, now
):
    for expert, level in (("E01", 4), ("E02", 4), ("E03", 2)):
        vote = {"meaning": level, "layout": 5}
        assert client_of(panel, expert).hand_in(vote, comment=f"of {expert}").status == 200
    before = panel.rows("ratings", "value")

    with writing(panel.store.engine) as connection:
        close_round(connection, panel.evaluation, by="decision", now=now)

    states = {row["rater"]: row["state"] for row in panel.own("assignments", "rater", "state")}
    votes = {
        row["assignment"].split("/")[2]: row["value"]
        for row in panel.rows("ratings", "assignment", "value", "dimension")
        if row["dimension"] == "meaning"
    }
    assert len(before) == 4
    assert votes == {"E01": 4.0, "E02": 4.0, "E03": 2.0}
    assert states["E03"] == "done"
    assert "of E03" in [row["body"] for row in panel.rows("comments", "body")]
    assert panel.rows("drafts", "rev") == []


def test_practice_ends_with_what_comes_next_and_no_way_back(rounds, client_of, item):
    place = rounds(raters=("R01",), kind="pilot", items=[item("d1")])
    client = client_of(place, "R01")
    client.hand_in()

    page = client.ask("GET", "/rate").text.decode()

    assert "Practice is complete" in page
    assert "/previous" not in page
