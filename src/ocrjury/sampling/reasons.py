"""Reasons for which a rule of the risk prefers some documents to others."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

ReasonKind = Literal["cer", "confidence", "cer and confidence", "judge", "near", "spread"]


class Reason(NamedTuple):
    """One reason to draw a document more often.

    ``cer``: a high CER; ``confidence``: a low one; ``cer and confidence``: the first, or the second
    without a reference; ``judge``: a low ``score``; ``near``: a ``score`` close to ``threshold``;
    ``spread``: an outcome that varied among such documents.
    """

    kind: ReasonKind
    score: str | None = None
    threshold: float = math.nan

    def __str__(self) -> str:
        """Words of the rule that has this reason alone."""
        if self.kind == "judge":
            return f"judge {self.score}"
        if self.kind == "near":
            return f"{self.score} close to {self.threshold:g}"
        return "expected spread" if self.kind == "spread" else self.kind


def rule_of(reasons: Sequence[Reason]) -> str:
    """Rule with some reasons, in words.

    Examples
    --------
    >>> rule_of([Reason("cer"), Reason("near", "wer", 0.05)]), rule_of([])
    ('cer or wer close to 0.05', 'none')
    """
    return " or ".join(map(str, reasons)) or "none"
