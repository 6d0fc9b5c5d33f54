"""Evaluations: open one, read it, list them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from typing import Any, NamedTuple, Self

import sqlalchemy as sa
from pydantic import ValidationError

from ocrjury.campaign.config import Campaign, Configuration
from ocrjury.campaign.problems import explain
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError, StateError
from ocrjury.findings.sampling import SampleDesign
from ocrjury.language import Phrase, phrase
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.rows import has_row
from ocrjury.store.schema.course import evaluations, moves, rubrics

ENDED = ("closed", "aborted")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One row of the evaluations table."""

    evaluation: str
    campaign: str
    period: str
    state: str
    version: int
    held_from: str | None
    held_reason: str | None
    held_detail: str | None
    config: Configuration
    config_hash: str
    config_path: str
    rubric_hash: str
    raters: Sequence[str]
    pool_uri: str
    pool_hash: str | None
    pool_size: int | None
    design: SampleDesign | None
    seed: int
    package_version: str
    simulated: bool
    opened_at: datetime

    @property
    def shows_reference(self) -> bool:
        """Whether raters see the references, on the rating page, in sheets and in Label Studio."""
        return self.config.rounds.page.reference == "shown"

    @classmethod
    def of(cls, row: sa.Row[Any]) -> Self:
        """Evaluation in a row of the table.

        Raises
        ------
        StateError
            Another version opened it, and this one does not understand its campaign.
        """
        columns = row._mapping  # noqa: SLF001  # SQLAlchemy's public name has an underscore
        try:
            config, design = Configuration.from_json(columns["config"]), columns["design"]
        except ValidationError as error:
            raise StateError(_not_understood(columns, error)) from error
        drawn = None if design is None else SampleDesign.from_json(design)
        return cls(**{**columns, "config": config, "design": drawn})


class Unreadable(NamedTuple):
    """An evaluation that another version opened, and why this one cannot read it."""

    evaluation: str
    reason: Phrase


@dataclass(frozen=True, slots=True)
class Opening:
    """Facts that are fixed when an evaluation opens.

    `raters` are the pseudonyms that the campaign's registry holds.
    """

    campaign: Campaign
    period: str
    raters: Sequence[str]
    seed: int
    package_version: str

    def row(self) -> dict[str, Any]:
        """Columns of a row from the campaign's file and registry; a corrected file changes them."""
        return {
            "config": self.campaign.to_json(),
            "config_hash": self.campaign.config_hash,
            "config_path": str(self.campaign.source or ""),
            "rubric_hash": self.campaign.rubric.rubric_hash,
            "raters": list(self.raters),
            "pool_uri": self.campaign.pool_location,
            "seed": self.seed,
            "package_version": self.package_version,
            "simulated": self.campaign.simulated,
        }


def add_evaluation(
    connection: Connection, opening: Opening, *, now: datetime, actor: str, run_id: str | None
) -> tuple[str, bool]:
    """Open the evaluation of a campaign and period; return it, and whether this call opened it.

    An aborted one does not count: the next is named with a number, as is one whose name another
    campaign and period happen to make.
    """
    campaign = opening.campaign.name
    same = sa.and_(evaluations.c.campaign == campaign, evaluations.c.period == opening.period)
    live = connection.execute(
        sa.select(evaluations.c.evaluation).where(same, evaluations.c.state != "aborted")
    ).scalar()
    if live is not None:
        return str(live), False
    name = _free_name(connection, f"{campaign}-{opening.period}")
    add_rubric(connection, opening.campaign.rubric)
    connection.execute(
        sa.insert(evaluations).values(
            evaluation=name,
            campaign=campaign,
            period=opening.period,
            state="opened",
            version=1,
            opened_at=now,
            **opening.row(),
        )
    )
    connection.execute(
        sa.insert(moves).values(
            evaluation=name,
            version=1,
            row="1",
            from_state=None,
            to_state="opened",
            event="open",
            actor=actor,
            run_id=run_id,
            at=now,
        )
    )
    return name, True


def _free_name(connection: Connection, wanted: str) -> str:
    """Name that no evaluation has: the wanted one, or that with a number from 2."""
    query = sa.select(evaluations.c.evaluation).where(
        evaluations.c.evaluation.startswith(wanted, autoescape=True)
    )
    taken = set(connection.execute(query).scalars())
    numbered = (f"{wanted}-{number}" for number in count(2))
    return next(name for name in chain([wanted], numbered) if name not in taken)


def add_rubric(connection: Connection, rubric: Rubric) -> None:
    """Keep a rubric under its hash, once."""
    if not has_row(connection, rubrics, rubric_hash=rubric.rubric_hash):
        row = {"rubric_hash": rubric.rubric_hash, "body": rubric.to_json()}
        connection.execute(sa.insert(rubrics).values(row))


_BY_NAME = sa.select(evaluations).where(evaluations.c.evaluation == sa.bindparam("name"))


