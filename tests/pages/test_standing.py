from typing import get_args

import pytest

from ocrjury.campaign.history import STATES, HeldReason, History, Round
from ocrjury.language import languages, speaking
from ocrjury.pages.standing import awaits


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_said_in_words_of_each_language(state):
    held = {"held_reason": "plan"} if state == "held" else {}
    history = History(state, rounds=(Round(1, "main"),), **held)

    said = set()
    for language in languages():
        with speaking(language):
            said.add(awaits(history))

    assert len(said) == len(languages())
    assert all(words.isprintable() for words in said)


@pytest.mark.parametrize("reason", get_args(HeldReason))
def test_every_hold_asks_for_a_decision(reason):
    assert awaits(History("held", reason)).endswith(": a decision is needed")


@pytest.mark.parametrize(
    ("round_", "words"),
    [
        (Round(1, "main", ratings=3, open=1), "Waits for 1 assignment"),
        (Round(1, "main", ratings=3, open=4, overdue=True), "Overdue: 4 assignments missing"),
        (Round(1, "main", ratings=3, open=0), "All assignments are done; the next step follows"),
    ],
)
def test_a_round_says_what_it_waits_for(round_, words):
    assert awaits(History("collecting", rounds=(round_,))) == words
