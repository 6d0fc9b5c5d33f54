"""Scope of the numbers where ratings came without the design of their sample."""

from ocrjury.language import tr
from ocrjury.report.data import Headline


def lead(headline: Headline | None) -> str:
    """Sentence on how the items were chosen, as far as that is known."""
    if headline is not None and headline.weighted:
        return tr(
            "These ratings came with the weights of their items and without the design behind "
            "them: means speak of the pool that the items stand for if the weights are right."
        )
    return tr(
        "These ratings came without a sampling design: every number speaks of these items only."
    )


def items(headline: Headline) -> str:
    """Population of the headline's mean."""
    return tr("the pool behind these items") if headline.weighted else tr("these items only")


def interval_label(headline: Headline) -> str:
    """Name of the headline's interval."""
    if headline.weighted:
        return tr("95% interval (t), weighted")
    return tr("95% interval (t), these items only")
