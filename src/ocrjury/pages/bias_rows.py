"""Tests for bias in a table: one row for each kind of test, also where none could be made."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from ocrjury.bias.findings import (
    CORRELATION,
    DISTANCE_PER_SESSION,
    POINTS,
    POINTS_PER_POINT,
    POINTS_PER_SESSION,
    RUN,
    SLOPE_RATIO,
    SPREAD_RATIO,
    BiasFinding,
    Kind,
)
from ocrjury.bias.phrases import KIND_NAMES, LEVELS, behaviour
from ocrjury.estimate import Estimate, reason_words
from ocrjury.language import counted, phrase, tr
from ocrjury.pages.numbers import (
    NOTHING,
    clauses,
    decimal,
    has_interval,
    interval_text,
    range_text,
    signed,
)


class Effect(NamedTuple):
    """Meaning of an effect, its unit in the width of a column, and its test's own name, if any."""

    meaning: str
    unit: str
    name: str | None = None


EFFECTS: Final[Mapping[str, Effect]] = {
    POINTS: Effect(phrase("points from colleagues on the same items"), phrase("points")),
    CORRELATION: Effect(
        phrase("correlation of what is left between dimensions"), phrase("correlation")
    ),
    POINTS_PER_POINT: Effect(
        phrase("points for each point of the previous rating"), phrase("points per point")
    ),
    POINTS_PER_SESSION: Effect(
        phrase("points from the start of a session to its end"), phrase("points per session")
    ),
    DISTANCE_PER_SESSION: Effect(
        phrase("points farther from colleagues, from the start of a session to its end"),
        phrase("points per session"),
        phrase("Fatigue"),
    ),
    SLOPE_RATIO: Effect(
        phrase("spread of the items compared with colleagues, 1 if equal"), phrase("ratio")
    ),
    SPREAD_RATIO: Effect(
        phrase("standard deviation compared with colleagues, 1 if equal"), phrase("ratio")
    ),
    RUN: Effect(
        phrase(
            "identical answers in a row, the longest run (interval: what chance does not explain)"
        ),
        phrase("answers"),
        phrase("Straight-lining"),
    ),
}
"""Effects by the unit of their findings."""
_WHY: Final = {"no_variation": phrase("too little varies")}
"""Reasons in other words: ratings, or items, or the order of both do not vary."""


@dataclass(frozen=True, slots=True)
class BiasRow:
    """The tests of one kind on one dimension (None: all), on all raters together or on each.

    ``standing`` counts what stands after adjusting for the tests of all kinds together.
    ``strongest`` is the finding that is least likely to be chance, None where nothing was tested.
    ``reasons`` counts why the others could not be.
    """

    kind: Kind
    dimension: str | None
    unit: str
    together: bool
    tested: int
    flagged: int
    standing: int
    strongest: BiasFinding | None
    reasons: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """Bias as people call it."""
        return _name(self.kind, self.unit)

    @property
    def words(self) -> Effect:
        """Meaning and unit of the effect."""
        return EFFECTS.get(self.unit, Effect(self.unit, self.unit))

    @property
    def effect(self) -> str:
        """Strongest effect with the rater it is of."""
        if self.strongest is None:
            return NOTHING
        who = "" if self.together else f"{self.strongest.rater} "
        return f"{who}{effect_text(self.strongest)}"

    @property
    def interval(self) -> str:
        """Interval of the strongest effect."""
        return NOTHING if self.strongest is None else effect_interval(self.strongest)

    @property
    def p_value(self) -> str:
        """Adjusted p of the strongest effect."""
        return NOTHING if self.strongest is None else p_text(self.strongest.p_adjusted)

    @property
    def level(self) -> str:
        """Size of the strongest effect in a word."""
        level = self.strongest and self.strongest.level
        return LEVELS[level] if level else NOTHING

    @property
    def outcome(self) -> str:
        """Outcome of the tests."""
        unknown = sum(number for _, number in self.reasons)
        why = clauses(why_untested(reason) for reason, _ in self.reasons)
        if not self.tested:
            return tr("cannot be told: {why}", why=why)
        outcome = _found(self)
        if not unknown:
            return outcome
        return tr("{found}; cannot be told on {n}: {why}", found=outcome, n=unknown, why=why)


