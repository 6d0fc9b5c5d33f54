"""What the whole pool is worth."""

from ocrjury.report.assembly.bodies import estimate_of
from ocrjury.report.assembly.stored import Body, Stored
from ocrjury.report.data import GateVerdict, Headline
from ocrjury.report.sections import DimensionEstimate, TypeEstimate


def headline_of(stored: Stored) -> Headline | None:
    """Return the number on the cover, None before the estimates."""
    body = stored.estimates.get(stored.target_dimension)
    if body is None:
        return None
    target = stored.campaign.report.target
    level = None if target is None else target.share_at_least
    chosen: Body = body if level is None else body["target_share"]
    return Headline(
        dimension=stored.target_dimension,
        these=estimate_of(chosen["these"]),
        others=estimate_of(chosen["others"]),
        share_at_least=level,
        hajek=estimate_of(chosen["hajek"]),
        naive=estimate_of(chosen["naive"]).value,
    )


def dimension_estimates(stored: Stored, verdict: GateVerdict) -> tuple[DimensionEstimate, ...]:
    """Return the estimates of every dimension; one that failed the gate is marked."""
    return tuple(
        DimensionEstimate(
            dimension=name,
            these=estimate_of(body["these"]),
            others=estimate_of(body["others"]),
            hajek=estimate_of(body["hajek"]),
            usable=estimate_of(body["usable"]),
            unusable=estimate_of(body["unusable"]),
            usable_level=body["usable_level"],
            trusted=verdict.agreed_on(name),
        )
        for name in stored.dimension_names
        if (body := stored.estimates.get(name)) is not None
    )


def type_estimates(stored: Stored) -> tuple[TypeEstimate, ...]:
    """Return the mean of every document type on the headline's dimension."""
    body = stored.estimates.get(stored.target_dimension, {})
    return tuple(
        TypeEstimate(
            one["doc_type"] or "(no type)", one["pool"], one["n"], estimate_of(one["estimate"])
        )
        for one in body.get("types", [])
    )
