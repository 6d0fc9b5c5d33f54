"""Reasons of the gate as sentences for managers, with their numbers."""

from collections.abc import Mapping
from math import isinf, isnan
from typing import NamedTuple

from ocrjury.estimate import Estimate, reason_words
from ocrjury.gate.policy import ENOUGH_ITEMS
from ocrjury.gate.reading import Reading, mean_text
from ocrjury.gate.verdict import WORST_FIRST, Decision, DimensionVerdict
from ocrjury.language import Phrase, counted, joined, phrase
from ocrjury.rounding import fixed
from ocrjury.statistics import statistic


class Promise(NamedTuple):
    """Number of further items, and the chance of a PASS on them."""

    items: int
    chance: float


def bound_sentence(reading: Reading, decision: Decision, promise: Promise | None = None) -> str:
    """Sentence about a lower bound and its floor."""
    if decision == "INCONCLUSIVE":
        return joined([_doubt(reading), _remedy(reading, promise)])
    if decision == "PASS":
        return phrase(
            "On {dimension}, {statistic} is {value} and its one-sided {confidence} lower bound "
            "{lower}; {required} is required.",
            **reading.lower_words,
        )
    if reading.upper < reading.floor:
        return phrase(
            "On {dimension}, {statistic} is {value} and its one-sided {confidence} upper bound "
            "{upper}, below the required {required}.",
            **reading.upper_words,
        )
    return _below(reading)


def _below(reading: Reading) -> Phrase:
    return phrase(
        "On {dimension}, {statistic} is {value} on {items}, below the required {required}.",
        **reading.words,
    )


def _remedy(reading: Reading, promise: Promise | None) -> str:
    """Number of further items, empty where they would not bring a PASS, or nothing tells."""
    if promise is None or reading.estimate.value <= reading.floor or isinf(reading.lower):
        return ""
    return phrase(
        "With about {items} with two ratings, raters who agree as found pass in about {chance} of "
        "cases, fewer if few items divide them.",
        items=counted(promise.items, "more item"),
        chance=f"{fixed(100 * promise.chance, 0)}%",
    )


def _doubt(reading: Reading) -> Phrase:
    """Reason why a lower bound does not settle the matter."""
    if isinf(reading.lower):
        return phrase(
            "On {dimension}, {statistic} is {value}, but {items} cannot show how precise that is.",
            **reading.words,
        )
    if reading.estimate.value < reading.floor:
        return phrase(
            "On {dimension}, {statistic} is {value}, below the required {required}, but its "
            "one-sided {confidence} upper bound is {upper} on only {items}.",
            **reading.upper_words,
        )
    if reading.lower >= reading.floor and not reading.enough:
        return phrase(
            "On {dimension}, {statistic} is {value} and its one-sided {confidence} lower bound "
            "{lower}, but on only {items}.",
            **reading.lower_words,
        )
    return phrase(
        "On {dimension}, {statistic} is {value}, but its one-sided {confidence} lower bound only "
        "{lower}, while {required} is required.",
        **reading.lower_words,
    )


def point_sentence(reading: Reading, decision: Decision) -> str:
    """Sentence about a value and its floor."""
    if decision == "PASS":
        return phrase(
            "On {dimension}, {statistic} is {value} on {items}; {required} is required.",
            **reading.words,
        )
    if decision == "FAIL":
        return joined([_below(reading), _low_by_nature(reading)])
    if reading.estimate.value >= reading.floor:
        return phrase(
            "On {dimension}, {statistic} is {value} on {items}, which reaches the required "
            "{required} but rests on too few items.",
            **reading.words,
        )
    return phrase(
        "On {dimension}, {statistic} is {value} on {items}, which misses the required {required} "
        "but rests on too few items.",
        **reading.words,
    )


def reach_sentence(reading: Reading, needed: int, *, left: float, most: int) -> str:
    """Sentence about items that would help but cannot be had.

    Parameters
    ----------
    needed
        Items missing.
    left
        Items of the pool without two ratings, infinite if the pool is unknown.
    most
        Largest number of items worth asking for.
    """
    dimension, items = reading.dimension, counted(needed, "more item")
    if needed > most:
        return phrase(
            "On {dimension}, the value is so close to the floor that more items cannot settle it: "
            "more than {most} would be needed.",
            dimension=dimension,
            most=f"{most:,}",
        )
    if left:
        return phrase(
            "On {dimension}, {items} would be needed, and the pool has only {left} more.",
            dimension=dimension,
            items=items,
            left=f"{left:,.0f}",
        )
    return phrase(
        "On {dimension}, {items} would be needed, and the pool has no more.",
        dimension=dimension,
        items=items,
    )


