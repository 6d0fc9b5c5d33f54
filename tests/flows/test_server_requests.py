"""A decision at the desk reaches a worker by an event, without a person starting anything."""

from datetime import UTC, datetime

import pytest

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.signals import send_signals
from ocrjury.store.database import writing
from ocrjury.store.decisions import add_request, list_decisions, list_requests
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.moves import Position

pytestmark = pytest.mark.prefect
NAME = "waiting-claims-2026w47"


@pytest.mark.usefixtures("waiting_run")
def test_what_a_lead_asks_for_at_the_desk_is_done_by_a_worker(server):
    with server.open_store() as store:
        row = read_evaluation(store.engine, NAME)
        with writing(store.engine) as connection:
            add_request(
                connection,
                Position(NAME, row.state, row.version),
                decision="abort",
                target=DecisionTarget(),
                reason="wrong pool",
                actor="J. Kim",
                now=datetime.now(UTC),
            )
        # What the rating page's process does after a request was stored.
        send_signals(store.engine, api=server.address, key=server.key)

        def settled():
            return [
                request.outcome for request in list_requests(store.engine, NAME) if request.outcome
            ]

        assert server.wait_for(settled, seconds=120) == ["taken"]
        assert read_evaluation(store.engine, NAME).state == "aborted"
        assert [decision.actor for decision in list_decisions(store.engine, NAME)] == ["J. Kim"]
