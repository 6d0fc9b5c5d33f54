"""The rater registry: who may rate what, and when; it stays out of the campaign file."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import NamedTuple, TypeVar

from ocrjury.campaign import cells
from ocrjury.campaign.cells import Role
from ocrjury.campaign.problems import nearest, shown
from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_SHEET, MAX_SHEET_ROWS
from ocrjury.problem_lists import NAMED, first_named, refusal
from ocrjury.ratings.csv_rows import rows_from_header
from ocrjury.text_files import read_text

COLUMNS = (
    "pseudonym", "name", "email", "role", "languages", "skills", "conflicts", "cost",
    "minutes_per_item", "capacity", "absent_from", "absent_to",
)  # fmt: skip
T = TypeVar("T")


class Absence(NamedTuple):
    """Days on which somebody does not rate, both ends included; no last day, no end."""

    first: date
    last: date | None


@dataclass(frozen=True, slots=True)
class RaterEntry:
    """One line of the registry.

    ``conflicts`` are document types or document ids that this person must not see; ``cost`` is
    the price of a rating. Where the cell is empty, which ``priced`` tells apart, it is the mean of
    the others with that role, else 1: 1 among prices of 0.3 would be dear, and never be asked.
    ``minutes_per_item`` None means the campaign's own; ``capacity`` is ratings per round, None
    without a limit; no ``languages`` means all of them. A skill that is the name of a document type
    counts in `eligible`; others are for people to read.
    """

    pseudonym: str
    name: str = ""
    email: str = ""
    role: Role = "rater"
    languages: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    cost: float = 1.0
    minutes_per_item: float | None = None
    capacity: int | None = None
    absences: tuple[Absence, ...] = ()
    priced: bool = False

    @property
    def price(self) -> float | None:
        """Price of a rating, None where nobody has set one."""
        return self.cost if self.priced else None


def read_raters(path: str | Path) -> tuple[RaterEntry, ...]:
    """Raters in a CSV file (UTF-8 or CP949; commas, semicolons or tabs), in the file's order.

    Raises
    ------
    InputError
        Lists the first ten problems with their rows, as a spreadsheet counts.
    """
    path = Path(path).absolute()
    top, header, rows = _read_table(path)
    problems = [f"row {top}: {problem}" for problem in _header_problems(header)]
    entries: dict[int, RaterEntry] = {}
    for number, row in rows if not problems else ():
        if any(cell.strip() for cell in row):
            line = _Line(number, header, row, hints=len(problems) < NAMED)
            entries[number] = line.entry()
            problems += line.problems
    if not problems:
        problems = [*_repeats(entries), *(() if entries else ("it names no rater.",))]
    if problems:
        raise InputError(refusal(str(path), problems))
    return _with_costs(tuple(entries.values()))


def named_skills(entries: Iterable[RaterEntry]) -> frozenset[str]:
    """All skills that somebody names, without capitals.

    Examples
    --------
    >>> sorted(named_skills([RaterEntry("R01", skills=("Claims", "medical")), RaterEntry("R02")]))
    ['claims', 'medical']
    """
    return frozenset(_folded(skill for entry in entries for skill in entry.skills))


def eligible(
    entry: RaterEntry,
    *,
    doc_type: str | None,
    doc_id: str,
    language: str | None,
    on: date,
    skilled: Collection[str] = (),
) -> bool:
    """Return whether somebody may rate a document on a day.

    Parameters
    ----------
    doc_type, doc_id
        Of the document; either may be among the rater's conflicts.
    language
        Of the document; ``ko`` and ``ko-KR`` are the same. None suits everybody.
    on
        The day, in the campaign's time zone.
    skilled
        What `named_skills` returns for all people of the role. A document whose type is one of
        these skills is for those who name it; a type that nobody names is for everybody.
    """
    absent = any(
        away.first <= on and (away.last is None or on <= away.last) for away in entry.absences
    )
    reads = (
        language is None
        or not entry.languages
        or _primary(language) in map(_primary, entry.languages)
    )
    kind = (doc_type or "").casefold()
    able = kind not in skilled or kind in _folded(entry.skills)
    return reads and able and not absent and not {doc_type, doc_id} & set(entry.conflicts)


def _folded(words: Iterable[str]) -> set[str]:
    return {word.casefold() for word in words}


class _Line:
    """One row of the file, and what is wrong with it."""

    def __init__(self, number: int, header: list[str], row: list[str], *, hints: bool) -> None:
        self.number, self.hints = number, hints
        self.problems: list[str] = []
        if any(cell.strip() for cell in row[len(header) :]):
            self.refuse(f"it has {len(row)} cells; the file has {len(header)} columns.")
        padded = [cell.strip() for cell in row] + [""] * len(header)
        self.cells = dict(zip(header, padded, strict=False))

    def refuse(self, why: str) -> None:
        """Note a problem of this row."""
        self.problems.append(f"row {self.number}: {why}")

    def entry(self) -> RaterEntry:
        """Rater; what cannot be read is noted and left to its default."""
        return RaterEntry(
            pseudonym=self.read("pseudonym", cells.pseudonym, ""),
            name=self.cells.get("name", ""),
            email=self.read("email", cells.email, ""),
            role=self.read("role", cells.role, "rater", known=cells.ROLES),
            languages=self.read("languages", cells.languages, ()),
            skills=self.read("skills", cells.words, ()),
            conflicts=self.read("conflicts", cells.words, ()),
            cost=self.read("cost", cells.cost, 1.0),
            minutes_per_item=self.read("minutes_per_item", cells.minutes, None),
            capacity=self.read("capacity", cells.capacity, None),
            absences=self.absences(),
            priced=bool(self.cells.get("cost")),
        )

    def read(
        self, column: str, parse: Callable[[str], T], default: T, *, known: Sequence[str] = ()
    ) -> T:
        """Cell's value; an empty cell is the default, except a pseudonym."""
        text = self.cells.get(column, "")
        if not text and column != "pseudonym":
            return default
        try:
            return parse(text)
        except ValueError as error:
            hint = nearest(text, known) if self.hints and known else ""
            self.refuse(f"{column} is {shown(text)}; it must be {error}.{hint}")
            return default

    def absences(self) -> tuple[Absence, ...]:
        """Days of absence; the n-th first day belongs to the n-th last day."""
        none: tuple[date, ...] = ()
        first = self.read("absent_from", cells.days, none)
        last = self.read("absent_to", cells.days, none)
        if len(last) > len(first):
            self.refuse("absent_to has more dates than absent_from; give every first day.")
        for start, end in zip(first, last, strict=False):
            if end < start:
                self.refuse(f"absent_to {end} is before absent_from {start}.")
        return tuple(map(Absence, first, (*last, *(None for _ in first))))


