"""What one rater is asked in a round, as the rows of a sheet."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ocrjury.frontends.sheets.signatures import row_key
from ocrjury.frontends.sheets.texts import shown_text
from ocrjury.frontends.sheets.words import KINDS, Words
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

    def shown(self, words: Words) -> dict[str, str]:
        """Texts of the row's cells by the name of their column."""
        item = self.item
        reference = words.no_reference if item.reference is None else item.reference
        kind = words.kinds[KINDS.index(item.kind)] if item.kind in KINDS else item.kind or ""
        texts = {
            "doc_type": item.doc_type or "",
            "kind": kind,
            "reference": reference or words.empty,
            "hypothesis": item.hypothesis or words.empty,
        }
        return {name: shown_text(text, cut=words.cut) for name, text in texts.items()}


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
    items = {one.item: one for one in list_items(store.engine, evaluation)}
    rows = [
        AssignedRow(row_key(key, one.assignment), one, items[one.item])
        for one in list_assignments(store.engine, evaluation)
    ]
    return {
        one.round: AssignedRound(one, _of_round(rows, one.round))
        for one in list_rounds(store.engine, evaluation)
    }


def open_rows(rows: Iterable[AssignedRow], *, without: Sequence[str] = ()) -> list[AssignedRow]:
    """Rows that are still to be rated, without those of some keys."""
    known = set(without)
    return [row for row in rows if row.assignment.state == "open" and row.key not in known]


def _of_round(rows: Iterable[AssignedRow], number: int) -> tuple[AssignedRow, ...]:
    """Rows of one round."""
    return tuple(row for row in rows if row.assignment.round == number)
