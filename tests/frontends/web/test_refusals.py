"""Refusals that cost a stranger nothing are counted: they show in the log and do not fill it."""

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.client import HTTPConnection

import pytest
import sqlalchemy as sa

from ocrjury.frontends.web import Site, create_application
from ocrjury.frontends.web.audit_lines import write_refusals
from ocrjury.frontends.web.refusal_counts import (
    MOST_ADDRESSES,
    MOST_KINDS,
    OTHERS,
    Refusal,
    RefusalCounts,
    how_often,
)
from ocrjury.frontends.web.site import RateLimit
from ocrjury.store.audit import list_audit
from tests.frontends.web.conftest import Client, serving
from tests.frontends.web.test_security import save_often


def ask(server, method, path, **headers):
    """The status of a request with just these headers."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def refused(place, net):
    """What the log says about refusals to addresses that begin so, the oldest first."""
    return [
        (one.actor, one.object, one.address, one.reason)
        for one in reversed(list_audit(place.store.engine))
        if one.action == "refused" and one.address.startswith(net)
    ]


def test_what_the_shield_refuses_is_one_line_for_each_kind(base):
    with serving(base, "--behind-proxy") as server:
        own, far = f"127.0.0.1:{server.port}", {"X_Forwarded_For": "203.0.113.7"}
        for number in range(300):
            from_one = {"X_Forwarded_For": f"203.0.113.{number % 3}"}
            assert ask(server, "GET", "/enter", Host="evil.example", **from_one) == 421
        assert ask(server, "GET", "/desk", Host="[", **far) == 421
        assert ask(server, "POST", "/enter", Host=own, **far) == 411
        assert ask(server, "POST", "/enter", Host=own, Content_Length="20001", **far) == 413
        assert ask(server, "GET", "/rate/a%00b", Host=own, **far) == 404
        foreign = {"Host": own, "Content_Length": "0", "Origin": "https://evil.example"}
        assert ask(server, "POST", "/desk/enter", **foreign, **far) == 403

    assert sorted(refused(base, "203.0.113.")) == [
        ("?", "desk", "203.0.113.7", "another_host, once"),
        ("?", "desk", "203.0.113.7", "another_site, once"),
        ("?", "page", "203.0.113.0", "another_host, 300 times from 3 addresses"),
        ("?", "page", "203.0.113.7", "no_length, once"),
        ("?", "page", "203.0.113.7", "null_character, once"),
        ("?", "page", "203.0.113.7", "too_long, once"),
    ]


def test_whoever_comes_too_often_is_one_line(base, rounds):
    place, hasty = rounds(raters=("R41",)), "198.51.100.41"
    site = Site(base.store, address="http://here", saves=RateLimit(2, seconds=600))
    save_often(site, place.link("R41"), count=5, peer=(hasty, 1))
    with serving(base, "--behind-proxy") as server:
        guesser = Client(server)
        for path in ("/enter",) * 13 + ("/desk/enter",) * 2:
            guesser.ask("POST", path, {"code": "wrong"})

    assert refused(base, guesser.address) == [
        ("?", "page", guesser.address, "too_many_codes, 3 times"),
        ("?", "desk", guesser.address, "too_many_codes, 2 times"),
    ]
    ((who, where, _, why),) = refused(base, hasty)
    assert (who, where, why) == ("R41", place.evaluation, "too_fast, 3 times")
    log = list_audit(base.store.engine, evaluation=place.evaluation, actor="R41")
    assert why in [one.reason for one in log]


def test_lines_are_written_while_it_serves_and_when_it_ends(base):
    site, net, seen = Site(base.store, refusals=RefusalCounts(seconds=0.05)), "198.51.100.1", []

    async def written(number):
        for _ in range(500):
            if len(refused(base, net)) == number:
                return
            await asyncio.sleep(0.02)

    async def serve():
        application = create_application(site)
        async with application.router.lifespan_context(application):
            for number in (1, 2):
                site.refusals.count(Refusal("?", "page", "too_long"), net)
                await written(number)
                seen.append(len(refused(base, net)))
            site.refusals.count(Refusal("?", "page", "no_length"), net)

    with ThreadPoolExecutor(1) as elsewhere:  # browsers of other tests have a loop in this thread
        elsewhere.submit(lambda: asyncio.run(serve())).result(120)

    assert seen == [1, 2]
    assert [why for *_, why in refused(base, net)] == [*["too_long, once"] * 2, "no_length, once"]


def test_what_cannot_be_written_now_is_written_later(base, caplog):
    site = Site(replace(base.store, engine=sa.create_engine("sqlite:////nowhere/at/all.db")))
    for host in (3, 2, 2):
        site.refusals.count(Refusal("?", "page", "another_host"), f"198.51.100.{host}")
    kept = [("?", "page", "198.51.100.2", "another_host, 3 times from 2 addresses")]

    write_refusals(site)
    assert "refusals are not written down yet: OperationalError" in caplog.text
    for _ in range(2):
        write_refusals(replace(site, store=base.store))
        assert refused(base, "198.51.100.2") == kept


def test_a_forwarded_address_that_is_none_is_not_believed(base):
    host = {"Host": "evil.example", "X_Forwarded_For": "192.0.2.1\x01\x7f"}
    with serving(base, "--behind-proxy") as server:
        ask(server, "GET", "/", **host)

    assert refused(base, "192.0.2.") == []


def test_neither_kinds_nor_addresses_fill_the_memory():
    counts = RefusalCounts()
    for number in range(10 * MOST_KINDS):
        counts.count(Refusal(f"R{number}", "page", "too_fast"), "10.0.0.1")
    for number in range(10 * MOST_ADDRESSES):
        counts.count(Refusal("R0", "page", "too_fast"), f"10.0.1.{number}")

    found = dict(counts.take())

    assert len(found) == MOST_KINDS + 1
    assert found[OTHERS].total() == 9 * MOST_KINDS
    first = found[Refusal("R0", "page", "too_fast")]
    assert len(first) == MOST_ADDRESSES + 1
    assert how_often(first) == f"{10 * MOST_ADDRESSES + 1} times from 51 or more addresses"


@pytest.mark.parametrize("seen", [Counter(a=1), Counter(a=2, b=5)])
def test_what_is_given_back_is_counted_once(seen):
    counts, kind = RefusalCounts(), Refusal("?", "page", "too_long")

    counts.give_back([(kind, seen)])

    assert counts.take() == [(kind, seen)]
