"""The number on a report's cover, for those who read no report."""

from ocrjury.findings.cover import ShownHeadline
from ocrjury.language import tr
from ocrjury.pages.numbers import estimate_text


def headline_text(headline: ShownHeadline) -> str:
    """Headline with its interval; one that gold corrected is called that, with the number without.

    Examples
    --------
    >>> from ocrjury import Estimate
    >>> mean = Estimate(4.5, 4.2, 4.8)
    >>> plain = ShownHeadline(dimension="meaning", caption="Mean", estimate=mean, low=1, high=5)
    >>> headline_text(plain)
    '4.50 (4.20 to 4.80)'
    """
    text = estimate_text(headline.estimate, share=headline.is_share)
    if headline.uncorrected is None:
        return text
    return tr(
        "{value}, corrected by gold; without gold {plain}",
        value=text,
        plain=estimate_text(headline.uncorrected, share=headline.is_share),
    )
