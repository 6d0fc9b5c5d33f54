"""How far a round is after ratings came in: told to Prefect when nothing is open any more."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ocrjury.cli.stored import OpenStore


def round_news(opened: "OpenStore", evaluation: str, *, complete: bool) -> str:
    """Return how far the open round is; of a complete one, tell Prefect, and say what is next."""
    from ocrjury.cli.runs import prefect_api, prefect_key, server_answers
    from ocrjury.signals.events import send_signals

    if not complete:
        last = opened.standing(evaluation).history.last
        asked = last.ratings + last.open
        return f"{last.ratings:,} of {asked:,} assignments of round {last.number} are done."
    api = prefect_api()
    if server_answers(api) and send_signals(opened.store.engine, api=api, key=prefect_key()):
        return "The round is complete; Prefect was told and goes on."
    return f"The round is complete. Go on with: ocrjury evaluation advance {evaluation}"
