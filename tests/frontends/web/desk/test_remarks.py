"""Leads read what raters report and answer it; a rater reads answers to own remarks only."""

import json
import re
from html import unescape
from urllib.parse import urljoin

import pytest

from ocrjury.store.database import writing
from ocrjury.store.remarks import add_comment

HOSTILE = "<script>alert(1)</script> The stamp hides it."


def report(client, reason="wrong_reference", comment=HOSTILE):
    """Flag the next item, as the rating page does, and return the answer."""
    return client.hand_in({}, flag=reason, comment=comment)


def test_a_lead_reads_a_remark_and_answers_it_and_its_rater_alone_reads_that(
    rounds, client_of, at_desk
):
    place = rounds(raters=("R01", "R02"))
    rater, other, desk = client_of(place, "R01"), client_of(place, "R02"), at_desk(place)
    assert report(rater).status == 200
    other.hand_in()
    address = f"/desk/{place.evaluation}/remarks"
    page = desk.ask("GET", address).text
    assert "Reference is wrong" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert "1 open remark" in desk.ask("GET", "/desk").text

    [remark] = desk.json(f"/api/evaluations/{place.evaluation}/remarks")["remarks"]
    answer = desk.post(
        address, assignment=remark["assignment"], kind="answer", text="It is <ours>."
    )
    after = desk.json(f"/api/evaluations/{place.evaluation}/remarks?state=answered")

    assert remark["image"] == f"/desk/{place.evaluation}/image?item=d1"
    assert (remark["rater"], remark["comment"], remark["open"]) == ("R01", HOSTILE, True)
    assert remark["flags"] == {"meaning": "wrong_reference", "layout": "wrong_reference"}
    assert answer.status == 303
    assert after["open"] == 0
    assert [one["text"] for one in after["remarks"][0]["answers"]] == ["It is <ours>."]
    assert "It is &lt;ours&gt;." in rater.ask("GET", "/mine").text.decode()
    assert "It is" not in other.ask("GET", "/mine").text.decode()
    actions = [row["action"] for row in place.ask("select action from audit order by seq")]
    assert {"view remarks", "answer remark"} <= set(actions)


def test_a_comment_on_an_output_beside_others_is_shown_with_its_letter(rounds, at_desk, now):
    place = rounds()
    desk = at_desk(place)
    with writing(place.store.engine) as connection:
        assignment = f"{place.evaluation}/1/R01/0/d1"
        add_comment(connection, assignment, "[B] is shorter.", now=now, letter="A")

    [remark] = desk.json(f"/api/evaluations/{place.evaluation}/remarks")["remarks"]
    page = desk.ask("GET", f"/desk/{place.evaluation}/remarks").text

    assert (remark["letter"], remark["comment"]) == ("A", "[B] is shorter.")
    assert "<blockquote>[A] [B] is shorter.</blockquote>" in page


def test_a_flag_beside_complete_ratings_reaches_the_desk_until_it_is_taken_back(
    rounds, client_of, at_desk
):
    place = rounds()
    rater, desk = client_of(place, "R01"), at_desk(place)
    api = f"/api/evaluations/{place.evaluation}/remarks"
    values = {"meaning": 4, "layout": 2}

    assert rater.hand_in(values, flag="privacy").status == 200
    [remark] = desk.json(api)["remarks"]
    page = desk.ask("GET", f"/desk/{place.evaluation}/remarks").text
    again = rater.ask("GET", "/previous").getheader("Location")
    shown_again = rater.open(again)[3]
    rater.hand_in(values, path=again)

    assert (remark["flag"], remark["flags"], remark["open"]) == ("privacy", {}, True)
    assert "Privacy concern; nevertheless rated" in page
    assert 'value="privacy" checked' in shown_again
    assert desk.json(f"{api}?state=all")["remarks"] == []
    kept = place.rows("item_flags", "reason", order="rev")
    assert [row["reason"] for row in kept] == ["privacy", ""]


