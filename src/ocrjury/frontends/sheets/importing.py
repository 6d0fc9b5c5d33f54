"""Import ratings from a long table, such as raters or another tool exported."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from ocrjury.campaign.problems import shown
from ocrjury.errors import InputError, StateError
from ocrjury.file_limits import MAX_SHEET
from ocrjury.frontends.ingest import (
    ANYTHING,
    Problem,
    RawRating,
    find_facts,
    receive_on,
    refuse,
    value_problems,
)
from ocrjury.frontends.sheets.origin import Sender, check_origin, origin_problem, proof_of
from ocrjury.frontends.sheets.signatures import signing_key
from ocrjury.normal_forms import normal_form
from ocrjury.plain_numbers import plain_number
from ocrjury.ratings.sheets import RatingCell, read_sheet, row_code
from ocrjury.scales import Scale, Scales, scale_of
from ocrjury.store.audit import add_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.evaluations import Evaluation, read_rubric
from ocrjury.store.files import content_hash
from ocrjury.store.ratings import file_known, note_file
from ocrjury.store.rounds import AssignmentRow, list_assignments, list_rounds
from ocrjury.store.workspace import Store
from ocrjury.text_files import decode_text, read_bytes

_LONGEST_NAME = 100
_ABSENT = (
    "no rating on dimension {!r}; its column, or in a long file its rows, are missing or empty"
)


class Imported(NamedTuple):
    """Outcome of an import; `again` says that this very file was imported before.

    `replaced` counts the values that stood there before and are others now.
    """

    ratings: int
    assignments: int
    complete: bool
    again: bool = False
    replaced: int = 0


def import_ratings(
    store: Store,
    row: Evaluation,
    path: Path,
    *,
    scale: Scales,
    now: datetime,
    sender: Sender = Sender(),  # noqa: B008  # it never changes
) -> Imported:
    """Store the ratings of a file in the open round, all or none.

    Parameters
    ----------
    path
        A CSV file, either long (evaluation, item, rater, dimension, rating) or with one column for
        each dimension. An item's name means its first rating; the code of a row in a sheet means
        that row.
    sender
        Who brings it.

    Raises
    ------
    InputError
        If the file is of another evaluation, or any row is wrong; names every row. Nothing is
        stored then.
    """
    body = read_bytes(path, most=MAX_SHEET)
    rounds = list_rounds(store.engine, row.evaluation)
    last = next((each for each in reversed(rounds) if each.state == "open"), None)
    if last is None:
        raise StateError(f"{row.evaluation} has no open round; nothing was stored.")
    text = decode_text(body, source=path.name)
    table = read_sheet(text, source=path.name, dimensions=last.dimensions)
    check_origin(table, row.evaluation, sender=sender, source=path.name)
    assigned = _assigned(store, row.evaluation, last.round)
    problem = partial(origin_problem, sender=sender, key=signing_key(store))
    rated = _Rated(last.dimensions, scale, problem)
    try:
        values = _by_assignment(table, assigned, rated, source=path.name)
    except InputError:
        if _came_before(store, row, body):
            return Imported(0, 0, complete=False, again=True)
        raise
    raters = {each.assignment: each.rater for each in assigned.values()}
    # Evaluations of one campaign may hold the same items, and so get the same file.
    digest = _digest(row, body)
    sent = list(
        _sent(values, raters, digest=digest, rubric_hash=row.rubric_hash, actor=sender.actor)
    )
    file = _File(path.name, digest, row, last.round, proof_of(table, sender), sender.actor)
    return _store(store, file, sent, rows=len(table), now=now)


def _digest(row: Evaluation, body: bytes) -> str:
    """Name of a file of an evaluation by its content."""
    return content_hash(f"{row.evaluation}\n".encode() + body)


def _came_before(store: Store, row: Evaluation, body: bytes) -> bool:
    """Return whether a file was imported in any round."""
    digest, rounds = _digest(row, body), list_rounds(store.engine, row.evaluation)
    with reading(store.engine) as connection:
        return any(file_known(connection, digest, each.round) for each in rounds)


class _File(NamedTuple):
    """A file that was read: what it is, and for which round."""

    name: str
    digest: str
    evaluation: Evaluation
    round: int
    proof: str
    actor: str


class _Rated(NamedTuple):
    """Dimensions and scales of the ratings, and a check of each row's rater."""

    dimensions: Sequence[str]
    scale: Scales
    origin: Callable[[RatingCell, str], str | None]

    def scale_of(self, dimension: str) -> Scale:
        """Scale of a dimension; one that nobody knows is told of whatever is rated on it."""
        return scale_of(self.scale, dimension) if dimension in self.dimensions else ANYTHING


def _store(
    store: Store, file: _File, sent: Sequence[RawRating], *, rows: int, now: datetime
) -> Imported:
    """Store what a file brings, and that it was imported."""
    name = file.evaluation.evaluation
    rubric = read_rubric(store.engine, file.evaluation.rubric_hash)
    facts = find_facts(store.engine, name, [raw.assignment for raw in sent], rubric=rubric)
    with writing(store.engine) as connection:
        if file_known(connection, file.digest, file.round):
            return Imported(0, 0, complete=False, again=True)
        received = receive_on(connection, name, sent, rubric=rubric, facts=facts, now=now)
        if received.refused:  # a round was closed, or an item taken back, this very moment
            raise StateError(f"{file.name}, {received.refused[0]}; nothing was stored.")
        note_file(connection, file.digest, evaluation=name, number=file.round, rows=rows, now=now)
        add_audit(
            connection,
            "import",
            actor=file.actor,
            object_=f"{name}, round {file.round}, {file.name[:_LONGEST_NAME]}",
            address="cli",
            reason=file.proof,
            now=now,
        )
    return Imported(rows, len(sent), received.complete, replaced=received.replaced)


