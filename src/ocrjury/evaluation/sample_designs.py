"""The design of a sample, of the first draw or of all that was drawn up to a top-up."""

from collections import Counter

import numpy as np
import pandas as pd

from ocrjury.evaluation.case import Case
from ocrjury.evaluation.draws import Draw
from ocrjury.findings.sampling import Balance, RiskReason, SampleDesign, Spread
from ocrjury.language import joined, phrase


def describe_design(
    case: Case, pool: pd.DataFrame, *, draw: Draw, drawn: pd.DataFrame
) -> SampleDesign:
    """Design of a draw, beside the pool that it was made from."""
    wanted, frame, about = case.campaign.sampling, draw.frame, draw.frame.attrs
    strata = frame["stratum"] if "stratum" in frame else pd.Series("all", index=frame.index)
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
        sample_strata=_counts(drawn["stratum"].fillna("all"), drawn["reason"]),
        balance=_balance(pool, drawn),
        weight_min=float(drawn["weight"].min()),
        weight_max=float(drawn["weight"].max()),
        pages=draw.pages,
    )


def _counts(strata: "pd.Series[str]", reasons: "pd.Series[str]") -> dict[str, dict[str, int]]:
    """Documents by stratum and reason, a count of 0 included."""
    drawn = Counter(zip(strata, reasons, strict=True))
    names = sorted(set(reasons))
    return {
        str(stratum): {str(reason): drawn[stratum, reason] for reason in names}
        for stratum in sorted(set(strata))
    }


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
    places = pd.Index(pool["doc_id"]).get_indexer(pd.Index(drawn["doc_id"]))
    weight = drawn["weight"].to_numpy()
    rows = []
    for name, values in _known(pool).items():
        own = values.to_numpy(dtype=float, na_value=np.nan)[places]
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
