"""Records of a JSONL file: one JSON object per line."""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from ocrjury.file_limits import MAX_LINE
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.limits import check_values
from ocrjury.readers.problems import Problems
from ocrjury.readers.sources import Place, bounded_lines, open_text
from ocrjury.surrogates import HALF
from ocrjury.text_files import CUT_OFF, json_fault, unique_keys

_REMEDY = "Write one JSON object per line."
_WHOLE = "Write one whole JSON object per line; if it is the last line, copy the file again."
_LONG = 1_000_000

Record = tuple[int, dict[str, Any]]


def jsonl_records(path: Place, encoding: str, problems: Problems) -> Iterator[Record]:
    """Yield line number and object of every line that is not blank; bad lines are problems."""
    with open_text(path, encoding, newline="\n") as file:
        for number, line in bounded_lines(file):
            if line is None:
                problems.add(number, f"a line of more than {MAX_LINE:,} characters", remedy=_REMEDY)
                continue
            if line.isspace():
                continue
            record = _record(line, number, problems)
            if record is not None:
                yield number, record


def _record(line: str, number: int, problems: Problems) -> dict[str, Any] | None:
    """Object of a line, None after noting its problem."""
    try:
        record = _parsed(line)
    except UnicodeEncodeError:
        problems.add(number, HALF, remedy="Write whole Unicode characters.")
    except BadContentError as error:
        problems.add(number, error.reason, remedy=_REMEDY)
    except json.JSONDecodeError as error:
        fault = json_fault(error)
        cut_off = fault == CUT_OFF
        place = None if cut_off else f"column {error.colno}"
        remedy = _WHOLE if cut_off else _REMEDY
        problems.add(number, f"not JSON: {fault}", value=place, remedy=remedy)
    except (ValueError, RecursionError) as error:
        problems.add(number, "not JSON", value=json_fault(error), remedy=_REMEDY)
    else:
        if isinstance(record, dict):
            return record
        problems.add(number, "not a JSON object", value=type(record).__name__, remedy=_REMEDY)
    return None


def _parsed(line: str) -> object:
    """JSON value of a line."""
    if len(line) > _LONG:
        check_values(line)
    record = _DECODER.decode(line)
    if "\\u" in line:
        json.dumps(record, ensure_ascii=False).encode()  # fails on a lone surrogate
    return record


def _no_constant(name: str) -> NoReturn:
    """Reject NaN and the infinities, which JSON does not have."""
    raise ValueError(f"{name} is not a JSON value, write null")


# Made once: json.loads with an option makes a decoder for every call.
_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=unique_keys)
