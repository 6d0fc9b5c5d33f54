"""Leads who prove by an app that a link is theirs."""

from datetime import UTC, datetime

import pytest

from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.one_time_codes import STEP, one_time_code
from ocrjury.store.second_factors import set_key
from tests.frontends.web.looks import violations

WHO = "L. Guarded"


@pytest.fixture
def key(base):
    with writing(base.store.engine) as connection:
        return set_key(connection, WHO, now=datetime.now(UTC))


@pytest.fixture
def place(rounds):
    return rounds(raters=("R71",))


def digits(key, *, later=0):
    return one_time_code(key, int(datetime.now(UTC).timestamp()) // STEP + later)


def enter(desk, code, **fields):
    return desk.ask("POST", "/desk/enter", {"code": code, **fields})


def test_a_link_alone_does_not_open_the_desk(place, key, desk_without_link, code_of):
    desk, code = desk_without_link(place), code_of(place, who=WHO)

    asked = enter(desk, code)

    assert (asked.status, desk.cookie) == (200, "")
    assert "Type the six digits" in asked.text
    assert enter(desk, code, digits=digits(key)).status == 303
    assert f"({WHO})" in desk.ask("GET", "/desk").text


def test_digits_count_once_and_wrong_ones_are_few(place, key, desk_without_link, code_of):
    desk, code, right = desk_without_link(place), code_of(place, who=WHO), digits(key)
    assert enter(desk, code, digits=right).status == 303
    stranger = desk_without_link(place)

    wrong = [enter(stranger, code, digits=one).status for one in (right, *["000000"] * 5)]

    assert wrong == [403] * 4 + [429] * 2
    assert stranger.cookie == ""
    # Of another link the digits may be tried all the same.
    assert enter(stranger, code_of(place, who=WHO), digits=digits(key, later=1)).status == 303
    log = [row for row in list_audit(place.store.engine, actor=WHO) if row.reason]
    assert [(row.action, row.reason) for row in log] == [("sign-in refused", "second factor")] * 4


def test_a_program_is_told_to_have_a_link_of_its_own(place, key, desk_without_link, code_of):
    program, header = (
        desk_without_link(place),
        {"Authorization": f"Bearer {code_of(place, who=WHO)}"},
    )

    answer = program.ask("GET", "/api/evaluations", **header)

    assert answer.status == 403
    assert "Make a link of another name" in answer.text


def test_the_page_for_the_digits_shows_well(place, key, visitor, code_of):
    page = visitor(place.server)
    page.goto(f"{place.server.address}/desk/enter#{code_of(place, who=WHO)}")
    page.get_by_label("Six digits").wait_for()

    assert violations(page) == []
    page.get_by_label("Six digits").fill(digits(key))
    page.get_by_role("button", name="Open the desk").click()
    page.wait_for_url("**/desk")
