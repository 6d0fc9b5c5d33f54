"""Record of a pool with which later evaluations are compared."""

from dataclasses import dataclass
from typing import NamedTuple

from ocrjury.findings.record import Number, Record


class Fingerprints(NamedTuple):
    """Hashes of what an evaluation judged; None where one is unknown.

    Attributes
    ----------
    pool
        Of the scored pool.
    outputs
        Of the pool's texts, whatever their order and scores.
    ratings
        Of who gave which document what in first passes.
    """

    pool: str | None
    outputs: str | None
    ratings: str | None

    def without_outputs(self) -> "Fingerprints":
        """Hashes as of an evaluation whose texts are unknown."""
        return self._replace(outputs=None)

    def repeat(self, other: "Fingerprints") -> bool:
        """Return whether pool, outputs or ratings are equal, so that no difference is the pool's.

        Examples
        --------
        >>> first = Fingerprints("pool-1", "texts-1", "ratings-1")
        >>> first.repeat(Fingerprints("pool-2", "texts-1", "ratings-2"))
        True
        >>> first.repeat(Fingerprints("pool-2", None, "ratings-2"))
        False
        """
        return any(own is not None and own == of for own, of in zip(self, other, strict=True))


COMPARABLE = "comparable"
"""Kind of a `Comparable` among the results."""


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
    outputs
        Hash of the pool's texts; None if they were removed before it was taken.
    """

    given: str
    samples: tuple[KeptSample, ...]
    sample_of: dict[str, int]
    judged: dict[str, dict[str, KeptScores]]
    outputs: str | None
