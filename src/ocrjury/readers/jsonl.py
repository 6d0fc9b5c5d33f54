"""Records of a JSONL file: one JSON object per line."""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from ocrjury.readers.problems import Problems
from ocrjury.readers.sources import PathLike, open_text

Record = tuple[int, dict[str, Any]]


def jsonl_records(path: PathLike, encoding: str, problems: Problems) -> Iterator[Record]:
    """Yield line number and object of every line that is not blank; bad lines are noted."""
    with open_text(path, encoding, newline="\n") as file:
        for number, line in enumerate(file, start=1):
            if line.isspace():
                continue
            record = _record(line, number, problems)
            if record is not None:
                yield number, record


def _record(line: str, number: int, problems: Problems) -> dict[str, Any] | None:
    """Return the object of a line, None after noting what is wrong."""
    remedy = "Write one JSON object per line."
    try:
        record = json.loads(line, parse_constant=_no_constant)
        if "\\u" in line:
            json.dumps(record, ensure_ascii=False).encode()  # fails on half a character
    except UnicodeEncodeError:
        problems.add(
            number, "half a character (a lone surrogate)", remedy="Write whole Unicode characters."
        )
    except json.JSONDecodeError as error:
        problems.add(number, "not JSON", found=f"{error.msg}, column {error.colno}", remedy=remedy)
    except (ValueError, RecursionError) as error:
        problems.add(number, "not JSON", found=str(error), remedy=remedy)
    else:
        if isinstance(record, dict):
            return record
        problems.add(number, "not a JSON object", found=type(record).__name__, remedy=remedy)
    return None


def _no_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which JSON does not have."""
    raise ValueError(f"{name} is no JSON value, write null")
