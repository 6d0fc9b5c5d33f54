"""Rounds that the rows of the table open, so that a stored move tells which one it opened."""

from ocrjury.campaign.decisions import DECISION_TABLE
from ocrjury.campaign.history import Opening
from ocrjury.campaign.state import TABLE

_OPENS: dict[str, Opening | None] = {
    **{row.row: row.opens for row in TABLE},
    **{row.row: row.opens for row in DECISION_TABLE},
}


def rows_opening(*rounds: Opening) -> list[str]:
    """Rows of the table, as moves store them, that open one of these rounds.

    Examples
    --------
    >>> rows_opening("main", "top_up"), rows_opening("recalibration")
    (['7', '16', '18', '19a'], ['27'])
    """
    return [row for row, opens in _OPENS.items() if opens in rounds]
