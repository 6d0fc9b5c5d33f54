"""Rounds of the bundled example for the rating page, in their own store, with links."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ocrjury.campaign.config import Campaign, read_campaign
from ocrjury.campaign.history import RoundKind, Step
from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.database import writing
from ocrjury.store.documents import SampledItem, add_items
from ocrjury.store.evaluations import Opening, add_evaluation, read_evaluation, read_rubric
from ocrjury.store.links import add_link
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.raters import keep_raters, keep_registry
from ocrjury.store.ratings import Submission, insert_submissions
from ocrjury.store.rounds import NewAssignment, RoundPlan, open_round
from ocrjury.store.workspace import Store, open_store

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "korean-claims"
RATERS, EACH, PER_ITEM, PRICE = 20, 20, 2, 0.4
SUBMISSIONS = RATERS * EACH
Field = dict[str, Any]
"""A line of the example's pool."""


@dataclass(frozen=True)
class World:
    """Collecting evaluation, its store, and the code of every rater's link."""

    store: Store
    home: Path
    url: str
    evaluation: str
    dimensions: tuple[str, ...]
    codes: dict[str, str]
    asked: int


@contextmanager
def world_in(
    home: Path, url: str | None = None, *, raters: int = RATERS, each: int = EACH
) -> Iterator[World]:
    """Yield a round of 400 ratings, opened in a new database: every item for two raters."""
    names = [f"R{number:02}" for number in range(1, raters + 1)]
    lines, count = fields(), raters * each // PER_ITEM
    spread = lines[:: len(lines) // count][:count]
    queues = {
        rater: [spread[(place * each // PER_ITEM + turn) % len(spread)] for turn in range(each)]
        for place, rater in enumerate(names)
    }
    with new_world(home, queues, url=url) as world:
        yield world


def fields() -> list[Field]:
    """Every field of the example."""
    text = (EXAMPLE / "fields.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@contextmanager
def new_world(
    home: Path,
    queues: Mapping[str, Sequence[Field]],
    *,
    url: str | None = None,
    page: Mapping[str, Any] | None = None,
) -> Iterator[World]:
    """Yield a round in which every rater has fields of the example in an order.

    ``page`` are settings of `rounds.page` that differ from the example's.
    """
    home.mkdir(parents=True, exist_ok=True)
    address = url or f"sqlite:///{home}/ocrjury.db"
    campaign = _on_the_page(read_campaign(EXAMPLE / "campaign.yaml"), page or {})
    with open_store(home=home, database_url=address) as store:
        evaluation = _open(store, campaign, queues)
        dimensions = tuple(dimension.name for dimension in campaign.rubric.dimensions)
        codes = new_links(store, evaluation, queues)
        asked = sum(map(len, queues.values()))
        yield World(store, home, address, evaluation, dimensions, codes, asked)


def _on_the_page(campaign: Campaign, page: Mapping[str, Any]) -> Campaign:
    """Campaign with raters at the page instead of simulated ones."""
    changes = {"frontend": "web", "page": campaign.rounds.page.model_copy(update=page)}
    rounds = campaign.rounds.model_copy(update=changes)
    changed = campaign.model_copy(update={"rounds": rounds})
    changed._source = campaign.source  # noqa: SLF001  # a copy forgets its file
    return changed


def _open(store: Store, campaign: Campaign, queues: Mapping[str, Sequence[Field]]) -> str:
    """Evaluation in the state collecting."""
    now = datetime.now(UTC)
    drawn = {line["doc_id"]: line for queue in queues.values() for line in queue}
    items = [_item(line, number) for number, line in enumerate(drawn.values(), start=1)]
    paid = RaterEntry("", languages=("en", "ko"), cost=PRICE, priced=True)
    people = [replace(paid, pseudonym=rater) for rater in queues]
    with writing(store.engine) as connection:
        registry = [*people, RaterEntry("A01", role="adjudicator")]
        keep_raters(connection, registry)
        name, _ = add_evaluation(
            connection, _opening(campaign, list(queues)), now=now, actor="lead", run_id=None
        )
        keep_registry(connection, name, registry)
    asks = [
        NewAssignment(line["doc_id"], rater, position)
        for rater, queue in queues.items()
        for position, line in enumerate(queue, start=1)
    ]
    step = Step("7", "collecting", "main")
    with moving(store.engine, Position(name, "opened", 1), step, mover=Mover(now)) as connection:
        add_items(connection, name, items)
        open_round(connection, name, plan_of("main", asks, campaign=campaign), now=now)
    return name


def plan_of(kind: RoundKind, asks: Sequence[NewAssignment], *, campaign: Campaign) -> RoundPlan:
    """Round on every dimension of a campaign, for a week."""
    return RoundPlan(
        kind=kind,
        rule="the sample",
        dimensions=tuple(dimension.name for dimension in campaign.rubric.dimensions),
        frontend="web",
        deadline=datetime.now(UTC) + timedelta(days=7),
        assignments=tuple(asks),
    )


def _item(line: Field, number: int) -> SampledItem:
    """Field as the sample holds it."""
    copied = ("doc_id", "page_id", "doc_type", "language", "kind", "reference", "hypothesis")
    return SampledItem(
        item=line["doc_id"],
        system=line.get("system", "default"),
        confidence=line["confidence"],
        image_uri=line["image"],
        box=line["box"],
        scores={},
        purpose="sample",
        inclusion_probability=0.1,
        stratum=line["doc_type"],
        reason="random",
        draw_number=number,
        field=line.get("field"),
        **{name: line[name] for name in copied},
    )


def _opening(campaign: Campaign, names: list[str]) -> Opening:
    """Settings that are fixed when the evaluation opens."""
    return Opening(campaign, "2026w47", names, seed=campaign.seed, package_version="0")


def new_links(store: Store, evaluation: str, names: Iterable[str]) -> dict[str, str]:
    """Code of a new link for every rater."""
    with writing(store.engine) as connection:
        return {
            rater: add_link(
                connection, evaluation, rater, number=None, created_by="lead", now=datetime.now(UTC)
            )
            for rater in names
        }


def rate(
    world: World,
    rater: str,
    levels_of: Mapping[str, Sequence[float]],
    *,
    at: datetime | None = None,
) -> None:
    """Submit levels for some items of a rater, at a moment or now."""
    rubric_hash = campaign_of(world).rubric.rubric_hash
    sent = [
        Submission(
            assignment=f"{world.evaluation}/1/{rater}/0/{item}",
            values=dict(zip(world.dimensions, given, strict=True)),
            event_id=f"world-{rater}-{item}",
            rubric_hash=rubric_hash,
            source="web",
        )
        for item, given in levels_of.items()
    ]
    with writing(world.store.engine) as connection:
        insert_submissions(connection, world.evaluation, sent, now=at or datetime.now(UTC))


def campaign_of(world: World) -> Campaign:
    """Campaign that a world's evaluation keeps."""
    row = read_evaluation(world.store.engine, world.evaluation)
    rubric = read_rubric(world.store.engine, row.rubric_hash)
    return row.config.with_rubric(rubric)