def bias_rows(findings: Iterable[BiasFinding]) -> tuple[BiasRow, ...]:
    """One row for each kind of test, in the order of the findings.

    Examples
    --------
    >>> one = BiasFinding("severity", "R01", "meaning", -0.4, POINTS, p_adjusted=0.01, flagged=True)
    >>> two = BiasFinding("severity", "R02", "meaning", 0.1, POINTS, p_adjusted=0.8)
    >>> [(row.effect, row.outcome) for row in bias_rows([one, two])]
    [('R01 −0.40', 'found on 1 of 2 raters: R01 rates lower than colleagues')]
    """
    groups: dict[tuple[Kind, str | None, str, bool], list[BiasFinding]] = {}
    for finding in findings:
        key = (finding.kind, finding.dimension, finding.unit, finding.rater is None)
        groups.setdefault(key, []).append(finding)
    return tuple(_row(key, group) for key, group in groups.items())


def bias_name(finding: BiasFinding) -> str:
    """Bias that a test looks for, as people call it.

    Examples
    --------
    >>> bias_name(BiasFinding("range_restriction", "R06", None, 40.0, RUN))
    'Straight-lining'
    """
    return _name(finding.kind, finding.unit)


def effect_text(finding: BiasFinding) -> str:
    """Size of an effect.

    Examples
    --------
    >>> effect_text(BiasFinding("halo", None, None, 0.271, CORRELATION))
    '+0.27'
    >>> effect_text(BiasFinding("range_restriction", "R06", None, 40.0, RUN))
    '40'
    """
    if finding.unit == RUN:
        return decimal(finding.effect, 0)
    ratio = finding.unit in {SLOPE_RATIO, SPREAD_RATIO}
    return decimal(finding.effect) if ratio else signed(finding.effect)


def effect_interval(finding: BiasFinding) -> str:
    """Interval of an effect, a dash where it has none.

    Examples
    --------
    >>> effect_interval(BiasFinding("halo", None, None, 0.271, CORRELATION, 0.1, 0.4))
    '0.10 to 0.40'
    """
    estimate = Estimate(finding.effect, finding.low, finding.high)
    if not has_interval(estimate):
        return NOTHING
    if finding.unit == RUN:
        return range_text(decimal(estimate.low, 0), decimal(estimate.high, 0))
    return interval_text(estimate)


def p_text(p: float) -> str:
    """A p-value as people read it.

    Examples
    --------
    >>> p_text(0.0384), p_text(0.0002), p_text(float("nan"))
    ('0.038', '< 0.001', '—')
    """
    return "< 0.001" if p < 0.001 else decimal(p, 3)


def _name(kind: Kind, unit: str) -> str:
    named = EFFECTS.get(unit)
    return (named and named.name) or KIND_NAMES[kind]


def _row(key: tuple[Kind, str | None, str, bool], group: list[BiasFinding]) -> BiasRow:
    """Row of the tests that ask the same."""
    tested = [finding for finding in group if finding.status == "tested"]
    reasons = Counter(str(finding.reason) for finding in group if finding.status != "tested")
    return BiasRow(
        *key,
        tested=len(tested),
        flagged=sum(finding.flagged for finding in tested),
        standing=sum(finding.flagged and finding.flagged_overall for finding in tested),
        strongest=min(tested, key=_by_chance, default=None),
        reasons=tuple(reasons.items()),
    )


def _by_chance(finding: BiasFinding) -> tuple[float, float]:
    """Sort key of findings: those least likely to be chance first."""
    p = finding.p_adjusted
    return (2.0 if math.isnan(p) else p, -abs(finding.effect))


def _found(row: BiasRow) -> str:
    """Number of raters on whom the test found something, and the strongest's behaviour."""
    strongest, raters = row.strongest, counted(row.tested, "rater")
    if not row.flagged or strongest is None:
        return tr("not found") if row.together else tr("not found ({raters})", raters=raters)
    does = behaviour(strongest.unit, strongest.effect)
    if row.together:
        return tr("found: the average rater {does}", does=does)
    return tr(
        "found on {flagged} of {raters}: {rater} {does}",
        flagged=row.flagged,
        raters=raters,
        rater=strongest.rater,
        does=does,
    )


def why_untested(reason: str) -> str:
    """Words for why a test could not be made."""
    return _WHY.get(reason) or reason_words(reason)
