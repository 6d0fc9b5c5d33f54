from datetime import UTC, datetime

import pytest

from ocrjury.delivery import MailServer
from ocrjury.delivery.invitations import Invitation, compose_invitation
from ocrjury.delivery.round_email import FOLDER
from ocrjury.pages.catalogues import catalogue, languages

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
SERVER = MailServer(host="127.0.0.1", sender="ocr@example.org", port=25, starttls=False)
SECRET = "kR3-x_" * 7


def invitation(**changes):
    facts = {
        "evaluation": "claims-2026w47",
        "title": "Claims",
        "round": 1,
        "rater": "R01",
        "recipient": "kim@example.org",
        "link": f"https://rate.example.org/enter#{SECRET}",
        "open": 20,
        "minutes": 30,
        "deadline": NOW,
    }
    return Invitation(**{**facts, **changes})


def composed(**changes):
    return compose_invitation(invitation(**changes), server=SERVER, now=NOW)


@pytest.mark.parametrize("language", languages(FOLDER))
def test_every_language_says_whose_link_it_is_and_until_when(language):
    letter = composed(languages=(language, "en"))

    lines = letter.get_content().splitlines()
    assert f"https://rate.example.org/enter#{SECRET}" in lines
    said = letter.get_content()
    for fact in ("Claims", "claims-2026w47", "R01", "20", "30", "2026-11-20 09:00 UTC"):
        assert fact in said
    assert "{" not in said + letter["Subject"]


def test_every_language_has_the_same_texts():
    keys = [set(catalogue(FOLDER, language)) for language in languages(FOLDER)]

    assert all(key == keys[0] for key in keys)


def test_a_language_without_texts_falls_back_to_the_campaigns():
    assert "개인 링크" in composed(languages=("fr", "ko")).get_content()
    assert "Your personal link" in composed().get_content()


def test_a_title_cannot_add_a_header():
    letter = composed(title="Claims\r\nBcc: all@example.org")

    assert letter["Bcc"] is None
    assert letter["Subject"] == "To rate: Claims Bcc: all@example.org (20 open)"


def test_one_rater_has_one_letter_for_a_round():
    same, other = composed(link="x"), composed(round=2)

    assert composed()["Message-ID"] == same["Message-ID"]
    assert composed()["Message-ID"] != other["Message-ID"]


def test_nothing_but_the_letter_prints_the_link():
    assert SECRET not in repr(invitation())
