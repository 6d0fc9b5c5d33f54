"""Draw the sample, and put gold beside it."""

from typing import Any

import numpy as np
import pandas as pd
from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import sampled_items
from ocrjury.evaluation.draws import Draw, sampling_draw
from ocrjury.evaluation.gold import known_items
from ocrjury.evaluation.pilots import plan_pilot
from ocrjury.evaluation.plans import plan_results
from ocrjury.evaluation.rounds import plan_main_round
from ocrjury.pages.artifacts import render_sample_design
from ocrjury.sampling import sample_size
from ocrjury.store.documents import add_gold, add_items
from ocrjury.store.moves import Position, moving
from ocrjury.store.results import add_results
from ocrjury.tasks import at_work, hold_if_refused, publish


@task(task_run_name="{position.evaluation}-sample", cache_policy=NO_CACHE)
@hold_if_refused
def draw_items(position: Position, step: Step) -> None:
    """Draw the documents with known odds and copy their texts into the store."""
    with at_work() as work:
        case = work.case(position.evaluation)
        pool = case.pool()
        draw = sampling_draw(case, pool)
        drawn = draw.sample(_sample_count(case, len(pool)))
        sample = sampled_items(pool, drawn)
        gold = known_items(case, pool, sample)
        # A plan that cannot be carried out is better known before the texts are copied.
        plan = plan_main_round(case, sample)
        if case.campaign.rounds.pilot.items:
            plan_pilot(case, [*sample, *gold.items], gold=gold.values)
        design = _describe_design(case, pool, draw=draw, drawn=drawn)
        plans = plan_results(case, pool, plan=plan, gold=gold)
        with moving(work.engine, position, step, mover=work.mover, design=design) as connection:
            add_items(connection, case.name, [*sample, *gold.items])
            add_gold(connection, case.name, gold.rows)
            add_results(connection, case.name, plans, now=work.now)
        publish(
            case.name, "sample-design", render_sample_design(evaluation=case.name, design=design)
        )


def _sample_count(case: Case, pool_size: int) -> int:
    """Return how many documents to draw: as many as were asked for, or enough for five points."""
    n = case.campaign.sampling.n or sample_size(population=pool_size)
    if n > pool_size:
        raise InputError(
            f"sampling.n asks for {n} documents, but the pool holds {pool_size}. "
            "Lower sampling.n or leave it empty."
        )
    return n


def _describe_design(
    case: Case, pool: pd.DataFrame, *, draw: Draw, drawn: pd.DataFrame
) -> dict[str, Any]:
    """Return what the report says about how items were chosen.

    ``spread`` and ``from`` are those of the design target, see `ocrjury.evaluation.risks`.
    """
    wanted, frame, about = case.campaign.sampling, draw.frame, draw.frame.attrs
    strata = frame["stratum"] if "stratum" in frame else pd.Series("all", index=frame.index)
    parts = pd.crosstab(drawn["stratum"].fillna("all"), drawn["reason"])
    n_pages = int(drawn["draw_number"].max())
    together = draw.note and draw.note.format(drawn=n_pages, pages=len(draw.units))
    notes = [about.get("fallback"), drawn.attrs.get("note"), together]
    return {
        "n": len(drawn),
        "pool_size": len(frame),
        "design": wanted.design,
        "seed": case.row.seed,
        "frame": case.row.pool_hash,
        "shares": {name: float(share) for name, share in drawn.attrs["shares"].items()},
        "floor": wanted.floor,
        "stratum": wanted.stratum,
        "risk": about.get("rule"),
        "spread": about.get("spread"),
        "from": about.get("from"),
        "note": " ".join(note for note in notes if note) or None,
        "pool_strata": {str(k): int(v) for k, v in strata.value_counts().sort_index().items()},
        "sample_strata": {
            str(stratum): {str(k): int(v) for k, v in row.items()}
            for stratum, row in parts.iterrows()
        },
        "balance": _balance(pool, drawn),
        "weight_min": float(drawn["weight"].min()),
        "weight_max": float(drawn["weight"].max()),
    }


def _balance(pool: pd.DataFrame, drawn: pd.DataFrame) -> list[dict[str, Any]]:
    """Return what is known of every document: its mean over the pool, the sample, and weighted.

    Documents without a value are left out of all three.
    """
    chosen = pool.set_index("doc_id").loc[drawn["doc_id"]]
    weight = drawn["weight"].to_numpy()
    found = []
    for name, values in _known(pool).items():
        own = _known(chosen)[name].to_numpy(dtype=float, na_value=np.nan)
        there = np.isfinite(own)
        if values.notna().any() and there.any():
            found.append(
                {
                    "name": name,
                    "pool": float(values.mean()),
                    "sample": float(own[there].mean()),
                    "weighted": float(np.average(own[there], weights=weight[there])),
                }
            )
    return found


def _known(frame: pd.DataFrame) -> dict[str, "pd.Series[float]"]:
    """Return what can be averaged over documents."""
    cer = frame["cer"]
    return {
        "cer": cer,
        "no_error": (cer == 0).astype(float).where(cer.notna()),
        "confidence": frame["confidence"],
    }
