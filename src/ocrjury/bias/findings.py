"""Result of a test for bias, and the bands for its size."""

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, get_args

Kind = Literal["severity", "halo", "anchoring", "order", "central_tendency", "range_restriction"]
Level = Literal["low", "medium", "high"]
Status = Literal["tested", "not_identifiable"]
Reason = Literal[
    "no_items",
    "fewer_than_two_raters",
    "fewer_than_three_raters",
    "fewer_than_two_dimensions",
    "no_pairable_items",
    "too_few_items",
    "too_few_common_items",
    "too_few_ratings",
    "fewer_than_two_draws",
    "not_connected",
    "no_order",
    "same_order",
    "no_variation",
    "no_disagreement",
    "no_agreement",
    "scale_mismatch",
]

KINDS: tuple[Kind, ...] = get_args(Kind)
ALPHA = 0.05

POINTS = "points"
CORRELATION = "residual correlation"
POINTS_PER_POINT = "points per point"
POINTS_PER_SESSION = "points per session"
DISTANCE_PER_SESSION = "points of distance per session"
SLOPE_RATIO = "ratio of slopes"
SPREAD_RATIO = "ratio of standard deviations"
RUN = "identical answers in a row"

# An effect below the first bound is low, below the second medium. Points are those of a five-point
# scale. The reference text gives the bands of halo and anchoring; its bands of severity, .5 and 1,
# are for the range of all raters, and one rater's distance from the mean is half of that.
BANDS: dict[str, tuple[float, float]] = {
    POINTS: (0.25, 0.5),
    CORRELATION: (0.3, 0.6),
    POINTS_PER_POINT: (0.3, 0.6),
    POINTS_PER_SESSION: (0.25, 0.5),
    DISTANCE_PER_SESSION: (0.1, 0.2),  # errors twice and three times as large at the end
    SLOPE_RATIO: (0.2, 0.4),  # distance from 1
    SPREAD_RATIO: (0.2, 0.4),  # distance from 1
    RUN: (1.0, 2.0),  # excess over the expected run, in expected runs
}

_IN_POINTS = {POINTS, POINTS_PER_SESSION, DISTANCE_PER_SESSION}


@dataclass(frozen=True, slots=True)
class BiasFinding:
    """Result of one test for one bias.

    Attributes
    ----------
    kind
        Kind of bias.
    rater
        The rater's id, None for all raters together.
    dimension
        None for all dimensions together.
    effect
        Size of the effect in ``unit``; ``nan`` where it was not tested.
    unit
        ``"points"`` of the scale (below 0 is stricter), ``"residual correlation"`` between
        dimensions, ``"points per point"`` of the previous rating (above 0 is assimilation, below
        0 contrast), ``"points per session"`` from its start to its end, ``"points of distance per
        session"`` from colleagues (above 0 the rater becomes less careful), ``"ratio of slopes"``
        (below 1 is central tendency, above 1 extremity), ``"ratio of standard deviations"``
        (below 1 is a restricted range), or ``"identical answers in a row"``, the longest run.
    low, high
        Its 95 % confidence interval; ``nan`` where it was not tested. That of the longest run is
        of the answers in it that were given whatever the item was.
    p_value, p_adjusted
        P-value before and after adjustment for all tests of the same kind.
    p_overall
        P-value adjusted for all tests of all kinds.
    flagged, flagged_overall
        Whether ``p_adjusted``, and ``p_overall``, is at most `ALPHA`.
    level
        Size of the effect in words, whether flagged or not; None where it was not tested.
    status
        ``"not_identifiable"`` where the data do not allow the test, for the given ``reason``.
    """

    kind: Kind
    rater: Any  # ids stay as they were given
    dimension: str | None
    effect: float
    unit: str
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan
    p_adjusted: float = math.nan
    p_overall: float = math.nan
    flagged: bool = False
    level: Level | None = None
    status: Status = "tested"
    reason: Reason | None = None

    @property
    def flagged_overall(self) -> bool:
        """Whether the finding stands after adjustment for all tests of all kinds."""
        return self.p_overall <= ALPHA

    def to_json(self) -> dict[str, object]:
        """Plain values; ``nan`` becomes None."""
        return {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> Self:
        """Finding from the values that `to_json` wrote."""
        numbers = ("effect", "low", "high", "p_value", "p_adjusted", "p_overall")
        return cls(**body | {name: math.nan for name in numbers if body[name] is None})


def not_identifiable(
    kind: Kind, reason: Reason, *, unit: str, rater: Any = None, dimension: str | None = None
) -> BiasFinding:
    """Finding for a test that the data do not allow."""
    return BiasFinding(
        kind, rater, dimension, math.nan, unit, status="not_identifiable", reason=reason
    )


def level_of(unit: str, size: float, *, point: float = 1.0) -> Level | None:
    """Size of an effect in words.

    Parameters
    ----------
    size
        Distance from no effect.
    point
        Length of one point of a five-point scale on the scale used.

    Examples
    --------
    >>> level_of("points", -0.3), level_of("points", 30, point=25)
    ('medium', 'high')
    """
    if math.isnan(size):
        return None
    unit_length = point if unit in _IN_POINTS else 1.0
    medium, high = (bound * unit_length for bound in BANDS[unit])
    if abs(size) < medium:
        return "low"
    return "medium" if abs(size) < high else "high"