def _low_by_nature(reading: Reading) -> str:
    """Reason why a share of equal ratings is low on a continuous scale, whoever rates."""
    if not reading.continuous or reading.name != "exact_agreement":
        return ""
    return phrase(
        "Two people rarely choose the same value on a continuous scale, so this policy needs "
        "categories; on a continuous scale choose a policy based on alpha, such as default."
    )


def undefined_sentence(reading: Reading) -> str:
    """Sentence about an estimate without a value."""
    return phrase(
        "On {dimension}, {statistic} cannot be computed: {reason}.",
        dimension=reading.dimension,
        statistic=statistic(reading.name).label,
        reason=reason_words(reading.estimate.reason),
    )


def few_sentence(dimension: str, n_items: int, least: int) -> str:
    """Sentence about too few items for a PASS."""
    if n_items == 1:
        return phrase(
            "On {dimension}, 1 item has two or more ratings; the gate needs at least {least}.",
            dimension=dimension,
            least=least,
        )
    return phrase(
        "On {dimension}, {items} have two or more ratings; the gate needs at least {least}.",
        dimension=dimension,
        items=counted(n_items, "item"),
        least=least,
    )


def enough_sentence(dimension: str, n_items: int, n_raters: int) -> str:
    """Sentence about the evidence behind a PASS."""
    return phrase(
        "On {dimension}, this rests on {items} with two or more of {raters} raters.",
        dimension=dimension,
        items=counted(n_items, "item"),
        raters=n_raters,
    )


def early_sentence(dimension: str, n_items: int) -> str:
    """Caution about a decision on few items."""
    return phrase(
        "On {dimension}, {items} decided, fewer than the usual minimum of {enough}: read the "
        "decision with caution.",
        dimension=dimension,
        items=counted(n_items, "item"),
        enough=ENOUGH_ITEMS,
    )


def rare_sentence(dimension: str, modal: Estimate, n_items: int) -> str:
    """Sentence about a category so common that most items carry little information."""
    return phrase(
        "On {dimension}, {share} of the ratings are in one category: alpha rests on the few "
        "others, so {items} carry less information than usual.",
        dimension=dimension,
        share=f"{fixed(100 * modal.value, 0)}%",
        items=counted(n_items, "item"),
    )


def overall_sentence(by_dimension: Mapping[str, DimensionVerdict]) -> str:
    """Sentence about the dimension that decides, with the mean for information."""
    worst = min(by_dimension, key=lambda name: _rank(by_dimension[name]))
    values = [verdict.value for verdict in by_dimension.values() if not isnan(verdict.value)]
    names = {verdict.primary for verdict in by_dimension.values()}
    n = len(by_dimension)
    if not values or len(names) > 1:
        return phrase(
            "The verdict is that of {dimension}, the worst of {n} dimensions.", dimension=worst, n=n
        )
    name = names.pop()
    words = {"dimension": worst, "n": n, "statistic": statistic(name).label}
    mean = mean_text(name, sum(values) / len(values))
    if len(values) == n:
        return phrase(
            "The verdict is that of {dimension}, the worst of {n} dimensions; the mean of "
            "{statistic} over all, {mean}, is for information only.",
            mean=mean,
            **words,
        )
    return phrase(
        "The verdict is that of {dimension}, the worst of {n} dimensions; the mean of {statistic} "
        "over the {known} that have one, {mean}, is for information only.",
        known=len(values),
        mean=mean,
        **words,
    )


def _rank(verdict: DimensionVerdict) -> tuple[int, float]:
    """Rank of a dimension, worst first."""
    value = -2.0 if isnan(verdict.value) else verdict.value
    return WORST_FIRST.index(verdict.decision), value


def paradox_sentence(dimension: str, estimates: Mapping[str, Estimate]) -> str:
    """Sentence about the prevalence guard."""
    modal = estimates.get("modal_share")
    words = {
        "dimension": dimension,
        "agreement": f"{fixed(100 * estimates['percent_agreement'].value, 0)}%",
        "statistic": statistic("gwet_ac").label,
        "gwet": fixed(estimates["gwet_ac"].value, 3),
    }
    if modal and modal.defined:
        return phrase(
            "On {dimension}, the raters give the same rating {agreement} of the time and "
            "{statistic} is {gwet}: one category is so common ({share} of the ratings) that alpha "
            "cannot show agreement. More items of the rare categories are needed, not a failing "
            "grade.",
            share=f"{fixed(100 * modal.value, 0)}%",
            **words,
        )
    return phrase(
        "On {dimension}, the raters give the same rating {agreement} of the time and {statistic} "
        "is {gwet}: one category is so common that alpha cannot show agreement. More items of the "
        "rare categories are needed, not a failing grade.",
        **words,
    )
