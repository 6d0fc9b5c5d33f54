"""Preferences between OCR systems, of raters who see all outputs of a page side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import pandas as pd
from scipy.special import bdtr

from ocrjury.arrays import Floats
from ocrjury.columns import check_columns
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.hajek import hajek_fit
from ocrjury.estimation.headline import check_options, fit_rated
from ocrjury.estimation.interval import Part, few_cases, with_interval
from ocrjury.estimation.linear_estimate import no_items
from ocrjury.estimation.rater_error import ONE_RATER, Raters
from ocrjury.estimation.rating_data import item_ids, rating_data
from ocrjury.estimation.response import response_probabilities

METHOD = "Hajek, share of preferences"


@dataclass(frozen=True, slots=True)
class Preferences:
    """Shares of the pool's pages by preferred system; each page counts once.

    Attributes
    ----------
    shares
        By system: pages on which it is preferred. With ``same`` they sum to 1.
    same
        Pages on which nobody sees a difference.
    n_pages, n_raters, n_answers
        Numbers of pages, raters and preferences.
    p_value
        Two-sided p value of the sign test over pages: the probability of a split at least as uneven
        if two systems were equally preferred. ``nan`` with another number of systems, or without a
        page on which one was preferred more often.
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
    raters: Raters = "these",
    confidence: float = 0.95,
) -> Preferences:
    """Share of the pool's pages on which each system is preferred.

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
    raters
        ``"these"``: what these raters prefer; ``"others"``: raters like them, which adds how much
        these differ to the intervals. With one rater these have no interval then.

    Notes
    -----
    A page on which raters differ counts fractionally. Intervals include the draw of pages and the
    scatter of answers, on the logit scale, and for other raters their variance component over the
    number of raters, as in `rated_mean`. The sign test (Conover 1999, Practical Nonparametric
    Statistics, section 3.4) is over the pages drawn, without weights; pages split into equal
    halves are left out.

    Examples
    --------
    >>> items = pd.DataFrame({"item": range(20), "inclusion_probability": 0.1})
    >>> votes = pd.DataFrame(
    ...     {"item": range(20), "rater": "R1", "preferred": ["x"] * 15 + ["y"] * 5}
    ... )
    >>> preferences = preferred_shares(votes, items=items, systems=["x", "y"])
    >>> preferences.shares["x"].value, round(preferences.p_value, 3)
    (0.75, 0.041)
    """
    check_options(raters, confidence)
    check_columns(preferences, ["item", "rater", "preferred"], "preferences")
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
    pages = list(compress(drawn, answered))
    choice = preferences["preferred"].where(preferences["preferred"].notna(), "")
    names = ["", *systems]
    share = _shares_of_pages(zip(preferences["item"], choice, strict=True), pages, names)
    shares = {
        name: _share(
            column,
            pi,
            of_raters=[] if raters == "these" else _rater_part(preferences, items, choice == name),
            confidence=confidence,
        )
        for name, column in zip(names, share.T, strict=True)
    }
    same = shares.pop("")
    return Preferences(
        {str(name): estimate for name, estimate in shares.items()},
        same,
        len(pages),
        int(preferences["rater"].nunique()),
        len(preferences),
        _sign_test(share[:, 1:]),
    )


def _shares_of_pages(
    answers: Iterable[tuple[object, object]], pages: list[object], names: list[str]
) -> Floats:
    """Share of the answers on each page that a name has, shape (pages, names)."""
    row = {page: place for place, page in enumerate(pages)}
    column: dict[object, int] = {name: place for place, name in enumerate(names)}
    places = [row[page] * len(names) + column[name] for page, name in answers]
    counts = np.bincount(places, minlength=len(pages) * len(names)).reshape(-1, len(names))
    return np.asarray(counts / counts.sum(axis=1, keepdims=True), dtype=float)


def _share(
    y: Floats, pi: Floats, *, of_raters: Sequence[Part] | None, confidence: float
) -> Estimate:
    """Share of the pool's pages, each of which may count fractionally."""
    fit = hajek_fit(y, pi)
    # Answers vary even if the whole pool was drawn.
    scatter = Part(float((fit.weight**2 * pi) @ fit.residual**2), fit.df)
    # If all pages are split alike, nothing shows how much they could differ.
    halves = np.ptp(y) == 0 and 0 < fit.value < 1
    few = few_cases(y)
    estimate = Estimate(fit.value, n_items=len(y), method=METHOD, warnings=few, few=bool(few))
    if of_raters is None:
        return replace(estimate, reason="fewer_than_two_raters", warnings=(*few, ONE_RATER))
    return with_interval(
        estimate,
        [Part(fit.variance(), fit.df), scatter, *of_raters],
        confidence=confidence,
        share_of=None if halves else fit.effective_n,
    )


def _rater_part(
    preferences: pd.DataFrame, items: pd.DataFrame, prefers: "pd.Series[bool]"
) -> list[Part] | None:
    """Error from having these raters and not others, None with one."""
    answers = preferences[["item", "rater"]].assign(rating=prefers.to_numpy(dtype=float))
    data = rating_data(answers, items, None)
    if data.n_raters < 2:
        return None
    fit = fit_rated(data, None, data.equal)
    return [fit.between.times(float(fit.share @ fit.share))]


def _sign_test(share: Floats) -> float:
    """P value for two systems over pages, shape (n, 2)."""
    if share.shape[1] != 2:
        return float("nan")
    more = np.sign(np.round(share[:, 0] - share[:, 1], 9))
    first, second = int((more > 0).sum()), int((more < 0).sum())
    if not first + second:
        return float("nan")
    return min(2 * float(bdtr(min(first, second), first + second, 0.5)), 1.0)


def _check(preferences: pd.DataFrame, items: pd.DataFrame, systems: Sequence[str]) -> None:
    """Raise on preferences for unknown systems, repeated ones, and pages that were not drawn."""
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
            f"{min(map(str, unknown))!r}. Without inclusion probabilities they cannot count."
        )
