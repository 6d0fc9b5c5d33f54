"""Changes that a lead asks for: decisions, and the personal links of a rater."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import decide
from ocrjury.campaign.limits import LINK_DAYS
from ocrjury.campaign.settings import RATING_URL, Settings
from ocrjury.errors import RefusedError, StateError
from ocrjury.frontends.web.access.leads import Lead
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.bodies import DecisionBody, LinkBody, LinkChanged
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import series
from ocrjury.store.database import writing
from ocrjury.store.decisions import add_request
from ocrjury.store.evaluations import ENDED, Evaluation
from ocrjury.store.histories import Standing
from ocrjury.store.invitations import make_link
from ocrjury.store.link_requests import ask_for_link
from ocrjury.store.links import extend_links, revoke_links
from ocrjury.store.rounds import list_progress, list_rounds
from ocrjury.store.sessions import end_sessions_of

MOVED: Final = phrase(
    "The evaluation has moved since this page was loaded. Look at it again, then decide."
)


def ask_for(lead: Lead, standing: Standing, body: DecisionBody) -> str:
    """Store a request for a decision; a flow takes it within seconds, at the latest by the sweep.

    `Trouble` if the decision does not fit, names somebody unknown, or another request waits.
    """
    if body.version != standing.position.version:
        raise Trouble(409, "moved", MOVED)
    row = standing.evaluation
    rubric = lead.site.campaign(row.evaluation).rubric
    _refuse_unknown(body.target, row.raters, [dimension.name for dimension in rubric.dimensions])
    try:
        decide(standing.history, body.decision, target=body.target)
        with writing(lead.site.store.engine) as connection:
            request = add_request(
                connection,
                standing.position,
                decision=body.decision,
                target=body.target,
                reason=body.reason,
                actor=lead.who,
                now=lead.site.now(),
            )
            action = f"decide {body.decision}"
            note(connection, lead, action, target=row.evaluation, reason=body.reason)
    except (RefusedError, StateError) as error:
        raise Trouble(409, "refused", error.args[0]) from error
    lead.site.announce()
    return request


def _refuse_unknown(target: DecisionTarget, raters: Sequence[str], dimensions: list[str]) -> None:
    """Refuse a target that names a rater or a dimension that is not there."""
    if unknown := [name for name in target.raters if name not in raters]:
        sentence = tr(
            "There is no rater {names}; there are {known}.",
            names=series(unknown),
            known=series(raters),
        )
        raise Trouble(422, "unknown", sentence)
    if unknown := [name for name in target.dimensions if name not in dimensions]:
        sentence = tr(
            "There is no dimension {names}; there are {known}.",
            names=series(unknown),
            known=series(dimensions),
        )
        raise Trouble(422, "unknown", sentence)


def change_links(lead: Lead, standing: Standing, body: LinkBody) -> LinkChanged:
    """Make, extend or revoke links, or end the sessions; a new link is shown here only.

    `Trouble` if the rater has nothing to rate, or the evaluation is over.
    """
    row, now = standing.evaluation, lead.site.now()
    if body.rater not in row.raters:
        raise Trouble(
            422, "unknown", tr("There is no rater {rater} in this evaluation.", rater=body.rater)
        )
    if row.state in ENDED and body.change in {"new", "extend"}:
        raise Trouble(409, "closed", tr("The evaluation is over; no link works any more."))
    if body.change == "mail":
        return _mail_link(lead, row, body.rater)
    number = _busy_round(lead, row.evaluation, body.rater) if body.change == "new" else None
    until = None if body.days is None else now + timedelta(days=body.days)
    with writing(lead.site.store.engine) as connection:
        if number is not None:
            secret = make_link(
                connection,
                row.evaluation,
                body.rater,
                number=number,
                created_by=lead.who,
                now=now,
                expires_at=until,
                address=lead.address,
            )
            address = f"{lead.site.address.rstrip('/')}/enter#{secret}"
            return LinkChanged(changed=1, address=address)
        if body.change == "sign_out":
            changed = end_sessions_of(connection, row.evaluation, body.rater, now=now)
        elif body.change == "revoke":
            changed = revoke_links(connection, row.evaluation, [body.rater], now=now)
        else:
            until = until or now + timedelta(days=LINK_DAYS)
            changed = extend_links(connection, row.evaluation, body.rater, until=until)
        action = "end sessions" if body.change == "sign_out" else f"{body.change} link"
        note(connection, lead, action, target=f"{row.evaluation} {body.rater}")
    return LinkChanged(changed=changed, address=None)


def _mail_link(lead: Lead, row: Evaluation, rater: str) -> LinkChanged:
    """Ask that a new link is mailed to a rater who has something open; the next run does it."""
    engine = lead.site.store.engine
    last = next(
        (round_ for round_ in list_rounds(engine, row.evaluation) if round_.state == "open"), None
    )
    progress = [] if last is None else list_progress(engine, row.evaluation, last.round)
    if last is None or row.state != "collecting" or last.frontend != RATING_PAGE:
        raise Trouble(
            409, "nothing", tr("Links are mailed while a round of the rating page is open.")
        )
    if not any(round_.rater == rater and round_.open for round_ in progress):
        raise Trouble(
            409, "nothing", tr("{rater} has nothing to rate in an open round.", rater=rater)
        )
    if Settings.from_environment().rating_url is None:
        sentence = tr("No email can name the rating page: {name} is not set.", name=RATING_URL)
        raise Trouble(409, "refused", sentence)
    try:
        with writing(engine) as connection:
            ask_for_link(
                connection,
                row.evaluation,
                rater,
                number=last.round,
                config=row.config,
                actor=lead.who,
                address=lead.address,
                now=lead.site.now(),
            )
    except StateError as error:
        raise Trouble(409, "refused", error.args[0]) from error
    lead.site.announce()
    return LinkChanged(changed=0, address=None)


def _busy_round(lead: Lead, name: str, rater: str) -> int:
    """Open round in which a rater has something to rate."""
    engine = lead.site.store.engine
    last = next((row for row in list_rounds(engine, name) if row.state == "open"), None)
    progress = [] if last is None else list_progress(engine, name, last.round)
    if last is None or not any(row.rater == rater and (row.open or row.done) for row in progress):
        raise Trouble(
            409, "nothing", tr("{rater} has nothing to rate in an open round.", rater=rater)
        )
    return last.round