def _sent(
    values: Mapping[str, Mapping[str, float]],
    raters: Mapping[str, str],
    *,
    digest: str,
    rubric_hash: str,
    actor: str,
) -> Iterator[RawRating]:
    """Yield what somebody brings for each rater; the same file brings the same events."""
    for assignment, ratings in values.items():
        yield RawRating(
            assignment=assignment,
            rater=raters[assignment],
            values=ratings,
            event_id=f"file/{digest[:16]}/{assignment}",
            rubric_hash=rubric_hash,
            source="file",
            where=f"item {shown(assignment)}",
            actor=actor,
        )


def _assigned(store: Store, evaluation: str, number: int) -> dict[tuple[str, str], AssignmentRow]:
    """Assignments of a round by what a file may call them, and rater."""
    assigned: dict[tuple[str, str], AssignmentRow] = {}
    for row in list_assignments(store.engine, evaluation):
        if row.round == number:
            assigned[row_code(row.assignment), row.rater] = row
            if not row.repeat:
                assigned[row.item, row.rater] = row
    # Whoever types a name, or a program that saves it, may write it in the composed form.
    composed = {(_composed(item), rater): row for (item, rater), row in assigned.items()}
    return composed | assigned


def _composed(item: str) -> str:
    return normal_form("NFC", item)


def _by_assignment(
    table: Sequence[RatingCell],
    assigned: Mapping[tuple[str, str], AssignmentRow],
    rated: _Rated,
    *,
    source: str,
) -> dict[str, dict[str, float]]:
    """Values of every assignment; raises if any row is wrong."""
    absent = _absent(table, rated.dimensions)
    problems = [(0, Problem("every row", _ABSENT.format(name))) for name in sorted(absent)]
    unread: dict[str, set[str]] = {}
    values: dict[str, dict[str, float]] = {}
    first: dict[tuple[str, str], RatingCell] = {}
    items = {item for item, _ in assigned}
    for cell in table:
        composed = _composed(cell.item)
        place = assigned.get((cell.item, cell.rater)) or assigned.get((composed, cell.rater))
        before = None if place is None else first.get((place.assignment, cell.dimension))
        own = rated.scale_of(cell.dimension)
        rating = _number(cell.rating, own)
        problem = (
            f"there is no item {shown(cell.item)} in the open round"
            if not items.intersection((cell.item, composed))
            else _problem(cell, place, before=before, scale=own)
        )
        if place is not None and problem is None:
            problem = rated.origin(cell, place.assignment)
        if place is None or rating is None or problem is not None:
            problems.append((cell.row, Problem(f"row {cell.row}", str(problem))))
            if place is not None:
                unread.setdefault(place.assignment, set()).add(cell.dimension)
            continue
        first[place.assignment, cell.dimension] = cell
        values.setdefault(place.assignment, {})[cell.dimension] = rating
    for assignment, ratings in values.items():
        cell = first[assignment, next(iter(ratings))]
        where = f"row {cell.row} (item {shown(cell.item)}, rater {shown(cell.rater)})"
        wrong = value_problems(
            ratings,
            dimensions=rated.dimensions,
            scale=rated.scale,
            # What cannot be read is told of already, and is not missing as well.
            flagged=(unread.get(assignment, set()) | absent) - set(ratings),
        )
        problems += [(cell.row, Problem(where, what)) for what in wrong]
    refuse([problem for _, problem in sorted(problems, key=itemgetter(0))], source=source)
    return values


def _absent(table: Sequence[RatingCell], dimensions: Sequence[str]) -> set[str]:
    """Dimensions on which no row of a file has a rating, none of a file without any rating."""
    named = {cell.dimension for cell in table}
    return set(dimensions) - named if named else set()


def _problem(
    cell: RatingCell,
    assignment: AssignmentRow | None,
    *,
    before: RatingCell | None,
    scale: Scale,
) -> str | None:
    """Problem with one rating by itself; None if there is none."""
    item, rater = shown(cell.item), shown(cell.rater)
    if assignment is None:
        return f"item {item} is not assigned to rater {rater}"
    if assignment.state == "withdrawn":
        return f"the assignment of item {item} to {rater} was withdrawn"
    if before is not None:
        return f"a second rating of item {item} by rater {rater}; row {before.row} has the first"
    if _number(cell.rating, scale) is None:
        return (
            f"{shown(cell.rating)} on {shown(cell.dimension)} is no rating on the scale ({scale})"
        )
    return None


def _number(text: str, scale: Scale) -> float | None:
    """Rating as the store keeps it; on a nominal scale the category's place."""
    if not scale.ordered:
        places = {str(name): code for code, name in enumerate(scale.categories)}
        place = places.get(text)
        return None if place is None else float(place)
    return plain_number(text)
