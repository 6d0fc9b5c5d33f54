"""Cover of a report: its outcome, the gate's verdict, and the headline if shown."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from ocrjury.findings.record import Measured, Number, Record
from ocrjury.gate.verdict import Decision
from ocrjury.language import Phrase, phrase

Word = Literal["MET", "NOT MET", "NOT SHOWN"]
WORDS: Final[Mapping[str, Phrase]] = {
    "MET": phrase("MET"),
    "NOT MET": phrase("NOT MET"),
    "NOT SHOWN": phrase("NOT SHOWN"),
}
"""Outcomes in print, in the reader's language; programs read the keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHeadline(Record):
    """The number on the cover, which the gate lets everybody see.

    ``caption`` says what it counts. ``share_at_least`` is the level of a share, ``nan`` for a mean;
    ``low`` and ``high`` bound what is possible, and ``target`` is ``nan`` without a target.
    ``uncorrected`` is the number without gold, None where gold corrected nothing.
    """

    dimension: str
    caption: str
    estimate: Measured
    low: Number
    high: Number
    share_at_least: Number = math.nan
    target: Number = math.nan
    uncorrected: Measured | None = None

    @property
    def is_share(self) -> bool:
        """Whether the number is a share between 0 and 1."""
        return not math.isnan(self.share_at_least)

    @property
    def subject(self) -> tuple[str, str, float, float]:
        """Subject of the number and its scale; numbers of one subject can be compared."""
        return self.dimension, str(self.share_at_least), self.low, self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover(Record):
    """The cover of a report, as it was when the report was written.

    ``word`` is the outcome of the campaign's target, None without one; ``sentence`` says it as a
    headline and ``reason`` why. Without a ``headline``, ``withheld`` is the sentence that says why
    none is shown. No text of a document is in it.
    """

    title: str
    simulated: bool
    verdict: Decision
    word: Word | None
    sentence: str
    reason: str
    headline: ShownHeadline | None = None
    withheld: str | None = None

    @property
    def words(self) -> frozenset[str]:
        """The verdict, and the outcome if there is a target."""
        return frozenset({self.verdict} if self.word is None else {self.verdict, self.word})
