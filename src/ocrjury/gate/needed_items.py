"""Number of further items that would bring a PASS with a stated chance."""

import math
from statistics import NormalDist

from scipy.special import stdtrit

from ocrjury.estimate import Estimate
from ocrjury.gate.looks import Looks
from ocrjury.gate.policy import GatePolicy
from ocrjury.gate.reading import Reading

_ENDLESS = 1_000_000_000  # more items than anybody could rate


def normal_quantile(probability: float) -> float:
    """Distance of a one-sided bound in standard errors."""
    return NormalDist().inv_cdf(probability)


def bound_quantile(estimate: Estimate, confidence: float, *, grown: float = 1.0) -> float:
    """Distance of a one-sided bound on an estimate in standard errors.

    Few clusters know their standard error badly, so theirs is Student's with one degree of freedom
    less than clusters of one weight that tell as much. ``grown`` is the number of items to come in
    all over that of now; clusters grow with them.
    """
    if estimate.n_clusters is None:
        return normal_quantile(confidence)
    return float(stdtrit(max(grown * estimate.effective_draws - 1, 1.0), confidence))


def unseen_share(n_draws: float, confidence: float) -> float:
    """Largest share of draws with a property, compatible with none among n draws."""
    return 1 - math.pow(1 - confidence, 1 / max(n_draws, 1))


def missing_items(reading: Reading, policy: GatePolicy) -> int | None:
    """Number of items missing to the minimum, None if none are missing."""
    missing = policy.min_items - reading.estimate.n_items
    return missing if missing > 0 else None


def needed_items(reading: Reading, policy: GatePolicy, looks: Looks) -> int | None:
    """Number of further items on which the bound would reach the floor with the policy's chance.

    The chance is that of raters whose true agreement is the value found: the new items vary, and
    with them the value. The bound is that of the next look, which needs more confidence.
    """
    n, value = reading.estimate.n_items, reading.estimate.value
    if value <= reading.floor or math.isinf(reading.lower):
        return missing_items(reading, policy)
    confidence, total = reading.confidence, n
    for _ in range(2):  # the confidence depends on the number of items, and hardly
        solve = _total_without_disagreement if value >= 1 else _total
        total = solve(reading, confidence, policy.chance)
        confidence = looks.next_confidence(max(total, n))
    return max(total - n, policy.min_items - n, 1)


def _total(reading: Reading, confidence: float, chance: float) -> int:
    """Items in all, so that the bound reaches the floor with a chance.

    Disagreements are counts. A count k has the relative error 1 / sqrt(k), which is that of the
    disagreement found; its standard error goes with the root of k, and so has half of it.
    """
    n, value, floor = reading.estimate.n_items, reading.estimate.value, reading.floor
    error = reading.estimate.se * math.sqrt(n)  # of one item
    at_floor = error * math.sqrt((1 - floor) / (1 - value))  # at one standard error
    doubt = reading.estimate.se / (1 - value) / 2  # of the standard error, relative to it
    luck = normal_quantile(chance)

    def reaches(total: int) -> bool:
        quantile = bound_quantile(reading.estimate, confidence, grown=total / n)
        width = quantile * at_floor / math.sqrt(total)
        spread = math.hypot(error * math.sqrt(total - n) / total, doubt * width)
        return value - floor >= width + luck * spread

    # The reach rises at first, while new items bring more chance than certainty, and then falls.
    low, high = n, 2 * n
    while not reaches(high) and high < _ENDLESS:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def _total_without_disagreement(reading: Reading, confidence: float, _chance: float) -> int:
    """Items in all if none of them divides the raters: nothing varies.

    Draws count: items, or clusters with as many items each as now, of weights as unequal as now.
    """
    draws = reading.estimate.effective_draws
    room = (1 - reading.floor) / (1 - reading.lower)
    least = unseen_share(draws, reading.confidence) * room
    total = math.log(1 - confidence) / math.log1p(-least)
    return math.ceil(total * reading.estimate.n_items / draws)
