"""Interface of a frontend: the open round that it gets, and the unchecked ratings it sends."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from ocrjury.campaign.capabilities import NEEDED, Capability, missing_capabilities
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError
from ocrjury.store.ratings import Submission
from ocrjury.store.rounds import AssignmentRow, RoundRow, list_assignments
from ocrjury.store.schema.rating import Source
from ocrjury.store.workspace import Store

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Case  # it loads pandas


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A round that is open, for a frontend: where it is stored and what is asked in it."""

    store: Store
    evaluation: str
    number: int
    dimensions: Sequence[str]
    rubric: Rubric

    @classmethod
    def last_of(cls, case: "Case") -> Self:
        """Last round of an evaluation."""
        return cls.of(case, case.rounds[-1])

    @classmethod
    def of(cls, case: "Case", row: RoundRow) -> Self:
        """Any round of an evaluation."""
        dimensions = tuple(row.dimensions or case.dimensions)
        return cls(case.work.store, case.name, row.round, dimensions, case.campaign.rubric)

    def assignments(self, state: str | None = None) -> list[AssignmentRow]:
        """Assignments of the round, those of a state or all."""
        rows = list_assignments(self.store.engine, self.evaluation, state=state)
        return [row for row in rows if row.round == self.number]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRating(Submission):
    """Unchecked submission of one assignment.

    Attributes
    ----------
    rater
        Who the frontend knows has sent it.
    where
        Its place in the sender's terms, such as ``row 12``.
    comment
        What the rater wrote beside it; None where nobody can write anything.
    letter
        That under which the rater saw the output; empty where it stood alone.
    item_flag
        Reason why the item is reported though every dimension is rated, empty for none; None where
        nobody can report one.
    told
        The dimensions on which the rater was told that a field rule allows less.
    address
        Where it came from, as the audit log says it.
    actor
        Who handed it in for the rater; None: the rater.
    """

    rater: str
    source: Source
    where: str
    flags: Mapping[str, str] = field(default_factory=dict)
    comment: str | None = None
    letter: str = ""
    item_flag: str | None = None
    told: Collection[str] = ()
    address: str = "cli"
    actor: str | None = None


def check_capabilities(name: str, *, allow_degraded: bool = False) -> tuple[Capability, ...]:
    """Capabilities that a frontend lacks, in order.

    `InputError` if it cannot keep raters independent and nobody has allowed that.
    """
    lacking = missing_capabilities(name)
    missing = [capability for capability in lacking if capability in NEEDED]
    if missing and not allow_degraded:
        raise InputError(
            f"the frontend {name} lacks {', '.join(missing)}, so that ratings would not be "
            "independent. Take another one, or set allow_degraded: true; the report will say so."
        )
    return lacking
