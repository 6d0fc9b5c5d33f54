"""The gold file: documents whose right rating is known, and why it is right."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, get_args

from ocrjury.campaign.problems import listed, nearest, shown
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_RECORD, MAX_SHEET, MAX_SHEET_ROWS
from ocrjury.plain_numbers import plain_number
from ocrjury.problem_lists import NAMED, first_named, refusal
from ocrjury.ratings.csv_rows import rows_from_header
from ocrjury.ratings.csv_tables import unguarded, write_table
from ocrjury.scales import Scale, Scales, scale_of
from ocrjury.text_files import json_fault, read_text, unique_keys

Source = Literal["file", "adjudicated", "consensus"]
SOURCES: tuple[Source, ...] = get_args(Source)
COLUMNS = ("doc_id", "dimension", "value", "explanation", "source")
NEEDED = COLUMNS[:3]
_COMPARED = 5000  # names that a misspelt one is compared with

Record = tuple[int, dict[str, Any]]


class GoldLine(NamedTuple):
    """One known rating.

    ``value`` is a number as the store keeps it: on a nominal scale the place of the category.
    """

    doc_id: str
    dimension: str
    value: float
    explanation: str = ""
    source: Source = "file"


def read_gold(path: str | Path, rubric: Rubric) -> tuple[GoldLine, ...]:
    """Known ratings in a CSV or JSONL file (UTF-8 or CP949), in its order.

    Parameters
    ----------
    path
        Columns or keys ``doc_id``, ``dimension``, ``value``; and if there, ``explanation`` (for
        people who practise) and ``source`` (file, adjudicated, consensus).

    Raises
    ------
    InputError
        Lists the first ten problems with their lines: an unknown dimension, a value outside the
        scale, a document and dimension that come twice.
    """
    path = Path(path).absolute()
    remedy = f"A gold file is CSV or JSONL with {', '.join(COLUMNS)}."
    text = read_text(path, most=MAX_SHEET, remedy=remedy)
    records = _jsonl_records if text.lstrip().startswith("{") else _csv_records
    problems: list[str] = []
    rows: dict[tuple[str, str], tuple[int, GoldLine]] = {}
    for number, record in records(path, text, problems):
        line = _line(record, rubric, where=f"line {number}", problems=problems)
        if line is None:
            continue
        first = rows.setdefault((line.doc_id, line.dimension), (number, line))
        if first[0] != number:
            problems.append(
                f"line {number}: {shown(line.doc_id)} on {line.dimension} stands on line "
                f"{first[0]} already; keep one."
            )
    if not problems and not rows:
        problems = ["it holds no rating."]
    _refuse(path, problems)
    return tuple(line for _, line in rows.values())


def check_documents(path: str | Path, lines: Iterable[GoldLine], known: Collection[str]) -> None:
    """Raise `InputError` if a line is about a document that the pool, or gold's own pool, lacks."""
    strange = dict.fromkeys(line.doc_id for line in lines if line.doc_id not in known)
    some = sorted(known)[:_COMPARED]
    _refuse(
        Path(path),
        [
            f"there is no document {shown(name)} in its pool."
            + (nearest(name, some) if place < NAMED else "")
            for place, name in enumerate(strange)
        ],
    )


def write_gold(file: IO[str], lines: Iterable[GoldLine], scale: Scales) -> None:
    """Write known ratings as `read_gold` reads them; no cell is a formula."""
    rows = (
        (
            *(line.doc_id, line.dimension, level_text(line.value, scale_of(scale, line.dimension))),
            *(line.explanation, line.source),
        )
        for line in lines
    )
    write_table(file, COLUMNS, rows)


def level_number(text: str, scale: Scale) -> float | None:
    """Level as the store keeps it, None if the scale has no such level.

    Examples
    --------
    >>> level_number("4", Scale.likert(1, 5)), level_number("b", Scale.nominal(["a", "b"]))
    (4.0, 1.0)
    >>> level_number("4.5", Scale.likert(1, 5)) is None
    True
    """
    if not scale.ordered:
        places = {str(name): float(place) for name, place in scale.codes.items()}
        return places.get(text)
    number = plain_number(text)
    if number is None:
        return None
    within = scale.low <= number <= scale.high
    return number if within and (scale.kind == "interval" or number in scale.numbers) else None


