"""Cross-check of the GREG estimate against the Hajek mean."""

from dataclasses import replace

from ocrjury.estimate import Estimate

_TOO_FAR = 3.0
# Two estimators with nearly the same errors still differ a little by chance.
_LEAST_SHARE = 0.1


def cross_check(greg: Estimate, hajek: Estimate) -> Estimate:
    """GREG estimate, with a warning where the Hajek mean contradicts it.

    Parameters
    ----------
    greg, hajek
        Estimates of the same mean from the same documents, with the same rater component.

    Notes
    -----
    Both are unbiased, so a large difference means that CER and raters disagree about the
    pool, or that weights and documents were mismatched. The variance of the difference between an
    efficient estimator and another one is the difference of their variances (Hausman 1978,
    Econometrica 46(6), 1251-1271), here at least a tenth of the Hajek mean's.

    Examples
    --------
    >>> checked = cross_check(Estimate(4.2, se=0.03), Estimate(3.9, se=0.05))
    >>> checked.warnings[0][:54]
    'GREG (4.20) and Hájek (3.90) differ by 7.5 standard er'
    """
    if not (greg.defined and hajek.defined and hajek.se > 0):
        return greg
    variance = max(hajek.se**2 - greg.se**2, _LEAST_SHARE * hajek.se**2)
    distance = abs(greg.value - hajek.value) / variance**0.5
    if not distance > _TOO_FAR:
        return greg
    warning = (
        f"GREG ({greg.value:.2f}) and Hájek ({hajek.value:.2f}) differ by {distance:.1f} standard "
        "errors of their difference: the error rates and the people disagree about the pool, or "
        "documents and weights were mixed up. Look at the plot of CER against score."
    )
    return replace(greg, warnings=(*greg.warnings, warning))
