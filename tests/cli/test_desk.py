import pytest

from ocrjury.cli import main
from ocrjury.store.audit import list_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.links import find_link, secret_hash
from ocrjury.store.second_factors import find_key
from ocrjury.store.sessions import add_session, find_session


def works(store, address, now):
    with reading(store.engine) as connection:
        code = address.partition("#")[2]
        return find_link(connection, secret_hash(code), now=now, audience="desk")


def test_a_link_to_the_desk_is_printed_once(run, store, now, monkeypatch):
    monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
    answer = run("desk", "link", "--name", "J. Kim", "--days", 3)
    address = answer.out.strip()

    assert address.startswith("https://rate.example.org/desk/enter#")
    assert "until 2026-11-23 09:00 UTC, for J. Kim" in answer.err
    assert works(store, address, now).who == "J. Kim"
    listed = run("desk", "links").out
    assert "J. Kim" in listed
    assert "works" in listed
    assert address.partition("#")[2] not in listed
    assert [row.action for row in list_audit(store.engine)] == ["make link"]


def test_links_are_told_in_the_time_zone_of_the_campaign(run, store, collecting):
    assert "until 2026-11-27 18:00 Asia/Seoul" in run("desk", "link", "--name", "Kim").err
    assert "2026-11-27 18:00 Asia/Seoul" in run("desk", "links").out


def test_links_are_revoked_by_name_or_all(run, store, now):
    mine, other = (run("desk", "link", "--name", name).out for name in ("A", "B"))

    assert run("desk", "revoke", "--name", "A").out == "1 link revoked.\n"
    assert works(store, mine.strip(), now) is None
    assert works(store, other.strip(), now).who == "B"
    assert run("desk", "revoke", "--all").out == "1 link revoked.\n"


def test_a_name_is_written_as_the_link_says_it(run, store, now):
    mine = run("desk", "link", "--name", " J.  Kim").out

    assert run("desk", "revoke", "--name", "J.  Kim ").out == "1 link revoked.\n"
    assert works(store, mine.strip(), now) is None
    unknown = run("desk", "revoke", "--name", "M. Lee")
    assert unknown.code == 2
    assert unknown.err.endswith("nobody called M. Lee has a link; there are J. Kim.\n")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["link", "--days", "0"], "from 1 to 90"),
        (["link", "--days", "91"], "from 1 to 90"),
        (["link", "--name", " "], "1 to 64 characters"),
        (["link", "--only", ""], "--only must name an evaluation, or a pattern like 'claims-*'."),
        (["link", "--only", "a", "--only", " "], "--only must name an evaluation"),
        (["revoke"], "or add --all"),
        (["revoke", "--all", "--name", "A"], "or add --all"),
    ],
)
def test_what_cannot_be_is_refused(store, capsys, words, why):
    assert main(["desk", *words]) == 2
    assert why in capsys.readouterr().err


def test_a_link_may_open_some_evaluations_only(run, store, now):
    answer = run("desk", "link", "--name", "M. Lee", "--only", "claims-*", "--only", "bills-2026")

    link = works(store, answer.out.strip(), now)
    assert link.scope == ("claims-*", "bills-2026")
    assert "It opens claims-*, bills-2026 only." in answer.err
    assert "claims-*, bills-2026" in run("desk", "links").out
    assert list_audit(store.engine)[0].object == "desk M. Lee claims-* bills-2026"


@pytest.mark.parametrize("more", [[], ["--remove"]])
def test_another_second_factor_ends_the_sessions_of_that_lead_alone(run, store, now, more):
    run("desk", "second-factor", "--name", "J. Kim")
    secrets = []
    for name in ("J. Kim", "M. Lee"):
        link = works(store, run("desk", "link", "--name", name).out.strip(), now)
        with writing(store.engine) as connection:
            secrets.append(add_session(connection, link, now=now))

    run("desk", "second-factor", "--name", "J. Kim", *more)

    with reading(store.engine) as connection:
        found = [
            find_session(connection, secret_hash(secret), now=now, audience="desk")
            for secret in secrets
        ]
    assert [one is None for one in found] == [True, False]


def test_a_second_factor_is_shown_once_and_removed(run, store):
    made = run("desk", "second-factor", "--name", "J. Kim")
    key, address = made.out.splitlines()

    assert address == f"otpauth://totp/ocrjury:J.%20Kim?secret={key}&issuer=ocrjury"
    with reading(store.engine) as connection:
        assert find_key(connection, "J. Kim") == key
    assert run("desk", "second-factor", "--name", "J. Kim", "--remove").out == (
        "J. Kim comes in by a link alone.\n"
    )
    assert run("desk", "second-factor", "--name", "J. Kim", "--remove").code == 2
    actions = [(row.action, row.object) for row in list_audit(store.engine)]
    assert actions == [
        ("remove second factor", "desk J. Kim"),
        ("set second factor", "desk J. Kim"),
    ]
