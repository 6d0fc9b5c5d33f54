"""Draw the sample, and enlarge it when the gate asks for more items."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.errors import InputError
from ocrjury.pages.artifacts import render_sample_design
from ocrjury.sampling import draw_sample, extend_sample, risk_scores, sample_size
from ocrjury.store.database import Connection
from ocrjury.store.documents import SampledItem, add_items, change_probabilities
from ocrjury.store.moves import Position, moving
from ocrjury.text.metrics import METRICS
from tasks.artifacts import publish
from tasks.frames import plain
from tasks.refusal import hold_if_refused
from tasks.rounds import plan_main_round
from tasks.work import Case, at_work


@task(task_run_name="{position.evaluation}-sample", cache_policy=NO_CACHE)
@hold_if_refused
def draw_items(position: Position, step: Step) -> None:
    """Draw the documents with known odds and copy their texts into the store."""
    with at_work() as work:
        case = work.case(position.evaluation)
        pool = case.pool()
        frame, odds = _odds(case, pool)
        drawn = draw_sample(frame, n=_sample_count(case, len(pool)), **odds)
        sample = _sampled_items(pool, drawn)
        # A plan that cannot be carried out is better known before the texts are copied.
        plan_main_round(case, sample)
        design = _describe_design(case, frame, drawn)
        with moving(work.engine, position, step, mover=work.mover, design=design) as connection:
            add_items(connection, case.name, sample)
        publish(
            case.name, "sample-design", render_sample_design(evaluation=case.name, design=design)
        )


def enlarged_sample(case: Case, *, more: int) -> list[SampledItem]:
    """Return the sample with the next documents in draw order, all with their new odds."""
    pool = case.pool()
    frame, odds = _odds(case, pool)
    drawn = pd.DataFrame(
        [
            {"doc_id": one.doc_id, "draw_number": one.draw_number, "reason": one.reason}
            for one in case.sample
        ]
    )
    larger = extend_sample(frame, drawn=drawn, n=len(drawn) + more, **odds)
    return _sampled_items(pool, larger)


def keep_enlarged_sample(connection: Connection, case: Case, sample: Sequence[SampledItem]) -> None:
    """Keep the new items of an enlarged sample, and the new odds of all."""
    known = {item.item for item in case.sample}
    add_items(connection, case.name, [item for item in sample if item.item not in known])
    odds = {item.item: float(item.inclusion_probability or 0.0) for item in sample}
    change_probabilities(connection, case.name, odds)


def _sample_count(case: Case, pool_size: int) -> int:
    """Return how many documents to draw: as many as were asked for, or enough for five points."""
    n = case.campaign.sampling.n or sample_size(population=pool_size)
    if n > pool_size:
        raise InputError(
            f"sampling.n asks for {n} documents, but the pool holds {pool_size}. "
            "Lower sampling.n or leave it empty."
        )
    return n


def _odds(case: Case, pool: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return what decides the odds: the columns of the pool, and the campaign's wishes."""
    wanted = case.campaign.sampling
    if wanted.stratum is not None and wanted.stratum not in pool.columns:
        raise InputError(
            f"sampling.stratum names the column {wanted.stratum!r}, which the pool lacks; "
            f"it has {', '.join(pool.columns[:11])}."
        )
    risk = risk_scores(pool)
    frame = pd.DataFrame({"doc_id": pool["doc_id"], "risk": risk})
    if wanted.stratum is not None:
        frame["stratum"] = pool[wanted.stratum].fillna("(none)").astype(str)
    frame.attrs.update(getattr(risk, "attrs", {}))
    return frame, {
        "shares": wanted.shares.model_dump(),
        "floor": wanted.floor,
        "stratum": None if wanted.stratum is None else "stratum",
        "risk": "risk",
        "seed": case.row.seed,
    }


def _sampled_items(pool: pd.DataFrame, drawn: pd.DataFrame) -> list[SampledItem]:
    """Return the drawn documents with their texts, scores and odds."""
    known = pool.drop(columns=[name for name in ("stratum", "reason") if name in pool.columns])
    chosen = drawn.merge(known, on="doc_id", how="left", validate="one_to_one")
    return [
        _item({str(name): plain(value) for name, value in row.items()})
        for row in chosen.to_dict(orient="records")
    ]


def _item(row: dict[str, Any]) -> SampledItem:
    """Return one drawn document."""
    return SampledItem(
        # A pool has each doc_id once; the system stays out of what raters see.
        item=row["doc_id"],
        doc_id=row["doc_id"],
        page_id=row["page_id"],
        system=row["system"],
        doc_type=row["doc_type"],
        language=row["language"],
        kind=row["kind"],
        reference=row["reference"],
        hypothesis=row["hypothesis"],
        confidence=row["confidence"],
        image_uri=row["image"],
        box=row["box"],
        scores={name: row[name] for name in METRICS},
        purpose="sample",
        inclusion_probability=row["inclusion_probability"],
        stratum=None if row["stratum"] is None else str(row["stratum"]),
        reason=row["reason"],
        draw_number=int(row["draw_number"]),
    )


def _describe_design(case: Case, frame: pd.DataFrame, drawn: pd.DataFrame) -> dict[str, Any]:
    """Return what the report says about how items were chosen."""
    wanted = case.campaign.sampling
    strata = frame["stratum"] if "stratum" in frame else pd.Series("all", index=frame.index)
    parts = pd.crosstab(drawn["stratum"].fillna("all"), drawn["reason"])
    return {
        "n": len(drawn),
        "pool_size": len(frame),
        "shares": wanted.shares.model_dump(),
        "floor": wanted.floor,
        "stratum": wanted.stratum,
        "risk": frame.attrs.get("rule"),
        "note": drawn.attrs.get("note") or None,
        "pool_strata": {str(k): int(v) for k, v in strata.value_counts().sort_index().items()},
        "sample_strata": {
            str(stratum): {str(k): int(v) for k, v in row.items()}
            for stratum, row in parts.iterrows()
        },
        "weight_min": float(drawn["weight"].min()),
        "weight_max": float(drawn["weight"].max()),
    }
