"""Findings on every rater from columns with one entry per rater."""

from collections.abc import Sequence

from ocrjury.bias.deviations import Interval
from ocrjury.bias.findings import BiasFinding, Kind, Reason, level_of, not_identifiable
from ocrjury.bias.submissions import Floats, Submissions


def tested(
    kind: Kind,
    unit: str,
    about: tuple[object, str | None],
    *,
    found: Interval,
    place: int,
    p: float,
    size: float,
    point: float,
) -> BiasFinding:
    """One finding that was tested.

    Parameters
    ----------
    about
        Rater and dimension.
    found, place
        Effects and the place of this one among them.
    size
        Distance from no effect.
    """
    return BiasFinding(
        kind,
        *about,
        float(found.value[place]),
        unit,
        low=float(found.low[place]),
        high=float(found.high[place]),
        p_value=float(p),
        level=level_of(unit, float(size), point=point),
    )


def rater_findings(
    submissions: Submissions,
    kind: Kind,
    unit: str,
    *,
    dimension: str | None,
    found: Interval,
    p: Floats,
    size: Floats,
    reasons: Sequence[Reason | None],
) -> list[BiasFinding]:
    """One finding for each rater.

    Parameters
    ----------
    found, p, size
        Of each rater, shape (M,); size is the distance from no effect.
    reasons
        Why it could not be tested, or None, of each rater.
    """
    findings = []
    for place, (rater, reason) in enumerate(zip(submissions.raters, reasons, strict=True)):
        if reason is not None:
            one = not_identifiable(kind, reason, unit=unit, rater=rater, dimension=dimension)
        else:
            one = tested(
                kind,
                unit,
                (rater, dimension),
                found=found,
                place=place,
                p=p[place],
                size=size[place],
                point=submissions.point,
            )
        findings.append(one)
    return findings
