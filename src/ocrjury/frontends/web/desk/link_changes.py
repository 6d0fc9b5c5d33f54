"""Make, revoke and extend the personal links of a rater."""

from datetime import timedelta

from ocrjury.frontends.web.access.people import Lead, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.bodies import LinkBody, LinkChanged
from ocrjury.store.database import Connection, writing
from ocrjury.store.evaluations import ENDED
from ocrjury.store.histories import Standing
from ocrjury.store.invitations import make_link
from ocrjury.store.links import extend_links, revoke_links
from ocrjury.store.rounds import list_progress, list_rounds

DAYS = 7


def change_links(lead: Lead, standing: Standing, body: LinkBody) -> LinkChanged:
    """Make, extend or revoke links; the address of a new one is shown once and stored nowhere.

    Raises
    ------
    Trouble
        If the rater has nothing to rate, or the evaluation is over.
    """
    row = standing.evaluation
    if body.rater not in row.raters:
        raise Trouble(422, "unknown", f"There is no rater {body.rater} in this evaluation.")
    if row.state in ENDED and body.change != "revoke":
        raise Trouble(409, "closed", "The evaluation is over; no link works any more.")
    number = _busy_round(lead, row.evaluation, body.rater) if body.change == "new" else None
    with writing(lead.site.store.engine) as connection:
        if number is not None:
            return _new(connection, lead, row.evaluation, body=body, number=number)
        changed = _change(connection, lead, row.evaluation, body=body)
        note(connection, lead, f"{body.change} link", target=f"{row.evaluation} {body.rater}")
    return LinkChanged(changed=changed, address=None)


def _new(
    connection: Connection, lead: Lead, name: str, *, body: LinkBody, number: int
) -> LinkChanged:
    """Make a link for a round in place of the earlier ones."""
    now = lead.site.now()
    secret = make_link(
        connection,
        name,
        body.rater,
        number=number,
        created_by=lead.who,
        now=now,
        expires_at=None if body.days is None else now + timedelta(days=body.days),
        address=lead.address,
    )
    address = f"{lead.site.address.rstrip('/')}/enter#{secret}"
    return LinkChanged(changed=1, address=address)


def _change(connection: Connection, lead: Lead, name: str, *, body: LinkBody) -> int:
    """Extend or revoke links; return how many."""
    now = lead.site.now()
    if body.change == "revoke":
        return revoke_links(connection, name, [body.rater], now=now)
    until = now + timedelta(days=body.days or DAYS)
    return extend_links(connection, name, body.rater, until=until)


def _busy_round(lead: Lead, name: str, rater: str) -> int:
    """Open round in which a rater has something to rate."""
    engine = lead.site.store.engine
    last = next((row for row in list_rounds(engine, name) if row.state == "open"), None)
    progress = [] if last is None else list_progress(engine, name, last.round)
    if last is None or not any(row.rater == rater and (row.open or row.done) for row in progress):
        raise Trouble(409, "nothing", f"{rater} has nothing to rate in an open round.")
    return last.round