def read_evaluation(engine: Engine, evaluation: str) -> Evaluation:
    """Evaluation by its name."""
    with reading(engine) as connection:
        row = connection.execute(_BY_NAME, {"name": evaluation}).one_or_none()
        if row is None:
            newest = sa.select(evaluations.c.evaluation).order_by(*_ORDER).limit(5)
            names = connection.execute(newest).scalars().all()
            raise InputError(_unknown(evaluation, names))
    return Evaluation.of(row)


def read_hashes(engine: Engine, evaluation: str) -> tuple[str, str]:
    """Hashes of an evaluation's campaign and of its rubric."""
    query = sa.select(evaluations.c.config_hash, evaluations.c.rubric_hash).where(
        evaluations.c.evaluation == evaluation
    )
    with reading(engine) as connection:
        row = connection.execute(query).one()
    return row.config_hash, row.rubric_hash


_RUBRIC = sa.select(rubrics.c.body).where(rubrics.c.rubric_hash == sa.bindparam("hash"))


def read_rubric(engine: Engine, rubric_hash: str) -> Rubric:
    """Read a rubric that some evaluation uses."""
    with reading(engine) as connection:
        body = connection.execute(_RUBRIC, {"hash": rubric_hash}).scalar_one()
    return Rubric.model_validate(body)


def list_evaluations(engine: Engine) -> list[Evaluation]:
    """Every evaluation that this version can read, the newest first."""
    return list_with_unreadable(engine)[0]


def list_with_unreadable(engine: Engine) -> tuple[list[Evaluation], list[Unreadable]]:
    """Every evaluation, the newest first, those that this version cannot read apart."""
    with reading(engine) as connection:
        rows = connection.execute(sa.select(evaluations).order_by(*_ORDER)).all()
    readable: list[Evaluation] = []
    unreadable: list[Unreadable] = []
    for row in rows:
        try:
            readable.append(Evaluation.of(row))
        except StateError as error:
            unreadable.append(Unreadable(row.evaluation, error.args[0]))
    return readable, unreadable


def usual_zone(engine: Engine) -> str:
    """Time zone of the newest evaluation, in which what belongs to none is told; else UTC."""
    with reading(engine) as connection:
        zone = connection.execute(
            sa.select(evaluations.c.config["time_zone"].as_string()).order_by(*_ORDER).limit(1)
        ).scalar()
    return zone or "UTC"


def list_unfinished(engine: Engine) -> list[str]:
    """Evaluations that a sweep looks at, the oldest first.

    Of those that are held, only a late round can go on without a decision (a late rating).
    """
    waiting = evaluations.c.held_reason.in_(("overdue", "no_ratings"))
    query = (
        sa.select(evaluations.c.evaluation)
        .where(
            sa.or_(
                evaluations.c.state.not_in((*ENDED, "held")),
                sa.and_(evaluations.c.state == "held", waiting),
            )
        )
        .order_by(evaluations.c.opened_at, evaluations.c.evaluation)
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())


def list_moved(engine: Engine, *, since: datetime) -> list[str]:
    """Evaluations that moved after a moment."""
    query = sa.select(moves.c.evaluation).where(moves.c.at > since).distinct()
    with reading(engine) as connection:
        return list(connection.execute(query.order_by(moves.c.evaluation)).scalars())


def replace_campaign(connection: Connection, evaluation: str, opening: Opening) -> None:
    """Take a corrected campaign file into an evaluation that has not drawn its sample yet."""
    add_rubric(connection, opening.campaign.rubric)
    _change(connection, evaluation, **opening.row())


def replace_raters(connection: Connection, evaluation: str, raters: Sequence[str]) -> None:
    """Take a corrected registry into an evaluation."""
    _change(connection, evaluation, raters=list(raters))


def replace_design(connection: Connection, evaluation: str, design: SampleDesign) -> None:
    """Take the design of an enlarged sample into an evaluation."""
    _change(connection, evaluation, design=design.to_json())


def _change(connection: Connection, evaluation: str, **columns: object) -> None:
    own = evaluations.c.evaluation == evaluation
    connection.execute(sa.update(evaluations).where(own).values(**columns))


_ORDER = (evaluations.c.opened_at.desc(), evaluations.c.evaluation)


def _not_understood(columns: sa.RowMapping, error: ValidationError) -> Phrase:
    place, sentence = next(explain(Configuration, error))
    return phrase(
        "{evaluation} was opened by ocrjury {version}; this version does not understand its "
        "campaign ({key}: {problem}). Nothing is lost: go on with the version that opened it.",
        evaluation=columns["evaluation"],
        version=columns["package_version"],
        key=".".join(map(str, place)),
        problem=sentence.rstrip("."),
    )


def _unknown(evaluation: str, names: Sequence[str]) -> str:
    if not names:
        return f"no evaluation is called {evaluation!r}; there is none yet."
    return f"no evaluation is called {evaluation!r}; the newest are {', '.join(names)}."
