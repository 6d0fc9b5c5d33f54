"""Open assignments of all raters, as a table that they fill in and send back."""

from typing import IO, NamedTuple

from ocrjury.errors import InputError, StateError
from ocrjury.frontends.sheets.signatures import row_key, signing_key
from ocrjury.ratings.csv_tables import write_table
from ocrjury.ratings.sheets import row_code
from ocrjury.store.documents import list_items
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.rounds import list_assignments, list_rounds
from ocrjury.store.workspace import Store


class SheetRow(NamedTuple):
    """An open assignment, and what its rater may know about the item: neither scores nor system.

    `item` is a code of the row where the round holds gold or items to be rated twice, or the
    evaluation has outputs of several systems: a name could tell which of them it is. `row_code`
    shows that the row was handed out to its rater.
    `reference` is empty where raters do not see it.
    """

    evaluation: str
    item: str
    rater: str
    row_code: str
    session: int
    position: int
    doc_type: str
    reference: str
    hypothesis: str


class AssignmentSheet(NamedTuple):
    """The open assignments of a round, rater by rater in the order in which each rates."""

    round: int
    dimensions: tuple[str, ...]
    rows: tuple[SheetRow, ...]

    @property
    def raters(self) -> tuple[str, ...]:
        """Raters with open assignments."""
        return tuple(dict.fromkeys(row.rater for row in self.rows))

    def of(self, rater: str) -> "AssignmentSheet":
        """Part of one rater."""
        return self._replace(rows=tuple(row for row in self.rows if row.rater == rater))


def read_open_assignments(
    store: Store, evaluation: str, *, rater: str | None = None
) -> AssignmentSheet:
    """Open assignments of the open round, of one rater or of all.

    Raises
    ------
    StateError
        If no round is open, or nothing in it.
    InputError
        If this rater has nothing open; names those who have.
    """
    last = next((row for row in list_rounds(store.engine, evaluation) if row.state == "open"), None)
    if last is None:
        raise StateError(f"{evaluation} has no open round; nobody is asked for ratings.")
    items = {item.item: item for item in list_items(store.engine, evaluation)}
    shown = read_evaluation(store.engine, evaluation).shows_reference
    assigned = [
        (row, items[row.item])
        for row in list_assignments(store.engine, evaluation)
        if row.round == last.round
    ]
    checked = any(row.repeat or item.purpose != "sample" for row, item in assigned)
    several_systems = len({item.system for item in items.values()}) > 1
    coded = several_systems or (last.kind == "main" and checked)
    key = signing_key(store)
    rows = tuple(
        SheetRow(
            evaluation=evaluation,
            item=row_code(row.assignment) if coded else row.item,
            rater=row.rater,
            row_code=row_key(key, row.assignment),
            session=row.session,
            position=row.position,
            doc_type=item.doc_type or "",
            reference=(item.reference or "") if shown else "",
            hypothesis=item.hypothesis,
        )
        for row, item in assigned
        if row.state == "open"
    )
    sheet = AssignmentSheet(last.round, tuple(last.dimensions), rows)
    if not rows:
        raise StateError(f"every assignment of round {last.round} of {evaluation} is done.")
    if rater is None:
        return sheet
    if rater not in sheet.raters:
        raise InputError(
            f"{rater} has no open assignment in round {last.round} of {evaluation}; those who "
            f"have are {', '.join(sheet.raters)}."
        )
    return sheet.of(rater)


def write_sheet(file: IO[str], sheet: AssignmentSheet) -> None:
    """Write a sheet as CSV, with an empty column for every dimension."""
    empty = [""] * len(sheet.dimensions)
    header = [*SheetRow._fields, *sheet.dimensions]
    write_table(file, header, ([*row, *empty] for row in sheet.rows))
