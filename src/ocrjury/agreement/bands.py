"""Verbal labels that the literature gives to ranges of a coefficient.

The only table of bands: pages, reports and the command line read it, so it imports nothing heavy.
"""

import math
from typing import Final

from ocrjury.errors import InputError

Bands = tuple[tuple[float, str], ...]

_MOST: Final = 1 + 1e-9  # allows for rounding

LANDIS_KOCH: Final[Bands] = (
    (0.81, "almost perfect"),
    (0.61, "substantial"),
    (0.41, "moderate"),
    (0.21, "fair"),
    (0.0, "slight"),
    (-math.inf, "poor"),
)
"""Landis and Koch (1977), Biometrics 33(1), 159-174.

Their bands have two digits (.21 to .40) and no place for .2051: `interpret` rounds to two.
"""

KRIPPENDORFF: Final[Bands] = (
    (0.80, "reliable"),
    (0.667, "tentative"),
    (-math.inf, "unreliable"),
)
"""Krippendorff (2004), Content Analysis, 2nd edition, page 241."""

GDPVAL: Final[Bands] = (
    (0.90, "excellent"),
    (0.75, "good"),
    (0.60, "moderate"),
    (0.50, "fair"),
    (-math.inf, "poor"),
)
"""Bands of the human agreement specification, for shares that are not corrected for chance."""

KOO_LI: Final[Bands] = (
    (0.90, "excellent"),
    (0.75, "good"),
    (0.50, "moderate"),
    (-math.inf, "poor"),
)
"""Koo and Li (2016), Journal of Chiropractic Medicine 15(2), 155-163."""

BANDS: Final[dict[str, Bands]] = {
    "krippendorff_alpha": KRIPPENDORFF,
    "cohen_kappa": LANDIS_KOCH,
    "conger_kappa": LANDIS_KOCH,
    "fleiss_kappa": LANDIS_KOCH,
    "mean_pairwise_kappa": LANDIS_KOCH,
    "mean_pairwise_weighted_kappa": LANDIS_KOCH,
    "gwet_ac": LANDIS_KOCH,
    "brennan_prediger": LANDIS_KOCH,
    "human_agreement_corrected": LANDIS_KOCH,
    "human_agreement": GDPVAL,
    "judge_alignment": GDPVAL,
    "percent_agreement": GDPVAL,
    "pairwise_agreement": GDPVAL,
    "exact_agreement": GDPVAL,
    "adjacent_agreement": GDPVAL,
    "icc": KOO_LI,
}
"""Bands of each coefficient."""


def interpret(name: str, value: float) -> str:
    """Verbal label for a value of a coefficient.

    Parameters
    ----------
    name
        A key of `BANDS`: a function of this package or a key of `measure_agreement`.

    Returns
    -------
    str
        ``"undefined"`` for ``nan``, and for a value above 1, which does not measure agreement
        (ICC(2,k) of raters who contradict each other).

    Raises
    ------
    InputError
        For a coefficient without bands.

    Examples
    --------
    >>> interpret("fleiss_kappa", 0.21), interpret("krippendorff_alpha", 0.75)
    ('fair', 'tentative')
    """
    if name not in BANDS:
        raise InputError(f"there are no bands for {name!r}; known are {', '.join(sorted(BANDS))}.")
    if math.isnan(value) or value > _MOST:
        return "undefined"
    judged = round(value, 2) if BANDS[name] is LANDIS_KOCH else value
    return next(word for lowest, word in BANDS[name] if judged >= lowest)
