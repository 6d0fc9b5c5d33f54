"""Worth of automatic judges: whether one may take a rater's seat, its bias and drift."""

from dataclasses import dataclass

from ocrjury.estimate import reason_words
from ocrjury.findings.record import Number, Record, Sentence
from ocrjury.findings.trend import TrendRow
from ocrjury.language import Phrase, counted, phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat(Record):
    """A judge in the seat of one rater, as `ocrjury.agreement.SeatComparison` says."""

    rater: str
    n_items: int
    judge_wins: Number
    rater_wins: Number
    p_value: Number
    replaceable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTest(Record):
    """Result of `ocrjury.agreement.judge_replacement`.

    ``passes`` is None where that cannot be told, for a ``reason``.
    """

    passes: bool | None
    winning_rate: Number
    advantage: Number
    allowance: Number
    error: Number
    seats: tuple[Seat, ...] = ()
    left_out: tuple[str, ...] = ()
    reason: str | None = None
    warnings: tuple[Sentence, ...] = ()

    @property
    def words(self) -> Phrase:
        """Answer in a few words.

        Examples
        --------
        >>> empty = {"winning_rate": float("nan"), "advantage": float("nan")}
        >>> SeatTest(passes=None, **empty, allowance=0.1, error=0.05, reason="no_items").words
        'not known: no items were rated'
        """
        if self.passes is None:
            return phrase("not known: {reason}", reason=reason_words(self.reason))
        replaced = sum(seat.replaceable for seat in self.seats)
        raters = counted(len(self.seats), "rater")
        if self.passes:
            return phrase("yes: of {replaced} of {raters}", replaced=replaced, raters=raters)
        return phrase("no: of {replaced} of {raters}", replaced=replaced, raters=raters)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBias(Record):
    """Bias of one judge over evaluations, the oldest first and this one last.

    ``mean`` of a row is the pool's mean of judge less rater, ``change`` that since the row before:
    its drift.
    """

    judge: str
    rows: tuple[TrendRow, ...]

    @property
    def newest(self) -> TrendRow:
        """Row of the evaluation itself."""
        return self.rows[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeBiases(Record):
    """Biases of all judges of one dimension."""

    dimension: str
    judges: tuple[JudgeBias, ...]
