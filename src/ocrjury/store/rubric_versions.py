"""Versions of the rubric of an evaluation: what changed, why, and which ratings know which.

The first is the campaign's rubric; a boundary case, or its undoing, makes the next. A round takes
the newest when it opens (`evaluations.rubric_hash` is that of the last round), so that no rater
sees rules change while rating.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.boundary_cases import CaseText, boundary_case, with_case, without_case
from ocrjury.campaign.guideline import level_text
from ocrjury.campaign.rubric import BoundaryCase, Level, Rubric
from ocrjury.errors import StateError
from ocrjury.language import phrase
from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, Engine
from ocrjury.store.evaluations import add_rubric
from ocrjury.store.item_ratings import list_texts
from ocrjury.store.moves import FLOW
from ocrjury.store.rows import has_row, list_rows, same
from ocrjury.store.schema.course import Change, evaluations, moves, rubric_versions, rubrics
from ocrjury.store.schema.material import documents, gold, items

CAMPAIGN = "campaign"
"""Author of the first version where a flow opened the evaluation, not a lead."""


class RubricVersion(NamedTuple):
    """A version of the rubric, from 1.

    Attributes
    ----------
    undoes
        The version whose boundary case is taken back.
    item, dimension
        What the boundary case is about; of an undoing those of the case that is undone.
    rubric
        The rubric in this version.
    """

    version: int
    rubric_hash: str
    change: Change
    undoes: int | None
    item: str | None
    dimension: str | None
    reason: str
    actor: str
    at: datetime
    rubric: Rubric

    @property
    def case(self) -> BoundaryCase:
        """Boundary case that this version added."""
        return self.rubric.boundary_cases[-1]

    @property
    def level(self) -> str | None:
        """Level of this boundary case as people write it; None where no case was added."""
        return level_text(self.case.level) if self.change == "case" else None


class NewCase(NamedTuple):
    """A boundary case before it is stored; `reason` says why the rubric is changed."""

    item: str
    dimension: str
    level: Level
    text: CaseText
    reason: str
    actor: str


def list_rubric_versions(source: Engine | Connection, evaluation: str) -> list[RubricVersion]:
    """Versions in order; none where nothing was ever changed."""
    columns = (rubric_versions.c[name] for name in RubricVersion._fields[:-1])
    query = (
        sa.select(*columns, rubrics.c.body)
        .join(rubrics, same(rubrics, rubric_versions, "rubric_hash"))
        .where(rubric_versions.c.evaluation == evaluation)
        .order_by(rubric_versions.c.version)
    )
    return list_rows(source, _version, query)


def _version(*row: Any) -> RubricVersion:
    *columns, body = row
    version = RubricVersion._make([*columns, Rubric.model_validate(body)])
    by_flow = version.change == "opening" and version.actor == FLOW
    return version._replace(actor=CAMPAIGN) if by_flow else version


def cases_in_force(versions: Sequence[RubricVersion]) -> list[RubricVersion]:
    """Versions that added a boundary case which the newest version has."""
    undone = {version.undoes for version in versions}
    return [row for row in versions if row.change == "case" and row.version not in undone]


def rubrics_so_far(versions: Sequence[RubricVersion], current: str) -> set[str]:
    """Hashes of the rubrics that ratings may know; `current` is that of the last round."""
    last = max((row.version for row in versions if row.rubric_hash == current), default=0)
    return {current, *(row.rubric_hash for row in versions if row.version <= last)}


def opening_rubric(engine: Engine, evaluation: str, *, current: str) -> str:
    """Hash of the rubric that an evaluation opened with; `current` is that of its last round."""
    versions = list_rubric_versions(engine, evaluation)
    return versions[0].rubric_hash if versions else current


def take_newest_rubric(connection: Connection, evaluation: str) -> None:
    """Let a round that opens have the newest version."""
    newest = connection.execute(
        sa.select(rubric_versions.c.rubric_hash)
        .where(rubric_versions.c.evaluation == evaluation)
        .order_by(rubric_versions.c.version.desc())
        .limit(1)
    ).scalar()
    if newest is not None:
        connection.execute(
            sa.update(evaluations)
            .where(evaluations.c.evaluation == evaluation)
            .values(rubric_hash=newest)
        )


def add_case(
    connection: Connection, evaluation: str, new: NewCase, *, address: str, now: datetime
) -> int:
    """Make an item a boundary case, in a new version of the rubric; return its number.

    Raises
    ------
    StateError
        If there is no such item, its rating is known and checks raters, the texts of the
        evaluation were removed, or the case does not fit the rubric.
    """
    versions = _locked(connection, evaluation, now=now)
    if not has_row(connection, items, evaluation=evaluation, item=new.item):
        raise StateError(phrase("There is no item '{item}'; nothing was stored.", item=new.item))
    if has_row(connection, gold, evaluation=evaluation, item=new.item):
        raise StateError(
            phrase(
                "'{item}' has a known rating, which checks raters; a boundary case would tell it.",
                item=new.item,
            )
        )
    rubric = versions[-1].rubric
    case = boundary_case(rubric, new.dimension, level=new.level, text=new.text)
    facts = {"item": new.item, "dimension": new.dimension}
    return _add(
        connection,
        evaluation,
        versions,
        rubric=with_case(rubric, case),
        change="case",
        facts={**facts, "reason": new.reason, "actor": new.actor, "at": now},
        address=address,
    )


def example_of(
    connection: Connection,
    evaluation: str,
    item: str,
    *,
    reference: str | None = None,
    hypothesis: str | None = None,
) -> tuple[str, str] | None:
    """Example of a boundary case: the texts given, else those of its item; None if both are empty.

    Line ends are those of other texts: forms send those of the network.
    """
    stored = next(iter(list_texts(connection, evaluation, [item])), None)
    if stored is not None:
        reference = stored.reference if reference is None else reference
        hypothesis = stored.hypothesis if hypothesis is None else hypothesis
    example = ((reference or "").replace("\r\n", "\n"), (hypothesis or "").replace("\r\n", "\n"))
    return example if any(example) else None


def undo_case(
    connection: Connection,
    evaluation: str,
    version: int,
    *,
    reason: str,
    actor: str,
    address: str,
    now: datetime,
) -> int:
    """Take the boundary case of a version out of the rubric, in a further version.

    Raises
    ------
    StateError
        If that version added none, or it was taken back already.
    """
    versions = _locked(connection, evaluation, now=now)
    of = next((row for row in cases_in_force(versions) if row.version == version), None)
    if of is None:
        raise StateError(
            phrase("Version {version} has no boundary case to take back.", version=str(version))
        )
    facts = {"undoes": version, "item": of.item, "dimension": of.dimension}
    return _add(
        connection,
        evaluation,
        versions,
        rubric=without_case(versions[-1].rubric, of.case),
        change="undo",
        facts={**facts, "reason": reason, "actor": actor, "at": now},
        address=address,
    )


def _locked(connection: Connection, evaluation: str, *, now: datetime) -> list[RubricVersion]:
    """Versions, with the evaluation locked until the transaction ends; the first is made."""
    own = evaluations.c.evaluation == evaluation
    query = sa.select(evaluations.c.rubric_hash).where(own)
    rubric_hash = connection.execute(query.with_for_update()).scalar_one()
    if has_row(connection, documents, evaluation=evaluation) and not _has_texts(
        connection, evaluation
    ):
        raise StateError(phrase("The texts of this evaluation were removed."))
    if versions := list_rubric_versions(connection, evaluation):
        return versions
    opened = connection.execute(
        sa.select(moves.c.actor, moves.c.at)
        .where(moves.c.evaluation == evaluation)
        .order_by(moves.c.version)
        .limit(1)
    ).one_or_none()
    actor, at = ("", now) if opened is None else (opened.actor, opened.at)
    first = {"rubric_hash": rubric_hash, "change": "opening", "reason": ""}
    connection.execute(
        sa.insert(rubric_versions).values(
            evaluation=evaluation, version=1, actor=actor, at=at, **first
        )
    )
    return list_rubric_versions(connection, evaluation)


def _has_texts(connection: Connection, evaluation: str) -> bool:
    return has_row(connection, documents, evaluation=evaluation, purged_at=None)


def _add(
    connection: Connection,
    evaluation: str,
    versions: Sequence[RubricVersion],
    *,
    rubric: Rubric,
    change: Change,
    facts: Mapping[str, Any],
    address: str,
) -> int:
    """Keep a rubric as the next version, and note who made it."""
    version = versions[-1].version + 1
    add_rubric(connection, rubric)
    connection.execute(
        sa.insert(rubric_versions).values(
            evaluation=evaluation,
            version=version,
            rubric_hash=rubric.rubric_hash,
            change=change,
            **facts,
        )
    )
    add_audit(
        connection,
        "add boundary case" if change == "case" else "take boundary case back",
        actor=facts["actor"],
        object_=f"{evaluation} {facts['item']} version {version}",
        address=address,
        reason=facts["reason"],
        now=facts["at"],
    )
    return version
