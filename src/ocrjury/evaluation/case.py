"""The store at one moment, and everything stored about one evaluation."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Self

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.history import History
from ocrjury.campaign.registry import RaterEntry
from ocrjury.campaign.settings import HOME, Settings
from ocrjury.errors import StateError
from ocrjury.ratings.export_columns import CLUSTER
from ocrjury.store.database import Engine
from ocrjury.store.decisions import dropped_raters
from ocrjury.store.documents import SampledItem, list_gold, list_items
from ocrjury.store.evaluations import Evaluation, read_rubric
from ocrjury.store.exclusions import Exclusion, excluded_items
from ocrjury.store.files import read_documents, read_snapshot
from ocrjury.store.histories import Standing, list_standings, read_standing
from ocrjury.store.moves import Mover
from ocrjury.store.privacy import writing_privately
from ocrjury.store.raters import list_raters
from ocrjury.store.ratings import list_ratings
from ocrjury.store.rounds import AssignmentRow, RoundRow, list_assignments, list_rounds
from ocrjury.store.rubric_versions import (
    cases_in_force,
    list_rubric_versions,
    rubrics_so_far,
)
from ocrjury.store.snapshots import snapshot
from ocrjury.store.workspace import Store, open_store

if TYPE_CHECKING:
    import pandas as pd

RATING_COLUMNS = ["round", "round_kind", "item", "rater", "dimension", "rating", "repeat"]


@dataclass(frozen=True, slots=True)
class Work:
    """An open store at one moment."""

    store: Store
    now: datetime
    run_id: str | None = None

    @property
    def engine(self) -> Engine:
        """Store's database."""
        return self.store.engine

    @property
    def mover(self) -> Mover:
        """Author of this run's moves."""
        return Mover(self.now, run_id=self.run_id)

    def case(self, evaluation: str) -> "Case":
        """Evaluation as it stands."""
        with self.snapshot():
            return Case(self, read_standing(self.engine, evaluation, now=self.now))

    def snapshot(self) -> AbstractContextManager[None]:
        """Let whatever is read here be of one moment, until something is written."""
        return snapshot(self.engine)

    def cases(self, rows: Sequence[Evaluation]) -> "list[Case]":
        """Evaluations as they stand, read together; rounds of those that ended have no counts."""
        standings = list_standings(self.engine, rows, now=self.now)
        return [Case(self, standing) for standing in standings]


