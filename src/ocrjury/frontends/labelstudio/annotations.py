"""Annotations in the words of the port; ingest decides whether they are right.

Whatever cannot be read as a rating becomes no number, an unknown dimension or an unknown reason,
which ingest refuses with a sentence.
"""

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from ocrjury.campaign.content_hashes import canonical_json
from ocrjury.campaign.limits import LONGEST_COMMENT
from ocrjury.errors import InputError
from ocrjury.frontends.ingest import ANYTHING
from ocrjury.frontends.labelstudio.labelling_config import (
    COMMENT,
    CONFIDENCE,
    CONFIDENCE_CONTROL,
    FLAG,
    RATING,
    choices,
    flag_of,
)
from ocrjury.scales import Scale, Scales, scale_of

Json = Mapping[str, Any]
logger = logging.getLogger(__name__)


class Answer(NamedTuple):
    """Answers in the controls of an annotation."""

    values: Mapping[str, float]
    flags: Mapping[str, str]
    confidence: float | None
    comment: str


def read_answer(result: Sequence[Json], *, scale: Scales, dimensions: Sequence[str]) -> Answer:
    """Answer in an annotation.

    A reason stands in place of every rating that is not there; where all are there, it goes with
    the comment.
    """
    controls: dict[str, list[Any]] = {}
    for part in result:
        controls.setdefault(str(part.get("from_name")), []).append(part.get("value"))
    lines = [str(line) for value in controls.pop(COMMENT, []) for line in _of(value, "text")]
    comment = "\n".join(lines).strip()[:LONGEST_COMMENT]
    sure = _chosen(controls.pop(CONFIDENCE_CONTROL, []))
    confidence = None if sure is None else CONFIDENCE.get(sure, math.inf)
    words = _chosen(controls.pop(FLAG, []))
    values = {
        name: _number(made, scale_of(scale, name) if name in dimensions else ANYTHING)
        for name, made in (
            (control.removeprefix(RATING), made) for control, made in controls.items()
        )
    }
    left = [name for name in dimensions if name not in values]
    if words is None:
        return Answer(values, {}, confidence, comment)
    reason = flag_of(words) or words
    if not left:
        comment = f"[{reason}] {comment}".strip()
    return Answer(values, dict.fromkeys(left, reason), confidence, comment[:LONGEST_COMMENT])


def sender(annotation: Json, *, expected: int) -> int | None:
    """Users other than the expected one who made or changed an annotation; None if nobody did."""
    made, changed = _user(annotation.get("completed_by")), _user(annotation.get("updated_by"))
    if made != expected:
        return made if made is not None else 0
    return changed if changed not in {None, expected} else None


def last_words(annotations: Iterable[Json], *, expected: int) -> list[Json]:
    """Expected user's newest annotation and all of others, the newest first.

    Older ones of the same user are logged. Those by which a task was skipped do not count.
    """
    kept: list[Json] = []
    own: Json | None = None
    done = [each for each in annotations if not each.get("was_cancelled")]
    for each in sorted(done, key=lambda each: (moment(each), int(each["id"])), reverse=True):
        if _user(each.get("completed_by")) != expected:
            kept.append(each)
        elif own is None:
            own = each
            kept.append(each)
        else:
            logger.info("annotation %s is older than %s of the same task", each["id"], own["id"])
    return kept


def moment(annotation: Json) -> datetime:
    """Time of the last change of an annotation."""
    text = str(annotation.get("updated_at") or annotation.get("created_at"))
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"Label Studio answered with {text!r} for a time.") from error


def event_id(key: str, annotation: Json) -> str:
    """Name of a submission: another one for every change."""
    content = canonical_json([annotation.get("updated_at"), annotation.get("result")])
    # What no UTF-8 can hold is named all the same; ingest refuses it by that name.
    digest = blake2b(content.encode(errors="backslashreplace"), digest_size=8).hexdigest()
    return f"labelstudio/{key}/{annotation['id']}/{digest}"


def _user(user: Any) -> int | None:
    """User's number, whether it stands alone or in an object."""
    number = user.get("id") if isinstance(user, dict) else user
    return number if isinstance(number, int) else None


def _chosen(values: Sequence[Any]) -> str | None:
    """One choice that was made; None without any."""
    made = [choice for value in values for choice in _of(value, "choices")]
    return str(made[0]) if made else None


def _number(values: Sequence[Any], scale: Scale) -> float:
    """Rating, not a number where it is none or more than one."""
    made = [part for kind in ("choices", "number") for value in values for part in _of(value, kind)]
    if len(made) != 1:
        return math.nan
    try:
        return float(made[0]) if scale.ordered else choices(scale).get(str(made[0]), math.nan)
    except (TypeError, ValueError):
        return math.nan


def _of(value: Any, kind: str) -> Sequence[Any]:
    """Values of a control as a list."""
    part = value.get(kind) if isinstance(value, dict) else None
    if part is None:
        return ()
    return part if isinstance(part, list) else (part,)