def level_text(value: float, scale: Scale) -> str:
    """Level of a stored value, as people write it.

    Examples
    --------
    >>> level_text(4.0, Scale.likert(1, 5)), level_text(1.0, Scale.nominal(["a", "b"]))
    ('4', 'b')
    >>> level_text(72.1234567, Scale.interval(0, 100))
    '72.1234567'
    """
    if not scale.ordered:
        return str(scale.categories[int(value)])
    return repr(float(value)).removesuffix(".0")  # every digit, so that it is read as it was


def _line(
    record: Mapping[str, Any], rubric: Rubric, *, where: str, problems: list[str]
) -> GoldLine | None:
    """Known rating, None after noting its problems."""
    doc_id, dimension, value, explanation, source = (_cell(record, name) for name in COLUMNS)
    names = [known.name for known in rubric.dimensions]
    scale = rubric.scales.get(dimension, rubric.scale)
    number = level_number(value, scale)
    wrong = []
    if not doc_id:
        wrong.append("it names no document in doc_id.")
    if dimension not in names:
        hint = nearest(dimension, names) if len(problems) < NAMED else ""
        wrong.append(
            f"the rubric has no dimension {shown(dimension)}; it has {listed(names)}.{hint}"
        )
    if number is None:
        wrong.append(f"the value {shown(value)} is not on the rubric's scale ({scale}).")
    chosen = next((known for known in SOURCES if known == (source or "file")), None)
    if chosen is None:
        wrong.append(f"source is {shown(source)}; it must be {', '.join(SOURCES)} or empty.")
    problems += [f"{where}: {reason}" for reason in wrong]
    if wrong or number is None or chosen is None:
        return None
    return GoldLine(doc_id, dimension, number, explanation, chosen)


def _cell(record: Mapping[str, Any], name: str) -> str:
    """Cell as text; a whole number of a JSON file has no decimals."""
    value = record.get(name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else unguarded(str(value)).strip()


def _csv_records(path: Path, text: str, problems: list[str]) -> Iterator[Record]:
    rows = rows_from_header(text, source=path, most=MAX_SHEET_ROWS)
    _, top, first = next(rows, (1, 1, []))
    header = [name.strip().lower() for name in first]
    problems += [f"line {top}: {problem}" for problem in _header_problems(header)]
    for _, number, row in rows if not problems else ():
        if any(cell.strip() for cell in row[len(header) :]):
            problems.append(
                f"line {number}: it has {len(row)} cells, but there are {len(header)} columns; put "
                "a text with a comma in quotes, and write decimals with a point."
            )
        elif any(cell.strip() for cell in row):
            yield number, dict(zip(header, row, strict=False))


def _header_problems(header: Sequence[str]) -> list[str]:
    absent = [name for name in NEEDED if name not in header]
    header_text = first_named(header) if header else "nothing"
    problems = [f"there is no column {name!r}; found {header_text}." for name in absent]
    twice = [name for name, times in Counter(header).items() if name and times > 1]
    problems += [f"column {shown(name)} comes twice; keep one." for name in twice]
    return problems + [
        f"column {shown(name)} is not known.{nearest(name, COLUMNS)} Known: {listed(COLUMNS)}."
        for name in header
        if name and name not in COLUMNS
    ]


def _jsonl_records(path: Path, text: str, problems: list[str]) -> Iterator[Record]:
    if text.count("\n") > MAX_SHEET_ROWS:
        raise InputError(
            f"{path} has more than {MAX_SHEET_ROWS:,} rows; leave out what is not needed."
        )
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        if len(line) > MAX_RECORD:
            problems.append(f"line {number}: it has more than {MAX_RECORD:,} characters.")
            continue
        try:
            record = json.loads(line, object_pairs_hook=unique_keys)
        except (ValueError, RecursionError) as error:
            problems.append(f"line {number}: this is not JSON ({json_fault(error)}).")
            continue
        if not isinstance(record, dict):
            problems.append(f"line {number}: this is no JSON object; write one on each line.")
            continue
        strange = next((name for name in record if name not in COLUMNS), None)
        if strange is None:
            yield number, record
        else:
            problems.append(
                f"line {number}: the key {shown(strange)} is not known."
                f"{nearest(strange, COLUMNS)} Known: {listed(COLUMNS)}."
            )


def _refuse(path: Path, problems: Sequence[str]) -> None:
    """Raise one error about all problems, if there are any."""
    if problems:
        raise InputError(refusal(f"The gold file {path}", problems))