@dataclass(frozen=True)
class Case:
    """One evaluation as it stands at one moment; what is stored about it is read when asked for.

    `people` are those of a registry that was read anew and is not stored yet.
    """

    work: Work
    standing: Standing
    people: Sequence[RaterEntry] | None = None

    def at(self, history: History) -> Self:
        """Case at another point of its course, with all that was read already."""
        moved = copy(self)
        object.__setattr__(moved, "standing", self.standing._replace(history=history))
        return moved

    @property
    def row(self) -> Evaluation:
        """Evaluation's own row."""
        return self.standing.evaluation

    @property
    def name(self) -> str:
        """Evaluation's name."""
        return self.row.evaluation

    @cached_property
    def campaign(self) -> Campaign:
        """Campaign as it was when the evaluation opened, with the rubric in force at that time."""
        rubric = read_rubric(self.work.engine, self.row.rubric_hash)
        return self.row.config.with_rubric(rubric)

    @cached_property
    def dimensions(self) -> list[str]:
        """Names of the rubric's dimensions."""
        return [dimension.name for dimension in self.campaign.rubric.dimensions]

    @cached_property
    def raters(self) -> list[RaterEntry]:
        """People of the campaign."""
        if self.people is not None:
            return sorted(self.people, key=lambda person: person.pseudonym)
        return list_raters(self.work.engine, self.row.raters, evaluation=self.name)

    @cached_property
    def dropped(self) -> set[str]:
        """Raters whom a lead dropped; they get no further items in this evaluation."""
        return dropped_raters(self.work.engine, self.name)

    @cached_property
    def excluded(self) -> dict[str, Exclusion]:
        """Items that a lead excluded: nobody is asked for them, and their ratings do not count."""
        return excluded_items(self.work.engine, self.name)

    @cached_property
    def decided(self) -> set[str]:
        """Items that the rubric of the next round decides as boundary cases."""
        versions = list_rubric_versions(self.work.engine, self.name)
        return {str(version.item) for version in cases_in_force(versions)}

    @cached_property
    def rubrics(self) -> set[str]:
        """Hashes of the rubrics that ratings may know."""
        versions = list_rubric_versions(self.work.engine, self.name)
        return rubrics_so_far(versions, self.row.rubric_hash)

    def not_asked(self, kind: str) -> set[str]:
        """Items that a round of a kind does not ask for again.

        Whoever reads a boundary case knows its level: an adaptive rating of it would tell nothing.
        """
        return {*self.excluded, *(self.decided if kind == "adaptive" else ())}

    @cached_property
    def items(self) -> list[SampledItem]:
        """Every item: the sample, gold outside it, and what pilots practised on."""
        return list_items(self.work.engine, self.name)

    @cached_property
    def sample(self) -> list[SampledItem]:
        """Sampled items in draw order."""
        return [item for item in self.items if item.purpose == "sample"]

    @cached_property
    def page_of(self) -> dict[str, str]:
        """Page of every item that more than one system has read."""
        from ocrjury.evaluation.pages import page_of_items  # noqa: PLC0415  # it needs pandas

        return page_of_items(self.items)

    @cached_property
    def gold(self) -> dict[str, dict[str, float]]:
        """Known ratings by dimension and item, of sampled items too."""
        known: dict[str, dict[str, float]] = {}
        for gold in list_gold(self.work.engine, self.name):
            known.setdefault(gold.dimension, {})[gold.item] = gold.value
        return known

    @cached_property
    def promoted(self) -> set[tuple[str, str]]:
        """Pairs of dimension and item whose known rating an earlier evaluation settled."""
        rows = list_gold(self.work.engine, self.name)
        return {(gold.dimension, gold.item) for gold in rows if gold.source != "file"}

    @cached_property
    def fair_gold(self) -> dict[str, dict[str, float]]:
        """`gold` without the items promoted from earlier evaluations.

        Items that all raters agreed on are easier than most, those that somebody had to decide are
        harder: neither tells how often a model is right on the others, nor how severe raters are
        there.
        """
        return {
            name: {
                item: value for item, value in known.items() if (name, item) not in self.promoted
            }
            for name, known in self.gold.items()
        }

    @cached_property
    def rounds(self) -> list[RoundRow]:
        """Rounds in order."""
        return list_rounds(self.work.engine, self.name)

    @property
    def open_round(self) -> RoundRow:
        """Open round; raises `StateError` if there is none."""
        for round_ in self.rounds:
            if round_.state == "open":
                return round_
        raise StateError(f"{self.name} has no open round; nobody is asked for ratings.")

    @cached_property
    def assignments(self) -> list[AssignmentRow]:
        """All assignments of all rounds."""
        return list_assignments(self.work.engine, self.name)

    @property
    def last_assignments(self) -> list[AssignmentRow]:
        """Assignments of the last round."""
        number = self.rounds[-1].round
        return [row for row in self.assignments if row.round == number]

    @cached_property
    def ratings(self) -> "pd.DataFrame":
        """All ratings that count: round, round_kind, item, rater, dimension, rating.

        Those of gold outside the sample and second ones have a `round_kind` of their own, see
        `ocrjury.store.current_ratings`.
        """
        import pandas as pd  # noqa: PLC0415  # heavy: commands that print a state need none

        rows = list_ratings(self.work.engine, self.name)
        if not rows:
            return pd.DataFrame(columns=RATING_COLUMNS)
        return pd.DataFrame(rows).rename(columns={"value": "rating"})

    @cached_property
    def first_pass(self) -> "pd.DataFrame":
        """Ratings of main rounds, which no rating by others has influenced.

        Items of the same ``cluster`` were drawn together.
        """
        draws = {item.item: item.draw_number for item in self.sample}
        main = self.ratings[self.ratings["round_kind"] == "main"]
        return main.assign(**{CLUSTER: main["item"].map(draws)})

    def pool(self, *, without: Collection[str] = ()) -> "pd.DataFrame":
        """Scored pool, without some columns."""
        address = str(self.row.pool_hash)
        return read_snapshot(self.work.store.files, address, without=without)

    def documents(self, doc_ids: Iterable[str]) -> "pd.DataFrame":
        """Documents of the scored pool, with all their columns, in the order of the pool."""
        address = str(self.row.pool_hash)
        return read_documents(self.work.store.files, address, set(doc_ids))

    def pairs_before(self, kind: str | None = None) -> list[tuple[str, str]]:
        """Pairs of item and rater ever assigned, in rounds of a kind or in all.

        A withdrawn assignment counts too: the rater may have looked at the item. A pilot counts
        where it is named only: a document that everybody practised on, and that a top-up draws all
        the same, still needs its ratings.
        """
        return [
            (row.item, row.rater)
            for row in self.assignments
            if (self.kinds[row.round] == kind if kind else self.kinds[row.round] != "pilot")
        ]

    @cached_property
    def kinds(self) -> dict[int, str]:
        """Kind of every round."""
        return {round_.round: round_.kind for round_ in self.rounds}


def no_store_any_more(settings: Settings) -> str:
    """Sentence about a home without the store that was in it."""
    return (
        f"{settings.home} is gone, or not mounted: there is no store in it. Mount it again, or set "
        f"{HOME} to where it is."
    )


@contextmanager
def at_work(*, run_id: str | None = None, new: bool = False) -> Iterator[Work]:
    """Yield the store that the environment names, at the present moment of a Prefect run.

    Only what opens an evaluation makes a `new` one: anything else would find that nothing is open
    where a disk is not mounted.
    """
    settings = Settings.from_environment()
    if not (new or settings.store_exists):
        raise StateError(no_store_any_more(settings))
    # Somebody may run a worker of their own: its umask is not that of `ocrjury up`.
    with (
        writing_privately(),
        open_store(home=settings.home, database_url=settings.database_url) as store,
    ):
        yield Work(store, settings.now(), run_id)
