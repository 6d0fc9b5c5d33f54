"""Origin of a file of ratings: the evaluation that it names, and whose ratings it may bring.

Nobody signs in to send a file. What `ratings export --open` hands out has a code in each row that
only this store can write, so that no row counts as another rater's. Without codes, whoever imports
the file says who sent it, or vouches for it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ocrjury.campaign.problems import shown
from ocrjury.errors import InputError
from ocrjury.frontends.sheets.signatures import row_key
from ocrjury.ratings.sheets import RatingCell


class Sender(NamedTuple):
    """Sender of a file of ratings.

    Attributes
    ----------
    actor
        Who imports it, as the audit log says it.
    rater
        Who sent it, so that it may hold no other rater's ratings; None: nobody is named.
    vouched
        Whether the one who imports it answers for rows that nothing else shows to be a rater's.
    """

    actor: str = "lead"
    rater: str | None = None
    vouched: bool = False


def check_origin(
    table: Sequence[RatingCell], evaluation: str, *, sender: Sender, source: str
) -> None:
    """Refuse a file of another evaluation, or one whose sender nobody knows."""
    if table and all(cell.evaluation is None for cell in table):
        raise InputError(
            f"{source} has no column 'evaluation', so it does not say of which evaluation it is. "
            f"If it is of {evaluation}, add the column with that name in every row. Nothing was "
            "stored."
        )
    for cell in table:
        if not cell.evaluation:
            raise InputError(
                f"{source}, row {cell.row}: it does not say of which evaluation it is. If it is of "
                f"{evaluation}, write that name into the column 'evaluation' of every row. Nothing "
                "was stored."
            )
        if cell.evaluation != evaluation:
            raise InputError(
                f"{source}, row {cell.row}: it is of the evaluation {shown(cell.evaluation)} and "
                f"not of {evaluation}. Nothing was stored."
            )
    coded = all(cell.row_code is not None for cell in table)
    if not (coded or sender.vouched or sender.rater):
        raise InputError(
            f"{source} has no column 'row_code', so it does not show whose ratings it holds. Say "
            "which rater sent it (--rater R01), or that you vouch for every row (--as-lead). "
            "Nothing was stored."
        )


def origin_problem(cell: RatingCell, assignment: str, *, sender: Sender, key: bytes) -> str | None:
    """Reason why a row is not its rater's; None if nothing is wrong."""
    if sender.rater is not None and cell.rater != sender.rater:
        return f"{sender.rater} sent the file, and the row is {shown(cell.rater)}'s"
    if cell.row_code is not None and cell.row_code != row_key(key, assignment):
        return (
            f"its row_code is not that of item {shown(cell.item)} for {shown(cell.rater)}; the row "
            "was handed out to somebody else, or by another store"
        )
    return None


def proof_of(table: Sequence[RatingCell], sender: Sender) -> str:
    """Evidence of whose ratings a file holds, for the audit log."""
    if sender.rater is not None:
        return f"sent by {sender.rater}"
    coded = all(cell.row_code is not None for cell in table)
    return "rows as they were handed out" if coded else "vouched for by the lead"
