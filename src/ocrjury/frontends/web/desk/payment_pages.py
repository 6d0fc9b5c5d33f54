"""Items, hours and cost by rater and round: a table, and a CSV file to download."""

import io
from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import Response

from ocrjury.evaluation.payment import COLUMNS, Payment, list_payments, totals
from ocrjury.frontends.web.access.leads import OnPage
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.desk.desk_pages import frame_of, unchanged_page
from ocrjury.frontends.web.desk.evaluation_view import standing_of
from ocrjury.frontends.web.desk.live_pages import Known, look, pulse_of
from ocrjury.frontends.web.rendering import attached_as, desk_page
from ocrjury.language import phrase
from ocrjury.ratings.csv_tables import write_table
from ocrjury.store.database import writing

LACKS: Final[Mapping[str, str]] = {
    "not measured": phrase("time not measured"),
    "partly measured": phrase("time of some items only"),
    "no price": phrase("no price"),
    "no currency": phrase("no currency"),
}
"""Reasons why a cell of the table is empty or incomplete."""
router = APIRouter(include_in_schema=False)


@router.get("/desk/{name}/payment")
def show_payments(name: str, lead: OnPage, known: Known = "") -> Response:
    """Show the work of each rater and its cost, or that nothing changed."""
    if same := unchanged_page(lead, name, known=known):
        return same
    standing_of(lead, name)
    pulse = pulse_of(lead, name)  # before the sums, so that nothing is missed
    payments = _payments(lead, name)
    look(lead, "view payment", evaluation=name)
    return desk_page("payment", **_values(lead, name, payments), pulse=pulse)


@router.get("/desk/{name}/payment.csv")
def download_payments(name: str, lead: OnPage) -> Response:
    """Send the same as a file, by pseudonyms."""
    payments = _payments(lead, name)
    with writing(lead.site.store.engine) as connection:
        note(connection, lead, "export", target=f"{name} payment")
    file = io.StringIO()
    rows = [payment.cells for payment in payments]
    write_table(file, COLUMNS, ([cells[column] for column in COLUMNS] for cells in rows))
    return Response(
        file.getvalue().encode("utf-8-sig"),
        media_type="text/csv; charset=utf-8",
        headers=attached_as(f"{name}-payment.csv"),
    )


def _payments(lead: OnPage, name: str) -> list[Payment]:
    """Payments of an evaluation that the lead sees."""
    return list_payments(lead.site.store.engine, [standing_of(lead, name).evaluation.evaluation])


def _values(lead: OnPage, name: str, payments: list[Payment]) -> dict[str, Any]:
    return {
        **frame_of(lead, name),
        "payments": payments,
        "sums": totals(payments),
        "items": sum(payment.items for payment in payments),
        "hours": [payment.hours for payment in payments if payment.hours is not None],
        "lacks": LACKS,
    }
