"""Design of the sample, and comparison of the campaign with recommendations."""

import statistics

from ocrjury.campaign.recommendations import check_campaign
from ocrjury.findings.sampling import SampleDesign
from ocrjury.report.assembly.stored import Stored
from ocrjury.report.sections import (
    PARTS,
    Recommendation,
    SamplePart,
    Sampling,
    StratumCounts,
)
from ocrjury.sampling import sample_size


def sampling_part(stored: Stored) -> Sampling | None:
    """Return the design of the sample, None if none was drawn."""
    design, sampled = stored.design, [i for i in stored.items if i.purpose == "sample"]
    if design is None or not sampled:
        return None
    weights = [1 / (item.inclusion_probability or 1.0) for item in sampled]
    drawn: dict[str, dict[str, int]] = {}
    for item in sampled:
        by_part = drawn.setdefault(str(item.stratum), dict.fromkeys(PARTS, 0))
        by_part[str(item.reason)] += 1
    return Sampling(
        pool_size=stored.row.pool_size or 0,
        n=len(sampled),
        stratum=design.stratum or "all",
        parts=_parts(stored, design),
        strata=tuple(
            StratumCounts(
                stratum=name,
                pool=size,
                drawn=drawn.get(name, dict.fromkeys(PARTS, 0)),  # type: ignore[arg-type]  # PARTS
            )
            for name, size in design.pool_strata.items()
        ),
        weight_low=min(weights),
        weight_median=statistics.median(weights),
        weight_high=max(weights),
        risk=design.risk or "character error rate",
        recommended_n=sample_size(population=stored.row.pool_size),
        note=design.note,
        design=design.design,
        spread_from=design.spread_from,
        balance=design.balance,
    )


def recommendation_rows(stored: Stored) -> tuple[Recommendation, ...]:
    """Recommendations, each compared with the campaign."""
    checked = check_campaign(
        stored.campaign,
        tuple(stored.people),
        pool_size=stored.row.pool_size,
        drawn=sum(item.purpose == "sample" for item in stored.items),
    )
    return tuple(Recommendation(row.topic, row.recommended, row.actual, row.met) for row in checked)


def _parts(stored: Stored, design: SampleDesign) -> tuple[SamplePart, ...]:
    """Return what each part of the design drew."""
    shares = design.shares
    found = []
    for part in PARTS:
        items = [i for i in stored.items if i.reason == part]
        # Other designs never had the part; in a mixture it is said that it could not be used.
        if not items and not shares[part] and design.design != "mixture":
            continue
        means = [stored.item_means[i.item] for i in items if i.item in stored.item_means]
        weights = [1 / (i.inclusion_probability or 1.0) for i in items]
        found.append(
            SamplePart(
                reason=part,
                share=shares[part],
                items=len(items),
                mean_weight=statistics.fmean(weights) if weights else float("nan"),
                mean_rating=statistics.fmean(means) if means else float("nan"),
            )
        )
    return tuple(found)
