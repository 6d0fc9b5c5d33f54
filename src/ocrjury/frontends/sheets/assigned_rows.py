"""Assignments of one rater in a round, as the rows of a sheet."""

from typing import NamedTuple

from ocrjury.field_kinds import FIELD_KINDS
from ocrjury.frontends.sheets.signatures import row_key
from ocrjury.frontends.sheets.texts import shown_text
from ocrjury.pages.catalogues import Say
from ocrjury.store.documents import SampledItem, list_items
from ocrjury.store.rounds import AssignmentRow, RoundRow, list_assignments, list_rounds
from ocrjury.store.workspace import Store


class AssignedRow(NamedTuple):
    """An assignment with what its rater may know about the item: neither scores nor system.

    Nothing in it tells gold from other items, nor a second time from the first.
    """

    key: str
    assignment: AssignmentRow
    item: SampledItem

    def shown(self, say: Say) -> dict[str, str]:
        """Texts of the row's cells by the name of their column."""
        item = self.item
        reference = say("no_reference") if item.reference is None else item.reference
        texts = {
            "doc_type": item.doc_type or "",
            "field": item.field or "",
            "kind": say(f"kind_{item.kind}") if item.kind in FIELD_KINDS else item.kind or "",
            "reference": reference or say("empty"),
            "hypothesis": item.hypothesis or say("empty"),
        }
        return {name: shown_text(text, cut=say("cut")) for name, text in texts.items()}


class AssignedRound(NamedTuple):
    """A round with all its assignments, rater by rater in the order in which each rates."""

    round: RoundRow
    rows: tuple[AssignedRow, ...]

    def raters(self) -> tuple[str, ...]:
        """Raters with open assignments."""
        opened = (row for row in self.rows if row.assignment.state == "open")
        return tuple(dict.fromkeys(row.assignment.rater for row in opened))

    def of(self, rater: str) -> tuple[AssignedRow, ...]:
        """Rows of one rater."""
        return tuple(row for row in self.rows if row.assignment.rater == rater)


def read_assigned_rounds(store: Store, evaluation: str, *, key: bytes) -> dict[int, AssignedRound]:
    """Every round of an evaluation by its number."""
    items = {item.item: item for item in list_items(store.engine, evaluation)}
    rows = [
        AssignedRow(row_key(key, assignment.assignment), assignment, items[assignment.item])
        for assignment in list_assignments(store.engine, evaluation)
    ]
    return {
        round_.round: AssignedRound(
            round_, tuple(row for row in rows if row.assignment.round == round_.round)
        )
        for round_ in list_rounds(store.engine, evaluation)
    }
