"""State of evaluations, for the flows."""

import os
from datetime import timedelta

from ocrjury.campaign.settings import Settings
from ocrjury.errors import InputError, StateError
from ocrjury.evaluation.case import at_work, no_store_any_more
from ocrjury.evaluation.next_rounds import Prospects
from ocrjury.signals import send_signals
from ocrjury.signals.own_server import own_password, prefect_address, prefect_key
from ocrjury.store.decisions import list_requested, waiting_request
from ocrjury.store.evaluations import list_moved, list_unfinished, read_evaluation
from ocrjury.store.stale_signals import drop_stale

NEWS_LAST = timedelta(days=1)
"""Longer than all pauses between two attempts at an email."""


def was_anything_opened() -> bool:
    """Return whether the home holds a store.

    Raises
    ------
    StateError
        The home is not even that of a server: it is gone, or not mounted.
    """
    settings = Settings.from_environment()
    if not settings.store_exists and own_password(settings.home) is None:
        raise StateError(no_store_any_more(settings))
    return settings.store_exists


def why_unknown(evaluation: str) -> str | None:
    """Sentence about a name that no evaluation has, with names that some have; else None."""
    with at_work() as work:
        try:
            read_evaluation(work.engine, evaluation)
        except InputError as error:
            return str(error)
    return None


def unfinished_evaluations() -> list[str]:
    """Evaluations that a sweep advances, also those that a lead has decided about."""
    with at_work() as work:
        return list(dict.fromkeys([*list_requested(work.engine), *list_unfinished(work.engine)]))


def lately_moved() -> list[str]:
    """Evaluations whose last run may have ended before it told the lead; later nobody tries."""
    with at_work() as work:
        return list_moved(work.engine, since=work.now - NEWS_LAST)


def stand(evaluation: str) -> Prospects:
    """State of an evaluation, without a plan of what may follow."""
    with at_work() as work, work.snapshot():
        return Prospects(work.case(evaluation).standing)


def is_requested(evaluation: str) -> bool:
    """Return whether a decision that a lead asked for waits to be taken."""
    with at_work() as work:
        return waiting_request(work.engine, evaluation) is not None


def send_waiting_signals() -> None:
    """Announce to Prefect what was not announced yet; without a server it waits."""
    if os.environ.get("PREFECT_API_URL"):
        api = prefect_address()
        with at_work() as work:
            drop_stale(work.engine, now=work.now)
            send_signals(work.engine, api=api, key=prefect_key(api))
