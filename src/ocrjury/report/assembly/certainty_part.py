"""How far the estimates can be relied on, from what is stored."""

from collections.abc import Iterable
from itertools import chain

from ocrjury.estimate import Estimate
from ocrjury.pages.numbers import has_interval
from ocrjury.report.assembly.bodies import estimate_of, number
from ocrjury.report.assembly.stored import Body, Stored
from ocrjury.report.certainty_section import (
    Certainty,
    Expected,
    FieldErrors,
    KindErrors,
    PlanComparison,
    Preferred,
    Response,
    SystemDifference,
    SystemMean,
    Systems,
    Trend,
    TrendRow,
)
from ocrjury.report.data import GateVerdict
from ocrjury.report.round_section import Rounds
from ocrjury.store.ratings import RatingRow


def certainty_part(stored: Stored, verdict: GateVerdict) -> tuple[Certainty, ...]:
    """Return what stands behind the estimates of every dimension."""
    return tuple(
        _certainty(name, stored.estimates[name], trusted=verdict.agreed_on(name))
        for name in stored.dimension_names
        if name in stored.estimates
    )


def _certainty(name: str, body: Body, *, trusted: bool) -> Certainty:
    """Return what stands behind the estimates of one dimension; an older body may lack parts."""
    response, gold = body.get("response"), body.get("gold")
    inferred = body.get("inferred")
    return Certainty(
        dimension=name,
        others=estimate_of(body["others"]),
        hajek=estimate_of(body["hajek"]),
        inferred=None if inferred is None else estimate_of(inferred),
        uncorrected=None if gold is None else estimate_of(gold["uncorrected"]),
        gold_ratings=0 if gold is None else gold["n_ratings"],
        response=None if response is None else _response(response),
        quartiles=tuple(estimate_of(one) for one in body.get("quartiles", [])),
        cautions=_cautions(body),
        trusted=trusted,
    )


def _response(body: Body) -> Response:
    """Return how much came back."""
    numbers = {key: int(body[key]) for key in ("drawn", "rated", "complete", "given", "wanted")}
    return Response(**numbers, growth=float(body["growth"]), silent=body["strata"])


def _cautions(body: Body) -> dict[str, tuple[str, ...]]:
    """Return the warnings of the estimates by what they are about, each sentence once."""
    of = {
        "mean": [body["others"], body["these"], body["hajek"]],
        "share": list(body.get("target_share", {}).values()),
        "usable": [body["usable"]],
        "unusable": [body["unusable"]],
        "inferred": [body["inferred"]] if body.get("inferred") else [],
    }
    found: dict[str, tuple[str, ...]] = {}
    said: set[str] = set()
    for what, estimates in of.items():
        texts = chain.from_iterable(one["warnings"] for one in estimates)
        fresh = tuple(text for text in dict.fromkeys(texts) if text not in said)
        said |= set(fresh)
        if fresh:
            found[what] = fresh
    for one in body.get("types", []):
        if one["estimate"]["warnings"]:
            found[f"type {one['doc_type'] or '(no type)'}"] = tuple(one["estimate"]["warnings"])
    return found


def plan_part(stored: Stored, rounds: Rounds) -> PlanComparison | None:
    """Return the plan of the headline's dimension beside what was achieved."""
    name = stored.target_dimension
    plan, body = stored.plans.get(name), stored.estimates.get(name)
    if plan is None or body is None or not plan["widths"]:
        return None
    return PlanComparison(
        dimension=name,
        planned=Expected(
            items=plan["items"],
            ratings=plan["assignments"],
            gold_ratings=plan["gold_ratings"],
            raters=plan["raters"],
            cost=plan["cost"],
            width_others=plan["widths"]["others"],
            width_these=plan["widths"]["these"],
            width_share=plan["widths"]["share"],
        ),
        achieved=_achieved(stored, body, rounds),
        source=plan["source"],
        measured=plan["measured"],
        hours=plan["hours"],
    )


