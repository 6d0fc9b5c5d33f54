"""One POST to a real web server, and what its answers mean."""

import json
import logging
import re

import pytest

from ocrjury.campaign.delivery_sections import Webhook
from ocrjury.delivery import webhooks
from ocrjury.delivery.announcements import Announcement, body_for
from ocrjury.delivery.webhooks import post
from ocrjury.language import speaking
from tests.covers import cover, headline, withheld
from tests.webhook_server import SECRET, open_webhook

HOOK = Webhook(name="team", url_env="TEAM_URL")


def announcement(**changes):
    facts = {
        "campaign": "claims",
        "evaluation": "claims-2026w47",
        "period": "2026w47",
        "version": 1,
        "cover": cover(),
    }
    return Announcement(**{**facts, **changes})


def posted(server, monkeypatch, address=None):
    monkeypatch.setenv("TEAM_URL", server.address if address is None else address)
    ended = post(HOOK, {"text": "금액"}, identity="one-id")
    assert not any(part in (ended.detail or "") for part in (*SECRET.split("/"), "127.0.0.1"))
    return ended


def test_it_is_posted_once_as_json_under_its_id(monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    with open_webhook() as server:
        ended = posted(server, monkeypatch)

    assert ended == ("sent", None)
    assert server.posts == [(f"/services/{SECRET}", {"text": "금액"})]
    assert server.headers[0]["Idempotency-Key"] == "one-id"
    assert server.headers[0]["Content-Type"].startswith("application/json")
    assert SECRET not in caplog.text


@pytest.mark.parametrize("code", [200, 201, 202, 204])
def test_any_success_is_sent(monkeypatch, code):
    with open_webhook(code) as server:
        assert posted(server, monkeypatch).state == "sent"


@pytest.mark.parametrize(
    ("code", "state", "said"),
    [
        (500, "failed", r"'team' answered 500 \(Internal Server Error\)\."),
        (503, "failed", "answered 503"),
        (429, "failed", r"answered 429 \(Too Many Requests\)\."),
        (408, "failed", "answered 408"),
        (400, "given_up", r"400 \(Bad Request\); another attempt would be refused too: see TEAM_"),
        (404, "given_up", "404"),
        (410, "given_up", "410"),
        (418, "given_up", "418"),
        (499, "given_up", "an unknown status"),
        (301, "given_up", "a redirect is not followed: TEAM_URL must hold the final address"),
        (302, "given_up", "redirect"),
        (307, "given_up", "redirect"),
        (308, "given_up", "redirect"),
    ],
)
def test_an_error_is_tried_again_only_if_that_may_help(monkeypatch, code, state, said):
    with open_webhook(code) as server:
        ended = posted(server, monkeypatch)

    assert ended.state == state
    assert re.search(said, ended.detail)
    assert len(server.posts) == 1, "nothing is followed, nothing is sent again at once"


def test_a_server_that_does_not_answer_is_left_after_a_while(monkeypatch):
    monkeypatch.setattr(webhooks, "TIMEOUT", 0.2)
    with open_webhook() as server:
        server.silent = True
        ended = posted(server, monkeypatch)

    assert ended == ("failed", "the webhook 'team' did not answer within 0.2 seconds.")


def test_a_server_that_is_not_there_is_a_failure(monkeypatch):
    with open_webhook() as server:
        pass

    ended = posted(server, monkeypatch)

    assert ended == ("failed", "the webhook 'team' cannot be reached: Connection refused.")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "TEAM_URL, which holds the address of the webhook 'team', is not set where runs work"),
        ("http://hooks.example.org/T0ubadour", "holds no https address"),
        ("ftp://hooks.example.org/T0ubadour", "holds no https address"),
        ("T0ubadour", "holds no https address"),
        ("https:///T0ubadour", "holds no https address"),
        ("https://[T0ubadour/", "holds no https address"),
        ("https://127.0.0.1:99999/T0ubadour", "team"),
        ("http://127.0.0.1:9/T0 ubadour\n/B4mboo", "holds no https address"),
        ("http://127.0.0.1:9/T0 ubadour", "cannot be reached: InvalidURL"),
    ],
)
def test_an_address_that_cannot_be_used_is_a_failure_that_hides_it(monkeypatch, address, said):
    with open_webhook() as server:
        ended = posted(server, monkeypatch, address)

    assert ended.state == "failed"
    assert said in ended.detail
    assert "T0" not in ended.detail
    assert "ubadour" not in ended.detail
    assert server.posts == []


def said_to(kind, **changes):
    hook = Webhook(name="team", kind=kind, url_env="TEAM_URL")
    return json.dumps(body_for(hook, announcement(**changes)), ensure_ascii=False)


KINDS = ["slack", "teams", "json"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_tells_outcome_verdict_headline_and_link(kind):
    told = said_to(kind, link="https://reports.example.org/x/report.html", published="s3://b/r")

    for fact in ("Claims", "claims-2026w47", "Target met: mean 4.0", "PASS", "4.3", "4.1", "4.5"):
        assert fact in told
    assert "https://reports.example.org/x/report.html" in told
    assert "s3://b/r" in told
    assert "SIMULATED" not in told


@pytest.mark.parametrize("kind", KINDS)
def test_no_form_tells_what_the_gate_withholds(kind):
    said = withheld()
    told = said_to(kind, cover=said)

    assert said.withheld in told
    assert "FAIL" in told
    assert "4.3" not in told
    assert "Open the report" not in told


@pytest.mark.parametrize("kind", KINDS)
def test_no_form_tells_who_released_it_and_why(kind):
    told = said_to(kind, cover=cover(reason="Released by J. Kim against the gate: as I like"))

    assert "Kim" not in told


@pytest.mark.parametrize(
    ("kind", "mark"),
    [("slack", "[SIMULATED] "), ("teams", "[SIMULATED] "), ("json", '"simulated": true')],
)
def test_a_rehearsal_alone_says_that_it_is_one(kind, mark):
    assert mark in said_to(kind, cover=cover(simulated=True))
    assert mark not in said_to(kind)


def test_a_share_without_an_interval_is_told_as_such():
    share = headline(0.8, share_at_least=4.0, estimate=type(headline().estimate)(0.8))

    assert "80.0% (no interval)" in said_to("slack", cover=cover(headline=share))
    assert '"low": null' in said_to("json", cover=cover(headline=share))


def test_nothing_in_slack_is_a_mention_or_a_link_but_the_link():
    said = cover(title="<!channel> <https://evil.example|x> & co")

    told = said_to("slack", cover=said)

    assert "<!channel>" not in told
    assert "&lt;!channel&gt; &lt;https://evil.example|x&gt; &amp; co" in told


@pytest.mark.parametrize("kind", ["slack", "teams"])
def test_a_message_is_said_in_the_language_of_the_moment(kind):
    told = {"link": "https://reports.example.org/x", "cover": cover(simulated=True)}
    with speaking("zh"):
        said = said_to(kind, **told)

    for words in (
        "[模拟] Claims",
        "claims-2026w47，第 1 版",
        "关口",
        "通过",
        "核心结果",
        "打开报告",
    ):
        assert words in said
    for words in ("Evaluation", "Gate", "PASS", "Headline", "SIMULATED", "Open the"):
        assert words not in said


def test_the_words_of_a_program_stay_the_same_in_every_language():
    with speaking("ko"):
        body = json.loads(said_to("json"))

    assert body == json.loads(said_to("json"))
