"""What later evaluations need of an evaluation's pool to be compared with it."""

from dataclasses import dataclass

from ocrjury.findings.record import Number, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSample(Record):
    """Sampled items that count on a dimension, with what is known of them and of their pool.

    Attributes
    ----------
    items
        n names.
    probability
        Inclusion probabilities, shape (n,).
    auxiliary, pool_mean
        Auxiliaries of the items, shape (n, p), and their means over the pool, shape (p,).
    """

    items: tuple[str, ...]
    probability: tuple[Number, ...]
    auxiliary: tuple[tuple[Number, ...], ...]
    pool_mean: tuple[Number, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptScores(Record):
    """A judge's scores of rated documents, by item, and the sample of those it scored."""

    scores: dict[str, Number]
    sample: KeptSample


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparable(Record):
    """One evaluation, as later ones are compared with it.

    Attributes
    ----------
    given
        Hash of who gave which document what in first passes: two evaluations with the same are one.
    samples, sample_of
        Different samples, and the place of each dimension's among them.
    judged
        By dimension and judge.
    """

    given: str
    samples: tuple[KeptSample, ...]
    sample_of: dict[str, int]
    judged: dict[str, dict[str, KeptScores]]
