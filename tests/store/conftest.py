from datetime import timedelta

import pytest
import sqlalchemy as sa

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.history import Step
from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.database import writing
from ocrjury.store.documents import SampledItem, add_items
from ocrjury.store.evaluations import Opening, add_evaluation
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.raters import keep_raters
from ocrjury.store.rounds import NewAssignment, RoundPlan, open_round

CONFIG = {
    "name": "claims",
    "pool": {"path": "pool.jsonl"},
    "raters": {"per_item": 2},
    "rounds": {"close_at": 0.95, "pilot": {"items": 0}},
    "gate": {"on_fail": "hold"},
    "report": {"recipients": []},
}

RUBRIC = {
    "purpose": "x",
    "scale": {"kind": "likert", "low": 1, "high": 5},
    "dimensions": [{"name": "meaning", "title": "Meaning", "description": "x"}],
}


def opening(campaign="claims", period="2026w47", seed=7):
    body = {**CONFIG, "name": campaign, "rubric": RUBRIC, "source": "campaign.yaml"}
    raters = ["R01", "R02", "A01"]
    return Opening(Campaign.from_json(body), period, raters, seed, package_version="0.1.0")


def item(name, **changes):
    values = {
        "item": name,
        "doc_id": name,
        "page_id": name,
        "system": "default",
        "doc_type": "form",
        "language": None,
        "kind": None,
        "reference": "금액",
        "hypothesis": "금맥",
        "confidence": 0.5,
        "image_uri": None,
        "box": [0, 0, 1, 1],
        "scores": {"cer": 0.5},
        "purpose": "sample",
        "inclusion_probability": 0.5,
        "stratum": "form",
        "reason": "random",
        "draw_number": int(name[1:]),
    }
    return SampledItem(**{**values, **changes})


def known_rows(engine, *tables):
    """How many rows PostgreSQL plans with by table; -1 where it never looked."""
    query = sa.text("select relname, reltuples from pg_class where relname = any(:tables)")
    with engine.connect() as connection:
        return dict(connection.execute(query, {"tables": list(tables)}).tuples().all())


@pytest.fixture
def evaluation(engine, now):
    """An evaluation that collects: items d1 and d2, two raters each."""
    with writing(engine) as connection:
        keep_raters(
            connection,
            [RaterEntry("R01"), RaterEntry("R02"), RaterEntry("A01", role="adjudicator")],
        )
        name, _ = add_evaluation(connection, opening(), now=now, actor="lead", run_id=None)
    plan = RoundPlan(
        kind="main",
        rule="the sample",
        dimensions=("meaning",),
        frontend="file",
        deadline=now + timedelta(days=7),
        assignments=tuple(
            NewAssignment(one, rater, position)
            for rater in ("R01", "R02")
            for position, one in enumerate(("d1", "d2"), start=1)
        ),
    )
    step = Step("7", "collecting", "main")
    with moving(engine, Position(name, "opened", 1), step, mover=Mover(now)) as connection:
        add_items(connection, name, [item("d1"), item("d2")])
        open_round(connection, name, plan, now=now)
    return name
