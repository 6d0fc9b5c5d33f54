"""How far a round is after ratings came in: told to Prefect when nothing is open any more."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work


def round_news(work: "Work", evaluation: str, *, complete: bool) -> str:
    """Return how far the open round is; of a complete one, tell Prefect, and say what is next."""
    from ocrjury.cli.runs import prefect_api, prefect_key, server_answers
    from ocrjury.signals.events import send_signals

    if not complete:
        last = work.case(evaluation).standing.history.last
        asked = last.ratings + last.open
        return f"{last.ratings:,} of {asked:,} assignments of round {last.number} are done."
    api = prefect_api()
    if server_answers(api) and send_signals(work.engine, api=api, key=prefect_key()):
        return "The round is complete; Prefect was told and goes on."
    return f"The round is complete. Go on with: ocrjury evaluation advance {evaluation}"
