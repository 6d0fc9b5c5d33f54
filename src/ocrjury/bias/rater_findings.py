"""Findings on every rater from arrays with one entry per rater."""

from collections.abc import Sequence

from ocrjury.arrays import Floats
from ocrjury.bias.deviations import Interval
from ocrjury.bias.findings import BiasFinding, Kind, Reason, level_of, not_identifiable
from ocrjury.bias.submissions import Submissions


def tested(
    kind: Kind,
    unit: str,
    about: tuple[object, str | None],
    *,
    effects: Interval,
    place: int,
    p: float,
    size: float,
    point: float,
) -> BiasFinding:
    """Finding of a test.

    Parameters
    ----------
    about
        Rater and dimension.
    effects, place
        All effects and the place of this one among them.
    size
        Distance from no effect.
    """
    return BiasFinding(
        kind,
        *about,
        float(effects.value[place]),
        unit,
        low=float(effects.low[place]),
        high=float(effects.high[place]),
        p_value=float(p),
        level=level_of(unit, float(size), point=point),
    )


def rater_findings(
    submissions: Submissions,
    kind: Kind,
    unit: str,
    *,
    dimension: str | None,
    effects: Interval,
    p: Floats,
    size: Floats,
    reasons: Sequence[Reason | None],
) -> list[BiasFinding]:
    """One finding for each rater.

    Parameters
    ----------
    effects, p, size
        One entry per rater, shape (M,); size is the distance from no effect.
    reasons
        Reason why each rater could not be tested, or None.
    """
    findings = []
    for place, (rater, reason) in enumerate(zip(submissions.raters, reasons, strict=True)):
        if reason is not None:
            finding = not_identifiable(kind, reason, unit=unit, rater=rater, dimension=dimension)
        else:
            finding = tested(
                kind,
                unit,
                (rater, dimension),
                effects=effects,
                place=place,
                p=p[place],
                size=size[place],
                point=submissions.point,
            )
        findings.append(finding)
    return findings
