import socket

import httpx
import pytest

from ocrjury.errors import InputError
from ocrjury.frontends.labelstudio.hints import HEADER, ask_for_hints, listening, want_no_more_hints


@pytest.fixture
def here():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


@pytest.fixture
def hints(here):
    with listening(here) as hints:
        yield hints


def test_a_hint_with_the_secret_ends_the_wait_once(hints, here):
    answer = httpx.post(f"{here}/any", headers={HEADER: hints.secret}, json={"x": "y" * 1000})

    assert answer.status_code == 204
    assert hints.wait(60) is True
    assert hints.wait(0) is False


@pytest.mark.parametrize("headers", [{}, {HEADER: "wrong"}, {HEADER: "é".encode()}])
def test_whoever_does_not_know_the_secret_is_turned_away(hints, here, headers):
    assert httpx.post(here, headers=headers).status_code == 403
    assert hints.wait(0) is False


def test_nothing_else_is_answered(hints, here):
    assert httpx.get(here, headers={HEADER: hints.secret}).status_code == 501
    assert hints.wait(0) is False


def test_the_secret_is_new_each_time_and_not_shown(hints):
    assert len(hints.secret) >= 43
    assert hints.secret not in repr(hints)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1:8090", "http://127.0.0.1", "https://127.0.0.1:1", "http://192.0.2.1:8090", ""],
)
def test_where_nobody_can_listen_is_said(address):
    with pytest.raises(InputError, match="Nobody can listen for hints"):
        with listening(address):
            pass


def test_label_studio_is_asked_to_send_no_text(server, label_studio, hints):
    webhooks = ask_for_hints(server, [4, 5], hints)

    assert [
        (webhook["project"], webhook["send_payload"]) for webhook in label_studio.webhooks.values()
    ] == [
        (4, False),
        (5, False),
    ]
    assert all(
        webhook["headers"] == {HEADER: hints.secret} for webhook in label_studio.webhooks.values()
    )
    want_no_more_hints(server, webhooks)
    assert label_studio.webhooks == {}
