"""Agreement of the raters on one dimension, and the items on which they disagree."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ocrjury.estimate import Estimate, Resampling
from ocrjury.findings.confusions import Confusion, LevelPair
from ocrjury.findings.judges import SeatTest
from ocrjury.findings.record import UNKNOWN, Measured, Number, Record, Sentence


@dataclass(frozen=True, slots=True)
class PairKappa(Record):
    """Agreement of two raters on the items both rated."""

    rater_a: str
    rater_b: str
    estimate: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSpread(Record):
    """Spread of the kappas of all pairs.

    ``n`` pairs have a kappa, ``undefined`` have too few items in common or do not vary.
    """

    n: int
    undefined: int
    mean: Number
    sd: Number
    min: Number
    median: Number
    max: Number


@dataclass(frozen=True, slots=True)
class PairKappas(Record):
    """The kappa of every pair of raters, with the weights ``none``, ``linear`` or ``quadratic``."""

    weights: str
    rows: tuple[PairKappa, ...]
    spread: PairSpread

    @property
    def statistic(self) -> str:
        """Key of the kappa in `ocrjury.statistics.STATISTICS`."""
        return "cohen_kappa" if self.weights == "none" else f"cohen_kappa_{self.weights}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSpread(Record):
    """Ratings of one item that lie far apart.

    On a nominal scale ``range`` is the number of distinct values minus one, and nothing has a
    lowest, highest or mean.
    """

    item: str
    n_ratings: int
    lowest: Number
    highest: Number
    mean: Number
    range: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreements(Record):
    """Items whose ratings lie ``threshold`` or more apart.

    ``n`` of ``n_items`` with two or more ratings are ``rate``; ``share`` is the same with the
    weights of the items, and its interval. ``rows`` are the widest of them, widest first.
    """

    threshold: Number
    n_items: int
    n: int
    rate: Number
    share: Measured = UNKNOWN
    rows: tuple[ItemSpread, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern(Record):
    """A usual sign of trouble, as `ocrjury.agreement.find_problem_patterns` words it."""

    kind: str
    subjects: tuple[str, ...]
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Suggestion(Record):
    """A remedy, as `ocrjury.agreement.suggest_improvements` words it."""

    kind: str
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class JudgeAgreement(Record):
    """Agreement of an automatic judge with the raters (A^HA).

    ``ceiling`` is the agreement of the raters with each other on the same items (A^HH), ``seat``
    the test whether the judge may take a rater's seat, None where raters have no names.
    """

    judge: str
    alignment: Measured
    ceiling: Measured
    seat: SeatTest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(Record):
    """One rater's ratings on one dimension; ``nan`` where a scale has no numbers.

    ``mean`` is that of plain ratings, with an interval over items; ``rank`` is 1 for the strictest;
    ``skew`` and ``kurtosis`` (excess) are moment ratios, ``sd`` divides by n - 1; ``counts`` are
    ratings per level of the scale.
    """

    rater: str
    rank: int | None
    count: int
    mean: Measured
    sd: Number
    median: Number
    skew: Number
    kurtosis: Number
    low: Number
    high: Number
    severity: Measured
    counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrevalenceIndices(Record):
    """Indices of two raters on a binary scale, as `ocrjury.agreement.prevalence` defines them."""

    prevalence_index: Number
    bias_index: Number
    pabak: Number
    positive_agreement: Number
    negative_agreement: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants(Record):
    """The coefficients in every form that the scale bears.

    ``estimates`` are coefficients beside those of `ocrjury.agreement.measure_agreement`; ``alpha``
    goes by level, ``icc`` by form, ``weighted`` by weights and statistic.
    """

    estimates: Mapping[str, Measured]
    alpha: Mapping[str, Measured]
    icc: Mapping[str, Measured]
    weighted: Mapping[str, Mapping[str, Measured]]
    pairs: tuple[PairKappas, ...]
    prevalence: PrevalenceIndices | None
    plain_mean: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementFinding(Record):
    """Agreement on one dimension, as measured.

    Attributes
    ----------
    estimates
        What `ocrjury.agreement.measure_agreement` returned, by the keys of
        `ocrjury.statistics.STATISTICS`.
    ci
        How their intervals were made; None: by published standard errors alone.
    pairs
        Kappas of all pairs of raters, quadratic on a Likert scale; None on a continuous one.
    item_means
        Number of items by the category to which their mean rounds; empty where categories have no
        order.
    profiles
        Of every rater, the strictest first.
    confusions
        Of the raters who differ most from colleagues, on a scale of few levels.
    level_pairs
        Of the pairs that agree least, on a scale of few levels.
    """

    dimension: str
    n_items: int
    n_raters: int
    n_ratings: int
    estimates: Mapping[str, Measured]
    disagreements: Disagreements
    ci: Resampling | None = "jackknife"
    pairs: PairKappas | None = None
    patterns: tuple[Pattern, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    item_means: tuple[int, ...] = ()
    profiles: tuple[Profile, ...] = ()
    judges: tuple[JudgeAgreement, ...] = ()
    confusions: tuple[Confusion, ...] = ()
    level_pairs: tuple[LevelPair, ...] = ()
    variants: Variants | None = None

    @property
    def n_clusters(self) -> int | None:
        """Clusters of the items with two or more ratings, None where each was drawn by itself."""
        return next((estimate.n_clusters for estimate in self.estimates.values()), None)

    @property
    def complete(self) -> bool:
        """Whether every rater rated every item."""
        return self.n_ratings == self.n_items * self.n_raters

    def get(self, statistic: str) -> Estimate:
        """Estimate of a statistic; undefined if it was not computed."""
        return self.estimates.get(statistic, UNKNOWN)


class DividedItem(NamedTuple):
    """An item on which raters lie far apart, and how far on each of these dimensions."""

    item: str
    ranges: Mapping[str, float]
    lengths: Mapping[str, float]

    @property
    def relative(self) -> dict[str, float]:
        """Ranges by dimension, in lengths of its scale where scales differ; at most 1 of names."""
        if not self.lengths:
            return dict(self.ranges)
        return {
            name: min(own / self.lengths.get(name, 1.0), 1.0) for name, own in self.ranges.items()
        }

    @property
    def widest(self) -> float:
        """Largest of its ranges, as a length of the scale where scales differ."""
        return max(self.relative.values())


def divided_items(
    findings: Iterable[AgreementFinding], *, lengths: Mapping[str, float] | None = None
) -> list[DividedItem]:
    """Items that divide raters most, the widest first.

    Among equals the item with the larger sum of ranges comes first, then the name decides.

    Parameters
    ----------
    lengths
        Of the scale of each dimension, where they differ; None or empty: ranges are compared as
        they are.
    """
    ranges: dict[str, dict[str, float]] = {}
    for finding in findings:
        for row in finding.disagreements.rows:
            ranges.setdefault(row.item, {})[finding.dimension] = row.range
    items = [DividedItem(item, of, lengths or {}) for item, of in ranges.items()]
    return sorted(items, key=lambda item: (-item.widest, -sum(item.relative.values()), item.item))