def _header_problems(header: list[str]) -> Iterator[str]:
    if "pseudonym" not in header:
        header_text = first_named(header) if header else "nothing"
        yield f"there is no column 'pseudonym'; found {header_text}."
    seen: set[str] = set()
    for name in header:
        if name in seen:
            yield f"column {shown(name)} stands there twice."
        if not name:
            yield "a column has no name; remove it, or name it in this row."
        elif name not in COLUMNS:
            hint = nearest(name, COLUMNS)
            yield f"column {shown(name)} is not known.{hint} Known: {', '.join(COLUMNS)}."
        seen.add(name)


def _with_costs(entries: tuple[RaterEntry, ...]) -> tuple[RaterEntry, ...]:
    """People, those without a price at the mean price of the others with their role."""
    prices: dict[Role, list[float]] = {}
    for entry in entries:
        if entry.priced:
            prices.setdefault(entry.role, []).append(entry.cost)
    means = {role: sum(costs) / len(costs) for role, costs in prices.items()}
    return tuple(
        entry if entry.priced else replace(entry, cost=means.get(entry.role, entry.cost))
        for entry in entries
    )


def _repeats(entries: Mapping[int, RaterEntry]) -> Iterator[str]:
    """Yield people who stand in the file twice: their ratings would not be independent."""
    seen: dict[tuple[str, str], int] = {}
    for number, entry in entries.items():
        for column, value in (("pseudonym", entry.pseudonym), ("email", entry.email)):
            key = (column, value.lower())
            if value and key in seen:
                first = seen[key]
                yield f"row {number}: its {column} is that of row {first}; one row per person."
            seen.setdefault(key, number)


def _read_table(path: Path) -> tuple[int, list[str], list[tuple[int, list[str]]]]:
    """Number of the header's row, column names without empty ones at the end, and numbered rows."""
    remedy = f"A rater registry is a CSV file with the columns {', '.join(COLUMNS)}."
    text = read_text(path, most=MAX_SHEET, remedy=remedy)
    rows = rows_from_header(text, source=path, most=MAX_SHEET_ROWS)
    top, _, first = next(rows, (1, 1, []))
    header = [name.strip().lower() for name in first]
    while header and not header[-1]:
        header.pop()
    return top, header, [(number, row) for number, _, row in rows]


def _primary(language: str) -> str:
    return language.replace("_", "-").partition("-")[0].lower()
