"""The sample of an evaluation, drawn with known probabilities, and the gold beside it."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import sampled_items, with_image_hashes
from ocrjury.evaluation.draws import Draw, sampling_draw, sampling_pool
from ocrjury.evaluation.gold import KnownItems, known_items
from ocrjury.evaluation.pilots import plan_pilot
from ocrjury.evaluation.plans import plan_results
from ocrjury.evaluation.rounds import plan_main_round
from ocrjury.findings.sampling import Balance, RiskReason, SampleDesign, Spread
from ocrjury.language import joined, phrase
from ocrjury.pages.numbers import plural
from ocrjury.sampling import sample_size
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.database import Connection
from ocrjury.store.documents import SampledItem, add_gold, add_items
from ocrjury.store.results import Result, add_results


class DrawnSample(NamedTuple):
    """Items that were drawn, gold beside them, their design, and the expected precision."""

    items: list[SampledItem]
    gold: KnownItems
    design: SampleDesign
    plans: list[Result]

    def keep(self, connection: Connection, case: Case) -> None:
        """Copy the texts of the items into the store, with gold and plans."""
        add_items(connection, case.name, [*self.items, *self.gold.items])
        add_gold(connection, case.name, self.gold.rows)
        add_results(connection, case.name, self.plans, now=case.work.now)


def draw_sample_of(case: Case, *, tick: Tick = unwatched) -> DrawnSample:
    """Draw the documents of an evaluation.

    Raises
    ------
    InputError
        If the pool holds too few, or the rounds could not be carried out: that is better known
        before the texts are copied.
    """
    parts = Parts(tick, 5)
    parts.begin("reading the scored pool")
    pool = sampling_pool(case)
    parts.begin("drawing documents")
    draw = sampling_draw(case, pool)
    drawn = draw.sample(_sample_count(case, len(pool)))
    parts.begin("reading their texts and images")
    sample = with_image_hashes(case, sampled_items(case, drawn))
    parts.begin("assigning them to raters")
    gold = known_items(case, pool, sample)
    plan = plan_main_round(case, sample)
    if case.campaign.rounds.pilot.items:
        plan_pilot(case, [*sample, *gold.items], gold=gold.values)
    parts.begin("computing the expected precision")
    design = _describe_design(case, pool, draw=draw, drawn=drawn)
    return DrawnSample(sample, gold, design, plan_results(case, pool, plan=plan, gold=gold))


def _sample_count(case: Case, pool_size: int) -> int:
    """Documents to draw: as many as were asked for, or enough for five points."""
    n = case.campaign.sampling.n or sample_size(population=pool_size)
    if n > pool_size:
        raise InputError(
            f"sampling.n asks for {n} items, but the pool holds "
            f"{plural(pool_size, 'output')}. Lower sampling.n or leave it empty."
        )
    return n


def _describe_design(
    case: Case, pool: pd.DataFrame, *, draw: Draw, drawn: pd.DataFrame
) -> SampleDesign:
    wanted, frame, about = case.campaign.sampling, draw.frame, draw.frame.attrs
    strata = frame["stratum"] if "stratum" in frame else pd.Series("all", index=frame.index)
    parts = pd.crosstab(drawn["stratum"].fillna("all"), drawn["reason"])
    notes = [about.get("fallback"), drawn.attrs.get("note"), _together(draw, drawn)]
    return SampleDesign(
        n=len(drawn),
        pool_size=len(frame),
        design=wanted.design,
        seed=case.row.seed,
        frame=case.row.pool_hash,
        shares={name: float(share) for name, share in drawn.attrs["shares"].items()},
        floor=wanted.floor,
        stratum=wanted.stratum,
        risk=about["rule"],
        reasons=tuple(RiskReason(*reason) for reason in about["reasons"]),
        spread=None if about.get("spread") is None else Spread.from_json(about["spread"]),
        spread_from=about.get("from"),
        note=joined(notes) or None,
        pool_strata={str(k): int(v) for k, v in strata.value_counts().sort_index().items()},
        sample_strata={
            str(stratum): {str(k): int(v) for k, v in row.items()}
            for stratum, row in parts.iterrows()
        },
        balance=_balance(pool, drawn),
        weight_min=float(drawn["weight"].min()),
        weight_max=float(drawn["weight"].max()),
        pages=draw.pages,
    )


def _together(draw: Draw, drawn: pd.DataFrame) -> str | None:
    """Sentence on a draw of whole pages, None for documents."""
    if draw.pages is None:
        return None
    return phrase(
        "All outputs of a page are drawn together, with the probability of the page: {drawn} of "
        "{pages} pages.",
        drawn=int(drawn["draw_number"].max()),
        pages=draw.pages,
    )


def _balance(pool: pd.DataFrame, drawn: pd.DataFrame) -> tuple[Balance, ...]:
    """Means over the pool, the sample and the weighted sample, of what every document has.

    Documents without a value are left out of all three.
    """
    chosen = pool.iloc[pd.Index(pool["doc_id"]).get_indexer(pd.Index(drawn["doc_id"]))]
    weight = drawn["weight"].to_numpy()
    rows = []
    for name, values in _known(pool).items():
        own = _known(chosen)[name].to_numpy(dtype=float, na_value=np.nan)
        given = np.isfinite(own)
        if values.notna().any() and given.any():
            weighted = float(np.average(own[given], weights=weight[given]))
            rows.append(Balance(name, float(values.mean()), float(own[given].mean()), weighted))
    return tuple(rows)


def _known(frame: pd.DataFrame) -> dict[str, "pd.Series[float]"]:
    """Columns that can be averaged over documents."""
    cer = frame["cer"]
    return {
        "cer": cer,
        "no_error": (cer == 0).astype(float).where(cer.notna()),
        "confidence": frame["confidence"],
    }
