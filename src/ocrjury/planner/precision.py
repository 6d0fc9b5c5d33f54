"""Width of an interval, before anything is rated.

Symbols: n items of a pool of N, m ratings per item, M raters, g gold items that every rater rates;
S the standard deviation of scores between documents, R^2 what design and auxiliaries save, s_e the
noise of a rating, s_r the standard deviation of raters' severities.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri, owens_t

from ocrjury.estimation.gold import LEAST_TO_CORRECT
from ocrjury.estimation.interval import Part, half_length
from ocrjury.planner.double_rating import DOUBLE_SHARE, double_rated_items

Whose = Literal["others", "these"]
# With fewer items than this no interval is worth planning.
FEWEST_ITEMS = 10
# Fewer items leave the auxiliaries out (`ocrjury.estimation.auxiliaries`).
_ITEMS_FOR_AUXILIARIES = 30


@dataclass(frozen=True, slots=True)
class Components:
    """Components of the variance of scores.

    Attributes
    ----------
    population
        N.
    score_sd, r_squared, rater_sd, noise_sd
        S, R^2, s_r and s_e.
    n_raters
        M.
    together
        Items that come in one draw, such as the outputs of a page by two systems. They are taken as
        alike, so that none but the first tells anything about the pool: no interval is then
        shorter than planned.
    gold_sd
        Of a share, what all raters together still miss of gold items: a score near the level is
        taken for one beyond it. None: of a mean, to which gold items are all alike.
    """

    population: int
    score_sd: float
    r_squared: float
    rater_sd: float
    noise_sd: float
    n_raters: int
    together: float = 1.0
    gold_sd: float | None = None

    def of_share(self, share: float) -> "Components":
        """Components of a share, if scores are normal and cut where it is reached.

        The covariance of the indicators of two normal variables of correlation rho is that of
        the bivariate normal distribution at the cut; for the raters the density at the cut turns
        points of severity into points of the share. Real scores have heavier tails that are
        better known beforehand, so that real intervals tend to be shorter.
        """
        total = float(np.hypot(self.score_sd, self.noise_sd))
        cut, whole = float(ndtri(share)), share * (1 - share)
        density = math.exp(-(cut**2) / 2) / math.sqrt(2 * math.pi)
        same = (self.score_sd / total) ** 2 if total > 0 else 1.0
        between = max(_joint(cut, same) - share**2, 0.0)
        explained = max(_joint(cut, same * max(self.r_squared, 0.0)) - share**2, 0.0)
        return replace(
            self,
            score_sd=float(np.sqrt(between)),
            r_squared=min(explained / between, 1.0) if between > 0 else 0.0,
            noise_sd=float(np.sqrt(max(whole - between, 0.0))),
            rater_sd=self.rater_sd * density / total if total > 0 else 0.0,
            gold_sd=self._missed_of_gold(cut * total),
        )

    def _missed_of_gold(self, level: float) -> float:
        """Spread between gold items of the raters who take one for reaching a level, less truth."""
        normal = np.linspace(-8, 8, 4001)
        weight = np.exp(-(normal**2) / 2) / np.exp(-(normal**2) / 2).sum()
        score = normal * self.score_sd
        spread = max(math.hypot(self.noise_sd, self.rater_sd), 1e-12)
        missed = ndtr((score - level) / spread) - (score >= level)
        return math.sqrt(max(float(weight @ missed**2 - (weight @ missed) ** 2), 0.0))


@dataclass(frozen=True, slots=True)
class Design:
    """Design of a study: n items, m raters per item, g gold items.

    Each rater meets g of ``different_gold`` gold items, as chance has it; None: all meet the same.
    ``shared`` of the items, counted by `double_rated_items`, get two or more ratings: m of them,
    or two where m is one. The rest get one. None: all of them where m is above one, else as few
    as an interval needs to know its noise.
    """

    items: int
    raters_per_item: int
    gold_items: float = 0
    shared: float | None = None
    different_gold: float | None = None

    @property
    def double_rated(self) -> int:
        """Number of items with two or more ratings."""
        usual = 1.0 if self.raters_per_item > 1 else DOUBLE_SHARE
        share = usual if self.shared is None else self.shared
        return double_rated_items(self.items, share=share)

    def ratings(self, n_raters: int) -> int:
        """Number of requested ratings, including those of gold items."""
        more = 0 if n_raters < 2 else max(self.raters_per_item - 1, 1) * self.double_rated
        return self.items + more + round(self.gold_items * n_raters)

    def noise_factor(self, n_raters: int) -> float:
        """Mean of 1 / m over the items."""
        if n_raters < 2:
            return 1.0
        twice = self.double_rated / self.items
        return 1 - twice + twice / max(self.raters_per_item, 2)


@dataclass(frozen=True, slots=True)
class Precision:
    """The variance of an estimate by its sources.

    Attributes
    ----------
    documents, noise, raters
        Variances: which documents were drawn, how raters waver, which raters judged (or what
        gold leaves of that).
    df
        Degrees of freedom of the last one; the others have plenty.
    severities
        Variance that the noise of the severities adds to what is measured of the raters; None where
        ``raters`` is not measured of them.
    """

    documents: float
    noise: float
    raters: float
    df: float
    df_documents: float
    severities: float | None = None

    @property
    def variance(self) -> float:
        """Sum."""
        return self.documents + self.noise + self.raters

    def width(self, confidence: float = 0.95) -> float:
        """Expected length of the interval, from its low end to its high end."""
        variance = self.variance
        if not math.isfinite(variance) or variance <= 0:
            return float(np.nan_to_num(variance, posinf=np.inf))
        measured = None if self.severities is None else self.raters + self.severities
        drawn = Part(self.documents + self.noise, self.df_documents)
        return 2 * half_length([drawn, Part(self.raters, self.df, measured)], confidence)


def expected_precision(of: Components, design: Design, *, whose: Whose = "others") -> Precision:
    """Variance to expect of `ocrjury.estimation.rated_mean`.

    Notes
    -----
    V = (1 - n/N) S^2 (1 - R^2) / n + s_e^2 / (n m) + s_r^2 / M (Brennan 2001, Generalizability
    Theory, chapter 4, with the first term of Sarndal, Swensson and Wretman 1992, chapter 6). With
    gold the last term becomes s_e^2 / (g M), the error of the level that gold shows, or what is
    expected of it where raters meet different items; gold that is too little to correct is none.
    One rater without gold tells nothing about others: infinite. Under 30 items R^2 is taken as 0.
    With severities near 0, real intervals are now and then longer, because a few raters may differ
    by chance.
    """
    n, raters = design.items, of.n_raters
    left = 1 - min(n / of.population, 1.0)
    saved = of.r_squared if n >= _ITEMS_FOR_AUXILIARIES else min(of.r_squared, 0.0)
    draws = n / of.together
    documents = left * of.score_sd**2 * (1 - saved) / draws
    noise = of.noise_sd**2 * design.noise_factor(raters) / n
    severity, df = of.rater_sd**2 / raters, float(max(raters - 1, 1))
    severities: float | None = None
    met, noise_of_gold = _gold_met(design, raters)
    if whose == "these":
        severity = 0.0
    elif met >= LEAST_TO_CORRECT:
        severity, df = _level_error(of, met, of.noise_sd**2 * noise_of_gold)
    elif raters == 1:
        severity = np.inf
    elif design.double_rated:
        more = max(design.raters_per_item - 1, 1) * design.double_rated
        severities = of.noise_sd**2 * (raters - 1) / (more * raters)
    else:  # then raters differ by their items too
        severities = (of.score_sd**2 * (1 - saved) + of.noise_sd**2) / n
    return Precision(documents, noise, severity, df, float(max(draws - 1, 1)), severities)


def _level_error(of: Components, met: float, noise: float) -> tuple[float, float]:
    """Variance of the level that gold shows, and its degrees of freedom.

    That of a share is as in `ocrjury.estimation.gold.level_of_share`.
    """
    if of.gold_sd is None:
        return noise / met, met - 1
    return (met * (of.gold_sd**2 + noise) + 1) / (met + 2) ** 2, met + 1


def _gold_met(design: Design, raters: int) -> tuple[float, float]:
    """Number of gold items that somebody meets, and the mean of one over their ratings."""
    if not design.gold_items:
        return 0.0, 1.0
    different = max(design.different_gold or 0.0, design.gold_items)
    if different == design.gold_items:
        return float(different), 1 / raters  # every rater meets them all
    share = design.gold_items / different
    chances = [
        math.comb(raters, m) * share**m * (1 - share) ** (raters - m) for m in range(1, raters + 1)
    ]
    somebody = sum(chances)
    inverse = sum(chance / m for m, chance in enumerate(chances, start=1))
    return different * somebody, inverse / somebody


def _joint(cut: float, correlation: float) -> float:
    """Chance that two standard normal variables are both below a cut."""
    if correlation <= 0:
        return float(ndtr(cut)) ** 2
    bounded = min(correlation, 1.0)
    slope = math.sqrt((1 - bounded) / (1 + bounded))
    return float(ndtr(cut) - 2 * owens_t(cut, slope))  # Owen (1956), Ann. Math. Statist. 27
