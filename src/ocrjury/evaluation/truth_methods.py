"""The method by which the truth of a dimension is inferred."""

from ocrjury.scales import Scale

FITTING: dict[str, tuple[str, ...]] = {
    "interval": ("mean_rating", "median_rating"),
    "nominal": ("majority_vote", "dawid_skene", "one_coin"),
}
"""Methods of inference that fit a scale; every method fits a scale that is not named."""


def method_on(scale: Scale, method: str) -> str:
    """Method for a dimension: the campaign's, or another where that does not fit the scale.

    Examples
    --------
    >>> method_on(Scale.binary(), "dawid_skene"), method_on(Scale.interval(0, 9), "dawid_skene")
    ('dawid_skene', 'mean_rating')
    """
    if method in FITTING.get(scale.kind, (method,)):
        return method
    return "mean_rating" if scale.kind == "interval" else "dawid_skene"
