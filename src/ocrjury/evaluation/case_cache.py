"""Results that are computed once for a case, however many parts of a step need them."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from ocrjury.evaluation.case import Case

Found = TypeVar("Found")


def once(compute: Callable[[Case], Found]) -> Callable[[Case], Found]:
    """Let a function of what a case has read keep its answer beside that.

    `Case.at` hands it on, so the answer may not depend on the point of the course.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def computed_once(case: Case) -> Found:
        known = vars(case)  # where `cached_property` keeps what was read
        if name not in known:
            known[name] = compute(case)
        return cast("Found", known[name])

    return computed_once
