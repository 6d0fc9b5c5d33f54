"""Versions of the rubric: what changed, when, and how many ratings know which."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from ocrjury.language import tr, trn
from ocrjury.pages.numbers import count, paragraph
from ocrjury.pages.rubric_words import change_text
from ocrjury.report.data import ReportData
from ocrjury.report.stored_evaluation import Stored
from ocrjury.store.rubric_versions import CAMPAIGN, RubricVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """A version; `ratings` are those that know a rubric of the same words."""

    version: int
    change: str
    ratings: int
    at: datetime
    actor: str
    reason: str = ""
    undoes: int | None = None
    item: str | None = None
    dimension: str | None = None
    level: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricVersions:
    """Versions in order.

    ``at_gate`` counts the different rubrics that ratings know by which the gate judges;
    ``on_cases`` counts ratings of items that were a boundary case of the rubric they know, and
    ``at_gate_on_cases`` those by which the gate judges.
    """

    rows: tuple[VersionRow, ...]
    at_gate: int = 1
    on_cases: int = 0
    at_gate_on_cases: int = 0


def rubric_versions_of(stored: Stored) -> RubricVersions | None:
    """Versions of the rubric; None where it was never changed."""
    if not stored.rubrics.versions:
        return None
    ratings: Counter[str] = Counter()
    for row in stored.rubrics.counts:
        ratings[row.rubric_hash] += row.ratings
    main = [row for row in stored.rubrics.counts if row.kind == "main"]
    return RubricVersions(
        rows=tuple(
            _row(row, ratings[row.rubric_hash], at=stored.local(row.at))
            for row in stored.rubrics.versions
        ),
        at_gate=len({row.rubric_hash for row in main}),
        on_cases=sum(row.on_cases for row in stored.rubrics.counts),
        at_gate_on_cases=sum(row.on_cases for row in main),
    )


def _row(row: RubricVersion, ratings: int, *, at: datetime) -> VersionRow:
    return VersionRow(
        version=row.version,
        change=row.change,
        ratings=ratings,
        at=at,
        actor=row.actor,
        reason=row.reason,
        undoes=row.undoes,
        item=row.item,
        dimension=row.dimension,
        level=row.level,
    )


def what(report: ReportData, row: VersionRow) -> str:
    """Change that made a version."""
    title = None if row.dimension is None else report.name(row.dimension)
    return change_text(
        row.change, item=row.item, dimension=title, level=row.level, undoes=row.undoes
    )


def author(row: VersionRow) -> str:
    """Author of a version: a person, or the campaign whose rubric it is."""
    return tr("Campaign") if row.change == "opening" and row.actor == CAMPAIGN else row.actor


def about(versions: RubricVersions) -> str:
    """Bearing of the versions on the ratings and on the gate."""
    if versions.at_gate > 1:
        gate = trn(
            "The gate’s coefficient covers ratings by {n} rubric.",
            "The gate’s coefficient covers ratings by {n} different rubrics.",
            versions.at_gate,
        )
    else:
        gate = tr("All ratings by which the gate judges know the same rubric.")
    parts = trn(
        "{n} rating is of an item that was a boundary case of its rubric, so its rater could know "
        "the level; {gate} of these counts at the gate.",
        "{n} ratings are of items that were boundary cases of their rubric, so that raters could "
        "know the level; {gate} of these count at the gate.",
        versions.on_cases,
        gate=count(versions.at_gate_on_cases),
    )
    rounds = tr("A round takes the newest version when it opens and keeps it.")
    return paragraph([rounds, gate, parts if versions.on_cases else ""])
