"""Raters whom a proxy has signed in, and what nobody gets by saying so."""

from dataclasses import replace
from datetime import UTC, datetime
from http.client import HTTPConnection
from ipaddress import ip_network

import pytest
from starlette.datastructures import Headers

from ocrjury.campaign.registry import RaterEntry
from ocrjury.cli import main
from ocrjury.frontends.web.proxy import SECRET_HEADER, Proxy
from ocrjury.store.database import writing
from ocrjury.store.links import revoke_links
from ocrjury.store.raters import keep_raters
from ocrjury.store.single_sign_on import list_shut_out
from tests.frontends.web.conftest import Client, serving

HEADER = "X-Forwarded-Email"
SECRET = "0123456789abcdef" * 2
SIGN_ON = ("--behind-proxy", "--sign-in-header", HEADER)


@pytest.fixture(scope="module")
def trusting(base):
    """A server that believes its proxy, on the same store."""
    with serving(base, *SIGN_ON, OCRJURY_PROXY_SECRET=SECRET) as server:
        yield server


@pytest.fixture
def place(rounds, trusting):
    place = replace(rounds(raters=("S01", "S02")), server=trusting)
    with writing(place.store.engine) as connection:
        keep_raters(connection, [RaterEntry("S01", email="One@example.org", languages=("en",))])
    return place


def named(place, address="one@example.org", *, secret=SECRET):
    """A client whose requests pass the proxy that signed somebody in."""
    client = Client(place.server)
    plain = client.ask
    passed = {HEADER: address, SECRET_HEADER: secret}
    client.ask = lambda *sent, **headers: plain(*sent, **{**passed, **headers})
    return client


def enter(client, place):
    return client.ask("POST", "/enter/known", {"evaluation": place.evaluation})


def test_who_is_known_enters_without_a_code(place):
    client = named(place)
    page = client.ask("GET", "/enter").text.decode()
    assert "You are signed in as S01." in page
    assert f'value="{place.evaluation}"' in page

    assert enter(client, place).getheader("location").endswith("/rate")
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
    assert "it needs --behind-proxy and a proxy that proves itself" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["127.0.0.1", "::/0"])
def test_an_address_of_this_machine_proves_no_proxy(address, capsys):
    assert main(["serve", *SIGN_ON]) == 2
    assert "by a secret (OCRJURY_PROXY_SECRET)" in capsys.readouterr().err
    assert main(["serve", *SIGN_ON, "--trusted-proxy", address]) == 2
    assert "by a secret (OCRJURY_PROXY_SECRET)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--trusted-proxy", "10.0.0.5"], "are for --behind-proxy"),
        (["--behind-proxy", "--trusted-proxy", "10.0.0.5/8"], "must be an address or a network"),
        (["--behind-proxy", "--host", "0.0.0.0"], "lets other machines come past the proxy"),
    ],
)
def test_options_that_would_trust_everybody_are_refused(options, sentence, capsys):
    assert main(["serve", *options]) == 2
    assert sentence in capsys.readouterr().err


def test_a_socket_lies_where_no_other_account_reaches_it(tmp_path, capsys, monkeypatch):
    tmp_path.chmod(0o755)

    assert main(["serve", "--behind-proxy", "--socket", str(tmp_path / "page")]) == 2
    assert "mkdir -m 750" in capsys.readouterr().err

    monkeypatch.setenv("OCRJURY_PROXY_SECRET", "short")
    assert main(["serve", "--behind-proxy"]) == 2
    assert "must have 32 ASCII characters" in capsys.readouterr().err


@pytest.mark.parametrize("secret", ["", "0" * 32, SECRET + "x"])
def test_who_comes_past_the_proxy_signs_in_as_nobody(place, secret):
    client = named(place, secret=secret)

    assert "signed in as" not in client.ask("GET", "/enter").text.decode()
    assert enter(client, place).status == 404


def test_two_headers_that_name_somebody_are_refused(place):
    lines = [("Host", f"127.0.0.1:{place.server.port}"), (SECRET_HEADER, SECRET)]

    assert status_of(place, [*lines, (HEADER, "one@example.org")]) == 200
    assert status_of(place, [*lines, (HEADER, "S02"), (HEADER, "one@example.org")]) == 400
    # With two secrets, neither is known to be the proxy's.
    doubled = [*lines, (SECRET_HEADER, SECRET), (HEADER, "one@example.org")]
    assert status_of(place, doubled) == 200


def status_of(place, lines):
    """The status of the entrance for just these lines of headers."""
    connection = HTTPConnection("127.0.0.1", place.server.port, timeout=60)
    connection.putrequest("GET", "/enter", skip_host=True, skip_accept_encoding=True)
    for name, value in lines:
        connection.putheader(name, value)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


def test_only_the_proxy_is_believed():
    near, far, secret = "127.0.0.1", "10.0.0.5", Headers({SECRET_HEADER: SECRET})
    by_address, by_socket = Proxy((ip_network(far),)), Proxy(by_socket=True)
    by_secret, both = Proxy(secret=SECRET), Proxy((ip_network(far),), SECRET)

    assert not Proxy().sent(near, secret)
    assert [by_address.sent(peer, Headers()) for peer in (far, near, None)] == [True, False, False]
    assert [by_secret.sent(near, one) for one in (secret, Headers())] == [True, False]
    assert [both.sent(peer, secret) for peer in (far, near)] == [True, False]
    assert by_socket.sent(None, Headers())
    assert [one.proves_itself for one in (by_address, by_secret, both, by_socket)] == [True] * 4
    assert not Proxy((ip_network("0.0.0.0/0"),)).proves_itself


def test_the_variable_names_the_header_and_needs_a_proxy_too(capsys, monkeypatch):
    monkeypatch.setenv("OCRJURY_SIGN_IN_HEADER", HEADER)

    assert main(["serve"]) == 2
    assert "OCRJURY_SIGN_IN_HEADER believes what a request says" in capsys.readouterr().err


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
