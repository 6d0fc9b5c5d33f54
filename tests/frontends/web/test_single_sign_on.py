"""Raters whom a proxy has signed in, and what nobody gets by saying so."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ocrjury.campaign.registry import RaterEntry
from ocrjury.cli import main
from ocrjury.store.database import writing
from ocrjury.store.links import revoke_links
from ocrjury.store.raters import keep_raters
from ocrjury.store.single_sign_on import list_shut_out
from tests.frontends.web.conftest import Client, serving

HEADER = "X-Forwarded-Email"


@pytest.fixture(scope="module")
def trusting(base):
    """A server that believes its proxy, on the same store."""
    with serving(base, "--behind-proxy", "--sign-in-header", HEADER) as server:
        yield server


@pytest.fixture
def place(rounds, trusting):
    place = replace(rounds(raters=("S01", "S02")), server=trusting)
    with writing(place.store.engine) as connection:
        keep_raters(connection, [RaterEntry("S01", email="One@example.org", languages=("en",))])
    return place


def named(place, address="one@example.org"):
    """Return a client whose requests pass the proxy that signed somebody in."""
    client = Client(place.server)
    plain = client.ask
    client.ask = lambda *sent, **headers: plain(*sent, **{HEADER: address, **headers})
    return client


def enter(client, place):
    return client.ask("POST", "/enter/known", {"evaluation": place.evaluation})


def test_who_is_known_enters_without_a_code(place):
    client = named(place)
    page = client.ask("GET", "/enter").text.decode()
    assert "You are signed in as S01." in page
    assert f'value="{place.evaluation}"' in page

    assert enter(client, place).getheader("location") == "/rate"
    assert client.hand_in().status == 200

    assert [row["value"] for row in place.rows("ratings", "value", order="value")] == [4.0, 5.0]
    [link] = place.own("tokens", "rater", "round", "created_by")
    assert link == {"rater": "S01", "round": 1, "created_by": "proxy"}


def test_looking_signs_nobody_in_and_strangers_stay_out(place):
    client = named(place)
    client.ask("GET", "/enter")
    assert client.cookie == ""

    for stranger in ("two@example.org", "", "' or 1=1 --"):
        assert enter(named(place, stranger), place).status == 404


def test_a_page_that_trusts_no_proxy_ignores_the_header(place, base):
    elsewhere = replace(place, server=base.server)

    assert "signed in as" not in named(elsewhere).ask("GET", "/enter").text.decode()
    assert enter(named(elsewhere), elsewhere).status == 404


def test_what_a_lead_took_away_stays_away(place):
    client = named(place)
    enter(client, place)
    with writing(place.store.engine) as connection:
        revoke_links(connection, place.evaluation, ["S01"], now=datetime.now(UTC))

    assert client.open()[1] == 303
    assert enter(client, place).status == 403


def test_a_session_is_for_whom_the_proxy_names(place):
    first = named(place)
    enter(first, place)
    other = named(place, "S02")
    other.cookie = first.cookie

    assert other.open()[1] == 303
    assert first.open()[1] != 303


def test_another_evaluation_is_not_entered(place, rounds):
    foreign = rounds(raters=("R07",))

    assert enter(named(place), foreign).status == 403


def test_the_header_needs_a_proxy(capsys):
    assert main(["serve", "--sign-in-header", HEADER]) == 2
    assert "needs --behind-proxy" in capsys.readouterr().err


def test_the_variable_names_the_header_and_needs_a_proxy_too(capsys, monkeypatch):
    monkeypatch.setenv("OCRJURY_SIGN_IN_HEADER", HEADER)

    assert main(["serve"]) == 2
    assert "OCRJURY_SIGN_IN_HEADER believes whatever a request says" in capsys.readouterr().err


def test_who_came_by_the_proxy_is_not_shut_out(place):
    def shut_out(*, sign_on):
        now = datetime.now(UTC)
        return list_shut_out(place.store.engine, place.evaluation, 1, now=now, sign_on=sign_on)

    assert shut_out(sign_on=False) == ["S01", "S02"]
    assert shut_out(sign_on=True) == ["S02"]  # nobody knows how the proxy would call S02

    enter(named(place), place)
    enter(named(place, "S02"), place)
    assert shut_out(sign_on=False) == shut_out(sign_on=True) == []

    with writing(place.store.engine) as connection:
        revoke_links(connection, place.evaluation, ["S01"], now=datetime.now(UTC))
    assert shut_out(sign_on=True) == ["S01"]
