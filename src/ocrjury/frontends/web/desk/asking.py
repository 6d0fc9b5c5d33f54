"""A decision that is asked for at the desk: checked, written down, announced."""

from collections.abc import Sequence

from ocrjury.campaign.decisions import decide
from ocrjury.errors import RefusedError, StateError
from ocrjury.frontends.web.access.people import Lead, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.bodies import DecisionBody
from ocrjury.store.database import writing
from ocrjury.store.decisions import add_request
from ocrjury.store.histories import Standing

MOVED = "The evaluation has moved since this page was loaded. Look at it again, then decide."


def ask_for(lead: Lead, standing: Standing, body: DecisionBody) -> str:
    """Store a request for a decision; a flow takes it within seconds, at the latest by the sweep.

    Raises
    ------
    Trouble
        If the decision does not fit, names somebody unknown, or another request waits.
    """
    if body.version != standing.position.version:
        raise Trouble(409, "moved", MOVED)
    row = standing.evaluation
    target = body.target.model_dump(mode="json")
    campaign = lead.site.campaign(row.evaluation)
    _check(body.target.raters, row.raters, "rater")
    _check(
        body.target.dimensions,
        [dimension.name for dimension in campaign.rubric.dimensions],
        "dimension",
    )
    try:
        decide(standing.history, body.decision, target=target)
        with writing(lead.site.store.engine) as connection:
            request = add_request(
                connection,
                standing.position,
                decision=body.decision,
                target=target,
                reason=body.reason,
                actor=lead.who,
                now=lead.site.now(),
            )
            note(
                connection,
                lead,
                f"decide {body.decision}",
                target=row.evaluation,
                reason=body.reason,
            )
    except (RefusedError, StateError) as error:
        raise Trouble(409, "refused", str(error)) from error
    lead.site.announce()
    return request


def _check(named: Sequence[str], known: Sequence[str], what: str) -> None:
    """Refuse a name that the evaluation does not have."""
    unknown = [name for name in named if name not in known]
    if unknown:
        raise Trouble(
            422,
            "unknown",
            f"There is no {what} {', '.join(unknown)}; there are {', '.join(known)}.",
        )
