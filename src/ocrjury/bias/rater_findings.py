"""Findings on every rater from arrays with one entry per rater."""

from collections.abc import Sequence

from ocrjury.arrays import Floats
from ocrjury.bias.deviations import Interval
from ocrjury.bias.findings import BiasFinding, Kind, Reason, level_of, not_identifiable
from ocrjury.bias.submissions import Submissions


def joint_findings(
    submissions: Submissions,
    kind: Kind,
    unit: str,
    *,
    dimension: str | None,
    overall: tuple[Interval, Floats],
    each: tuple[Interval, Floats],
    reasons: Sequence[Reason | None],
) -> list[BiasFinding]:
    """One finding for all raters together, then one for each rater.

    Parameters
    ----------
    overall, each
        Effects and p-values, of shape (1,) and (M,).
    reasons
        Reason why each rater could not be tested, or None.
    """
    parts = ((None,), overall, [None]), (submissions.raters, each, reasons)
    return [
        finding
        for raters, (effects, p), why in parts
        for finding in rater_findings(
            submissions,
            kind,
            unit,
            raters=raters,
            dimension=dimension,
            effects=effects,
            p=p,
            size=effects.value,
            reasons=why,
        )
    ]


def rater_findings(
    submissions: Submissions,
    kind: Kind,
    unit: str,
    *,
    raters: Sequence[object] | None = None,
    dimension: str | None,
    effects: Interval,
    p: Floats,
    size: Floats,
    reasons: Sequence[Reason | None],
) -> list[BiasFinding]:
    """One finding for each rater.

    Parameters
    ----------
    raters
        Their ids, None for all raters together; without them those of the submissions.
    effects, p, size
        One entry per rater, shape (M,); size is the distance from no effect.
    reasons
        Reason why each rater could not be tested, or None.
    """
    ids = submissions.raters if raters is None else raters
    return [
        BiasFinding(
            kind,
            rater,
            dimension,
            float(effects.value[place]),
            unit,
            low=float(effects.low[place]),
            high=float(effects.high[place]),
            p_value=float(p[place]),
            level=level_of(unit, float(size[place]), point=submissions.point),
        )
        if reason is None
        else not_identifiable(kind, reason, unit=unit, rater=rater, dimension=dimension)
        for place, (rater, reason) in enumerate(zip(ids, reasons, strict=True))
    ]
