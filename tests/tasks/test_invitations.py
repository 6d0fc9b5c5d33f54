"""Raters of the page get their personal links by mail, or the lead is told to hand them out."""

import email
import logging
from email.policy import default

import pytest

from ocrjury.cli import main
from ocrjury.delivery import invitations
from ocrjury.errors import StateError
from ocrjury.evaluation.case import at_work
from ocrjury.store.database import reading, writing
from ocrjury.store.invitations import list_uninvited, make_link
from ocrjury.store.link_requests import ask_for_link, list_mailings
from ocrjury.store.links import find_link, list_links, secret_hash
from ocrjury.store.outbox import list_unsent
from ocrjury.store.reports import list_deliveries
from ocrjury.store.stale_signals import drop_stale
from tests.mailbox import open_mailbox

PAGE = "https://rate.example.org"


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


@pytest.fixture
def web(small, monkeypatch):
    """A campaign that is rated on the page; R03 has no address."""
    monkeypatch.setenv("OCRJURY_RATING_URL", f"{PAGE}/")
    small.columns = "pseudonym,role,email,languages"
    small.people = [
        "R01,rater,r01@example.org,en",
        "R02,rater,r02@example.org,ko",
        "R03,rater,,",
    ]
    small.sections = {
        "rounds": {"frontend": "web", "top_ups": 0},
        "adaptive": {"max_rounds": 0},
        "title": "Claims & forms",
    }
    return small


def mailed(web, port, **report):
    server = {"host": "127.0.0.1", "port": port, "sender": "ocr@example.org", "starttls": False}
    return web.write(**web.sections, report={"mail": server, "worst_items": 1, **report})


def letters(mailbox):
    """What arrived, by recipient."""
    read = [
        email.message_from_bytes(envelope.content, policy=default) for envelope in mailbox.envelopes
    ]
    return {one["To"]: one for one in read}


def code_in(letter):
    [line] = [one for one in letter.get_content().split() if one.startswith(PAGE)]
    assert line.startswith(f"{PAGE}/enter#")
    return line.partition("#")[2]


def works(web, secret):
    with at_work() as work, reading(work.engine) as connection:
        return find_link(connection, secret_hash(secret), now=work.now)


def uninvited(web, number=1):
    with at_work() as work:
        return list_uninvited(work.engine, web.evaluation, number, now=work.now)


def test_who_has_an_address_gets_a_link_as_soon_as_the_round_is_open(web, mailbox):
    end = mailed(web, mailbox.port).open()

    assert end.name == "WaitingForRatings"
    found = letters(mailbox)
    assert sorted(found) == ["r01@example.org", "r02@example.org"]
    link = works(web, code_in(found["r02@example.org"]))
    assert (link.who, link.evaluation, link.round) == ("R02", web.evaluation, 1)
    assert [(link.who, link.created_by) for link in web.stored(list_links)] == [
        ("R01", "flow"),
        ("R02", "flow"),
    ]


def test_a_letter_speaks_the_raters_language_and_says_what_to_do_until_when(web, mailbox):
    mailed(web, mailbox.port).open()

    first, second = (letters(mailbox)[f"r0{number}@example.org"] for number in (1, 2))
    assert first["Subject"].startswith("To rate: Claims & forms (")
    assert "by 2026-11-27 09:00 UTC" in first.get_content()
    assert second["Subject"].startswith("평가 요청: Claims & forms (")
    assert "본인만 사용해 주십시오" in second.get_content()


def test_nobody_is_invited_twice(web, mailbox):
    mailed(web, mailbox.port).open()
    for day in (20, 21):
        web.at(day).advance()

    assert len(mailbox.envelopes) == 2
    assert [(one.what, one.state, one.attempt) for one in web.stored(list_deliveries)] == [
        ("invitation", "sent", 1),
        ("invitation", "sent", 1),
    ]


