"""What a verdict advises comes back as it was given."""

import json

from ocrjury.gate import Action
from ocrjury.language import Phrase, phrase
from ocrjury.store.database import writing
from ocrjury.store.results import VerdictRow, add_verdicts, latest_verdicts


def test_actions_come_back_as_records_whose_sentences_can_be_read_in_another_language(
    engine, evaluation
):
    text = phrase("Recalibrate {rater} on {dimension}.", rater="R03", dimension="meaning")
    actions = (Action("recalibrate", text, "meaning", "R03"), Action("release", "Release it."))
    row = VerdictRow(1, "*", "FAIL", None, ["no"], None, actions, "p")
    with writing(engine) as connection:
        add_verdicts(connection, evaluation, [row])
        (body,) = connection.exec_driver_sql("select actions from verdicts").scalars()

    (verdict,) = latest_verdicts(engine, evaluation)

    assert verdict.actions == actions
    assert isinstance(verdict.actions[0].text, Phrase)
    assert [action.text for action in verdict.actions] == [
        "Recalibrate R03 on meaning.",
        "Release it.",
    ]
    assert (json.loads(body) if isinstance(body, str) else body)[1] == {
        "kind": "release",
        "text": "Release it.",
        "dimension": None,
        "rater": None,
        "items": None,
    }