def test_an_answer_that_says_nothing_or_fits_no_remark_is_refused(rounds, client_of, at_desk):
    place, elsewhere = rounds(), rounds()
    report(client_of(elsewhere, "R01"))
    desk = at_desk(place)
    [foreign] = desk.json(f"/api/evaluations/{elsewhere.evaluation}/remarks")["remarks"]
    address = f"/api/evaluations/{place.evaluation}/remarks"

    def post(**body):
        answer = desk.ask("POST", address, body)
        return answer.status, json.loads(answer.text)["error"]["code"]

    assert post(assignment=foreign["assignment"], text="Yes.") == (404, "unknown")
    assert post(assignment=foreign["assignment"], text="  ") == (422, "shape")
    assert post(assignment="x", text="a" * 2001) == (422, "shape")
    form = desk.post(f"/desk/{place.evaluation}/remarks", assignment="x", kind="answer", text=" ")
    assert form.status == 422
    assert "Write what the rater should read." in form.text


def test_a_lead_excludes_an_item_with_a_reason_and_takes_that_back(rounds, client_of, at_desk):
    place = rounds(raters=("R01", "R02"))
    rater, desk = client_of(place, "R01"), at_desk(place)
    report(rater, reason="unreadable", comment="")
    page, api = (f"{start}/{place.evaluation}" for start in ("/desk", "/api/evaluations"))

    refused = desk.post(f"{page}/exclusions", item="d1", category="unreadable", reason="no")
    done = desk.post(f"{page}/exclusions", item="d1", category="unreadable", reason="All black.")
    [gone] = desk.json(f"{api}/exclusions")
    shown = desk.ask("GET", f"{page}/remarks?show=all").text
    told = rater.ask("GET", "/mine").text.decode()
    again = desk.ask("POST", f"{api}/exclusions", {"item": "d1", "reason": "All black."})
    back = {"item": "d1", "excluded": False, "reason": "A better scan."}
    restored = desk.ask("POST", f"{api}/exclusions", back)

    assert refused.status == 422
    assert done.status == 303
    assert (gone["item"], gone["category"], gone["after_verdict"]) == ("d1", "unreadable", False)
    assert "All black." in shown
    assert "This item is no longer rated" in told
    assert again.status == 409
    assert json.loads(restored.text) == {"rerun": False}
    assert desk.json(f"{api}/exclusions") == []


def test_after_the_gate_has_judged_it_is_refused_and_not_offered(
    rounds, client_of, judge, hold, at_desk
):
    place = rounds(raters=("R01",))
    assert report(client_of(place, "R01")).status == 200
    desk, remarks = at_desk(place), f"/desk/{place.evaluation}/remarks"
    form, why = f'action="/desk/{place.evaluation}/exclusions"', "No item can be excluded now, and"
    before = desk.ask("GET", remarks).text
    judge(place)
    hold(place, "gate_failed")
    after = desk.ask("GET", remarks).text
    assert (form in before, why in before) == (True, False)
    assert (form in after, why in after) == (False, True)

    body = {"item": "d1", "reason": "It is on the wrong page."}
    answer = desk.ask("POST", f"/api/evaluations/{place.evaluation}/exclusions", body)

    assert answer.status == 409
    assert "No item can be excluded" in answer.text


@pytest.mark.parametrize("form", ["exclusions", "rubric/cases", "rubric/undo"])
def test_every_link_of_a_page_that_refuses_a_form_leads_somewhere(rounds, client_of, at_desk, form):
    place = rounds()
    report(client_of(place, "R01"))
    desk, address = at_desk(place), f"/desk/{place.evaluation}/{form}"

    refused = desk.post(address, item="d1", version="2", reason="no")
    links = re.findall(r'<a [^>]*href="([^"#]+)"', refused.text)
    ahead = {link: desk.ask("GET", urljoin(address, unescape(link))).status for link in links}
    session = desk.cookie
    other = desk.ask("POST", "/desk/language", {"language": "ko"}, Referer=f"https://x{address}")
    desk.cookie = session

    assert refused.status == 422
    assert {link for link, status in ahead.items() if status not in {200, 303}} == set()
    assert desk.ask("GET", other.getheader("Location")).status == 200
