"""The automatic metrics: their names, units and directions.

The one table of them: summaries, findings, reports and export read it; `ocrjury.text.metrics`
computes them. It imports little.
"""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Final, Literal

from ocrjury.language import phrase


@dataclass(frozen=True, slots=True)
class Metric:
    """One automatic metric.

    Attributes
    ----------
    label
        Its usual name, often an abbreviation.
    stands_for
        What the abbreviation stands for, empty where it is none.
    short
        In a chart, where the label is too long for it.
    definition
        What it is of one document, where its names do not say it.
    error_rate
        Whether it is worse the higher it is.
    unit
        "share", printed as a percentage; "0 or 1" of a document, whose mean is a share; "0 to 1",
        which is no share of anything and printed as a decimal number.
    """

    label: str
    stands_for: str = ""
    _: KW_ONLY
    short: str = ""
    definition: str = ""
    error_rate: bool = False
    unit: Literal["share", "0 or 1", "0 to 1"] = "share"

    @property
    def title(self) -> str:
        """Name at the head of a row, with what an abbreviation stands for."""
        if not self.stands_for:
            return self.label
        return phrase("{name} ({abbreviation})", name=self.stands_for, abbreviation=self.label)

    @property
    def short_label(self) -> str:
        """Name in a chart."""
        return self.short or self.label

    @property
    def is_share(self) -> bool:
        """Whether it is printed as a percentage."""
        return self.unit != "0 to 1"


_error = partial(Metric, error_rate=True)

METRICS: Final[Mapping[str, Metric]] = {
    "cer": _error("CER", phrase("Character error rate")),
    "cer_nospace": _error(
        phrase("CER without spaces"), definition="character error rate without spaces"
    ),
    "cer_normalized": _error(phrase("CER, normalised")),
    "wer": _error("WER", phrase("Word error rate")),
    "wer_bag": _error(phrase("WER, any order")),
    "wer_uax29": _error(phrase("WER, Unicode words")),
    "mer": _error(phrase("Match error rate")),
    "wil": _error(phrase("Word information lost")),
    "wip": Metric(phrase("Word information preserved")),
    "ned": _error("NED", phrase("Normalised edit distance")),
    "nacc": Metric("1 − NED", definition="1 less the normalised edit distance"),
    "bleu": Metric("BLEU", unit="0 to 1"),
    "char_precision": Metric(
        phrase("Character precision"),
        definition="share of the output's characters that are in the reference",
    ),
    "char_recall": Metric(
        phrase("Character recall"),
        definition="share of the reference's characters that are in the output",
    ),
    "char_f1": Metric(phrase("Character F1"), short="F1", definition="harmonic mean of the two"),
    "exact_match": Metric(
        phrase("Exact match"),
        short=phrase("Exact"),
        definition="1 if the output is the reference, else 0",
        unit="0 or 1",
    ),
}
RANKED: Final = ("cer", "cer_nospace", "wer", "ned", "bleu", "char_f1", "exact_match")
"""Metrics that are compared with ratings."""
COMPARED: Final = tuple(key for key in RANKED if key != "cer_nospace")
"""Metrics that are compared with each other, and between evaluations."""


def metric(key: str) -> Metric:
    """Entry of a metric."""
    return METRICS[key]


def shown_metrics(keys: Iterable[str] = METRICS, *, long: bool) -> tuple[str, ...]:
    """Metrics that people read, in their order; ``long`` texts are never all right."""
    return tuple(key for key in keys if not (long and key == "exact_match"))
