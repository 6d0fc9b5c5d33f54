"""The number on a report's cover, for those who read no report."""

from ocrjury.estimate import Estimate
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
    return beside_plain(text, headline.uncorrected, share=headline.is_share)


def beside_plain(text: str, uncorrected: Estimate | None, *, share: bool = False) -> str:
    """Text of an estimate; one that gold corrected is called that, with the number without.

    Examples
    --------
    >>> beside_plain("55.0%", Estimate(0.5, 0.4, 0.6), share=True)
    '55.0%, corrected by gold; without gold 50.0% (40.0% to 60.0%)'
    """
    if uncorrected is None:
        return text
    return tr(
        "{value}, corrected by gold; without gold {plain}",
        value=text,
        plain=estimate_text(uncorrected, share=share),
    )