def _achieved(stored: Stored, body: Body, rounds: Rounds) -> Expected:
    """Return what became of a plan."""
    others = estimate_of(body["others"])
    return Expected(
        items=others.n_items,
        ratings=others.n_ratings,
        gold_ratings=sum(rating.round_kind == "gold" for rating in _on(stored)),
        raters=others.n_raters,
        cost=_sum(row.cost for row in rounds.rows if row.kind == "main"),
        width_others=_width(others),
        width_these=_width(estimate_of(body["these"])),
        width_share=_width(estimate_of(body["usable"])),
    )


def _on(stored: Stored) -> Iterable[RatingRow]:
    """Return the ratings on the headline's dimension."""
    return (one for one in stored.ratings if one.dimension == stored.target_dimension)


def _sum(costs: Iterable[float | None]) -> float | None:
    """Return the sum, None if a part is unknown."""
    known = list(costs)
    return None if None in known else float(sum(one for one in known if one is not None))


def _width(estimate: Estimate) -> float | None:
    """Return the length of an interval, None without one."""
    return estimate.high - estimate.low if has_interval(estimate) else None


def field_part(stored: Stored) -> FieldErrors | None:
    """Return the share of fields with a critical error, None without rules for fields."""
    body = stored.field_errors
    if not body:
        return None
    return FieldErrors(
        dimension=body["dimension"],
        share=estimate_of(body["share"]),
        by_kind=tuple(
            KindErrors(one["kind"], one["pool"], one["n"], estimate_of(one["estimate"]))
            for one in body["by_kind"]
        ),
        unknown=body["unknown"],
    )


def systems_part(stored: Stored) -> tuple[Systems, ...]:
    """Return OCR systems side by side, by dimension; none in a pool of one."""
    return tuple(
        Systems(
            name,
            tuple(
                SystemMean(one["system"], one["pool"], estimate_of(one["estimate"]))
                for one in body["systems"]
            ),
            tuple(
                SystemDifference(
                    one["a"],
                    one["b"],
                    one["both"],
                    estimate_of(one["estimate"]),
                    one.get("paired", False),
                )
                for one in body["differences"]
            ),
        )
        for name in stored.dimension_names
        if (body := stored.systems.get(name)) is not None
    )


def preferred_part(stored: Stored) -> Preferred | None:
    """Return which system raters prefer, None where they were not asked."""
    body = stored.systems.get("*")
    if body is None:
        return None
    return Preferred(
        tuple((one["system"], estimate_of(one["estimate"])) for one in body["systems"]),
        estimate_of(body["same"]),
        pages=body["pages"],
        raters=body["raters"],
        answers=body["answers"],
        p_value=body["p_value"],
    )


def trend_part(stored: Stored) -> Trend | None:
    """Return the headline over evaluations, None if this is the first."""
    body, target = stored.trends.get(stored.target_dimension), stored.campaign.report.target
    if body is None:
        return None
    level = None if target is None or body["share"] is None else target.share_at_least
    rows = body["mean"] if level is None else body["share"]
    return Trend(
        dimension=stored.target_dimension,
        rows=tuple(map(_trend_row, rows)),
        share_at_least=level,
        left_out=tuple(body["left_out"]),
    )


def _trend_row(row: Body) -> TrendRow:
    """Return one evaluation."""
    return TrendRow(
        evaluation=row["evaluation"],
        period=row["period"],
        mean=_estimate(row, "", value="value", n=row["n_items"]),
        change=_estimate(row, "change_", value="change"),
        both=row["n_both"],
        same_rubric=row["same_rubric"],
    )


def _estimate(row: Body, of: str, *, value: str, n: int = 0) -> Estimate:
    """Return a number of a row with its interval."""
    low, high = number(row[f"{of}low"]), number(row[f"{of}high"])
    return Estimate(number(row[value]), low, high, n_items=n)
