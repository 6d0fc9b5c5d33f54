"""Which of several OCR systems raters prefer who saw all outputs of a page side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.hajek import hajek_fit
from ocrjury.estimation.interval import Part, few_cases, with_interval
from ocrjury.estimation.linear import Floats, check_confidence, no_items
from ocrjury.estimation.rating_data import check_frame, item_ids
from ocrjury.estimation.response import response_probabilities

METHOD = "Hajek, share of preferences"


@dataclass(frozen=True, slots=True)
class Preferences:
    """Shares of the pool's pages, as raters like it best; each page counts once.

    Attributes
    ----------
    shares
        By system: pages on which it is preferred. With ``same`` they sum to 1.
    same
        Pages on which nobody sees a difference.
    n_pages, n_raters, n_answers
        What it rests on.
    p_value
        Of the sign test over pages, two-sided: the probability of so uneven a split if both of two
        systems were preferred alike. ``nan`` with another number of systems, or without a page
        on which one was preferred more often.
    """

    shares: dict[str, Estimate]
    same: Estimate
    n_pages: int
    n_raters: int
    n_answers: int
    p_value: float


def preferred_shares(
    preferences: pd.DataFrame,
    *,
    items: pd.DataFrame,
    systems: Sequence[str],
    confidence: float = 0.95,
) -> Preferences:
    """Return how large a part of the pool's pages each system is preferred on.

    Parameters
    ----------
    preferences
        One row per rater and page: ``item`` (the page), ``rater``, ``preferred`` (a system, or None
        for no difference).
    items
        The pages drawn: ``item`` and ``inclusion_probability``; within its ``stratum`` the
        answered pages also stand for the others.
    systems
        All systems that were compared.

    Notes
    -----
    A page on which raters differ counts in parts. Intervals hold the draw of pages and the
    scatter of answers, on the logit scale. The sign test (Conover 1999, Practical Nonparametric
    Statistics, section 3.4) is of the pages that were drawn, without weights; pages of equal
    halves are left out.

    Examples
    --------
    >>> items = pd.DataFrame({"item": range(20), "inclusion_probability": 0.1})
    >>> said = pd.DataFrame({"item": range(20), "rater": "R1", "preferred": ["x"] * 15 + ["y"] * 5})
    >>> found = preferred_shares(said, items=items, systems=["x", "y"])
    >>> found.shares["x"].value, round(found.p_value, 3)
    (0.75, 0.041)
    """
    check_confidence(confidence)
    check_frame(preferences, ["item", "rater", "preferred"], "preferences")
    _check(preferences, items, systems)
    drawn = item_ids(items)
    answered = np.isin(np.array(drawn, dtype=object), preferences["item"].unique())
    if not answered.any():
        nothing = no_items(METHOD)
        return Preferences(dict.fromkeys(systems, nothing), nothing, 0, 0, 0, np.nan)
    pi = response_probabilities(
        items["inclusion_probability"],
        responded=answered,
        stratum=items["stratum"] if "stratum" in items.columns else None,
    )
    pages = [page for page, there in zip(drawn, answered, strict=True) if there]
    choice = preferences["preferred"].where(preferences["preferred"].notna(), "")
    parts = pd.crosstab(preferences["item"], choice, normalize="index")
    share = parts.reindex(index=pages, columns=["", *systems], fill_value=0.0)
    found = {name: _share(share[name].to_numpy(), pi, confidence) for name in share.columns}
    same = found.pop("")
    return Preferences(
        {str(name): estimate for name, estimate in found.items()},
        same,
        len(pages),
        int(preferences["rater"].nunique()),
        len(preferences),
        _sign_test(share[list(systems)].to_numpy()),
    )


def _share(y: Floats, pi: Floats, confidence: float) -> Estimate:
    """Share of the pool's pages, which may count in parts."""
    fit = hajek_fit(y, pi)
    # Answers scatter whether or not the pool was drawn as a whole.
    scatter = Part(float((fit.weight**2 * pi) @ fit.residual**2), fit.df)
    # Where all pages are split alike, nothing shows how far they could differ.
    halves = np.ptp(y) == 0 and 0 < fit.value < 1
    return with_interval(
        Estimate(fit.value, n_items=len(y), method=METHOD, warnings=few_cases(y)),
        [Part(fit.variance(), fit.df), scatter],
        confidence=confidence,
        share_of=None if halves else fit.effective_n,
    )


def _sign_test(share: Floats) -> float:
    """P value for two systems over pages, shape (n, 2)."""
    if share.shape[1] != 2:
        return float("nan")
    more = np.sign(np.round(share[:, 0] - share[:, 1], 9))
    first, second = int((more > 0).sum()), int((more < 0).sum())
    return float(binomtest(first, first + second).pvalue) if first + second else float("nan")


def _check(preferences: pd.DataFrame, items: pd.DataFrame, systems: Sequence[str]) -> None:
    """Raise if somebody prefers what was not shown, answers twice, or judges what nobody drew."""
    strange = set(preferences["preferred"].dropna()) - set(systems)
    if strange:
        raise InputError(
            f"preferences name {sorted(map(str, strange))}, which are not among the systems "
            f"{list(systems)}."
        )
    twice = int(preferences.duplicated(["item", "rater"]).sum())
    if twice:
        raise InputError(f"{twice} preference(s) are a rater's second one for the same page.")
    unknown = set(preferences["item"]) - set(item_ids(items))
    if unknown:
        raise InputError(
            f"{len(unknown)} page(s) with preferences were not drawn; the first is "
            f"{min(map(str, unknown))!r}. Without known odds they cannot count."
        )
