"""Files with ratings that were left aside, named as long as they lie there as they were."""

import json
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.language import read, stored
from ocrjury.store.database import Engine, reading, writing
from ocrjury.store.quarantine import QuarantineRow, add_refused, is_refused, list_refused

_SOURCE = "file"


class LeftAside(NamedTuple):
    """A file of which nothing is stored, and why; `reason` is a phrase where it has problems."""

    path: Path
    reason: str


def leave_aside(engine: Engine, evaluation: str, path: Path, *, reason: str, now: datetime) -> None:
    """Note once that a file as it is now was left aside."""
    path = path.absolute()
    state = _state_of(path)
    if state is None:
        return
    reason = json.dumps(stored(reason), ensure_ascii=False)
    row = QuarantineRow(evaluation, _SOURCE, str(path), state, reason, now)
    with reading(engine) as connection:  # a folder is read again and again
        if is_refused(connection, row):
            return
    with writing(engine) as connection:
        add_refused(connection, row)


def list_left_aside(engine: Engine, evaluation: str, *, since: datetime) -> list[LeftAside]:
    """Files that were left aside since then, and that nobody has changed or taken away."""
    return [
        LeftAside(path, read(json.loads(row.reason)))
        for row in list_refused(engine, evaluation)
        if row.source == _SOURCE and row.at >= since
        if _state_of(path := Path(row.row)) == row.payload_hash
    ]


def _state_of(path: Path) -> str | None:
    """Size and moment of a file in one word, None if it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return content_hash([str(path), status.st_size, status.st_mtime_ns])