@pytest.mark.on_sqlite
def test_the_code_is_in_the_letter_and_nowhere_else(web, mailbox, caplog, tmp_path):
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.ERROR, "mail.log")  # what the server says that gets the letter
    mailed(web, mailbox.port).open()

    secrets = [code_in(letter) for letter in letters(mailbox).values()]
    held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in secrets:
        assert secret not in caplog.text
        assert secret.encode() not in held
        assert secret_hash(secret).encode() in held


def test_whoever_has_no_address_is_left_to_the_lead(web, mailbox, caplog):
    mailed(web, mailbox.port).open()

    assert uninvited(web) == ["R03"]
    assert f"R03 cannot rate yet: `ocrjury raters invite {web.evaluation}`" in caplog.text


@pytest.mark.parametrize("missing", ["mail", "page"])
def test_without_a_mail_server_or_an_address_of_the_page_the_lead_hands_links_out(
    web, mailbox, monkeypatch, capsys, missing
):
    if missing == "page":
        monkeypatch.delenv("OCRJURY_RATING_URL")
        mailed(web, mailbox.port).open()
    else:
        web.write(**web.sections).open()

    assert mailbox.envelopes == []
    assert uninvited(web) == ["R01", "R02", "R03"]
    assert main(["status"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"R01, R02, R03 without a link: ocrjury raters invite {web.evaluation}" in said


def test_behind_a_proxy_that_signs_people_in_only_the_unknown_are_without_a_link(
    web, mailbox, monkeypatch, capsys, caplog
):
    monkeypatch.setenv("OCRJURY_SIGN_IN_HEADER", "X-Forwarded-Email")
    monkeypatch.delenv("OCRJURY_RATING_URL")
    mailed(web, mailbox.port).open()

    assert uninvited(web) == ["R01", "R02", "R03"]
    for command in (["status"], ["evaluation", "show", web.evaluation]):
        assert main(command) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert f"; R03 without a link: ocrjury raters invite {web.evaluation}" in said
    assert "R03 cannot rate yet" in caplog.text


def test_a_refused_letter_is_tried_five_times_and_its_link_never_works(web, mailbox):
    web.people[0] = "R01,rater,nobody@example.org,en"
    mailed(web, mailbox.port).open()
    for hour in (10, 11, 13, 18, 23):
        web.at(20, hour).advance()

    tried = [one for one in web.stored(list_deliveries) if one.recipient == "nobody@example.org"]
    assert [one.state for one in tried] == ["failed"] * 4 + ["given_up"]
    assert all("550 no such user" in one.detail for one in tried)
    assert all(link.revoked_at for link in web.stored(list_links) if link.who == "R01")
    assert uninvited(web) == ["R01", "R03"]


def test_a_letter_that_a_crash_kept_back_is_sent_later(web, mailbox, monkeypatch):
    def crash(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(invitations, "hand_in", crash)
        with pytest.raises(KeyboardInterrupt):
            mailed(web, mailbox.port).open()
    web.advance()
    at_once = len(mailbox.envelopes)
    web.at(20, 10).advance()

    assert at_once == 1  # R02: another process might still be sending the other one
    assert sorted(letters(mailbox)) == ["r01@example.org", "r02@example.org"]
    assert works(web, code_in(letters(mailbox)["r01@example.org"]))


def test_whoever_is_dropped_while_letters_to_others_leave_gets_none(web, mailbox, monkeypatch):
    hand_in = invitations.hand_in

    def slowly(message, *parts, **options):
        if message["To"] == "r01@example.org":
            web.decide_only("drop", raters=["R02"])
        return hand_in(message, *parts, **options)

    monkeypatch.setattr(invitations, "hand_in", slowly)
    mailed(web, mailbox.port).open()

    assert list(letters(mailbox)) == ["r01@example.org"]
    assert {link.who for link in web.stored(list_links)} == {"R01"}


def test_letters_end_with_their_round(web, mailbox, monkeypatch):
    hand_in = invitations.hand_in

    def slowly(*parts, **options):
        web.decide_only("abort")
        return hand_in(*parts, **options)

    monkeypatch.setattr(invitations, "hand_in", slowly)
    end = mailed(web, mailbox.port).open()

    assert end.name == "Aborted"
    assert list(letters(mailbox)) == ["r01@example.org"]
    assert all(one.revoked_at for one in web.stored(list_links))


def test_a_link_that_the_lead_made_or_took_away_is_not_mailed_over(web, mailbox):
    web.write(**web.sections).open()
    with at_work() as work, writing(work.engine) as connection:
        options = {"number": 1, "created_by": "lead", "now": work.now}
        make_link(connection, web.evaluation, "R01", **options)
    mailed(web, mailbox.port)
    web.advance()

    assert [one.created_by for one in web.stored(list_links)] == ["lead"]


def test_dropping_a_rater_ends_the_raters_links_and_no_other(web, mailbox):
    web.people += ["R04,rater,,", "R05,rater,,"]
    mailed(web, mailbox.port).open()
    first, second = (code_in(letters(mailbox)[f"r0{number}@example.org"]) for number in (1, 2))

    web.decide("drop", raters=("R01",))

    assert works(web, first) is None
    assert works(web, second).who == "R02"
    assert len(mailbox.envelopes) == 2


def test_aborting_ends_every_link(web, mailbox):
    mailed(web, mailbox.port).open()

    web.decide("abort")

    assert all(one.revoked_at for one in web.stored(list_links))


def test_the_end_of_an_evaluation_ends_every_link(web, mailbox):
    mailed(web, mailbox.port).open()
    web.rate(say=lambda one, _: 1 + int(one.item[1:4]) % 5)

    end = web.advance()
    end = web.decide("proceed") if end.name == "Held" else end

    assert end.name == "Closed"
    assert len(web.stored(list_links)) == 2
    assert all(one.revoked_at for one in web.stored(list_links))


def ask_again(web, rater="R01"):
    with at_work() as work, writing(work.engine) as connection:
        config, facts = work.case(web.evaluation).row.config, {"actor": "J. Kim", "address": "x"}
        ask_for_link(
            connection, web.evaluation, rater, number=1, config=config, now=work.now, **facts
        )


def announced(web):
    """Signals that Prefect is still to be told."""
    with at_work() as work:
        drop_stale(work.engine, now=work.now)
        return [signal.name for signal in list_unsent(work.engine)]


def mailing(web, rater="R01"):
    with at_work() as work:
        return list_mailings(work.engine, web.evaluation, 1)[rater]


def test_a_lead_has_a_link_mailed_again_once_for_each_request(web, mailbox):
    mailed(web, mailbox.port).open()
    first = code_in(letters(mailbox)["r01@example.org"])
    web.at(21)
    ask_again(web)
    assert (mailing(web).state, announced(web)) == ("asked", ["ocrjury.decision.requested"])
    with pytest.raises(StateError, match="asked for already"):
        ask_again(web)

    for hour in (10, 11):
        web.at(21, hour).advance()

    assert len(mailbox.envelopes) == 3
    second = code_in(letters(mailbox)["r01@example.org"])
    assert works(web, first) is None
    assert works(web, second).who == "R01"
    assert (mailing(web).state, mailing(web).request.actor) == ("sent", "J. Kim")
    assert announced(web) == []
    with pytest.raises(StateError, match="R03 has no email address"):
        ask_again(web, "R03")


async def refuse(*_):
    """Answer of a mail server that takes nothing."""
    return "550 no such user"


def test_the_link_that_a_rater_has_stays_when_the_email_fails(web, mailbox):
    mailed(web, mailbox.port).open()
    first = code_in(letters(mailbox)["r01@example.org"])
    mailbox.handle_RCPT = refuse
    web.at(21)
    ask_again(web)

    web.at(21, 10).advance()

    assert (mailing(web).state, mailing(web).waits) == ("failed", True)
    assert "example.org" not in mailing(web).detail
    assert works(web, first).who == "R01"
