"""Crowd-kit's aggregators of ratings, if crowd-kit is installed.

Ustalov, Pavlichenko and Tseitlin (2024), "Learning from crowds with Crowd-Kit", Journal of Open
Source Software 9(96), 6227.
"""

import importlib
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.gold_items import place_gold, with_known
from ocrjury.truth.labels import Truth, scale_categories
from ocrjury.truth.votes import counted_truth, overall_shares, refuse_continuous

PREFIX = "crowdkit:"
_HOME = "crowdkit.aggregation.classification"  # other subpackages are for texts, pairs, outlines
_OURS = frozenset({"t", "method", "gold", "name", "known", "blind"})  # arguments on the way here
# Errors that a bug raises; running out of memory or an interrupt is not one of them.
_ITS_ERRORS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def crowdkit_truth(
    t: RatingTable, *, name: str, gold: Mapping[Any, Any] | None = None, **options: Any
) -> Truth:
    """Truth by one of crowd-kit's aggregators.

    Parameters
    ----------
    name
        Its class, for example ``"GLAD"``.
    gold
        {item: rating} of items whose category is known; passed to aggregators that learn from it.
    options
        Options of the class, for example ``n_iter``. One that is called like an argument of
        `aggregate` has an underscore behind its name: ``method_="em"`` is the ``method`` of MACE.

    Returns
    -------
    Truth
        Crowd-kit's probabilities, or certainty about its labels where it gives none; ties are
        broken by the rule of `Truth`, because crowd-kit's depends on the order of rows. Items
        without ratings have the shares of all ratings. ``confusion`` compares raters with these
        probabilities.

    Raises
    ------
    InputError
        If crowd-kit is not installed, or has no such aggregator or option.
    """
    refuse_continuous(t, PREFIX + name)
    aggregator = _built(_find(name), options, name)
    shares = np.tile(overall_shares(t), (t.n_items, 1))
    rated = np.bincount(t.item, minlength=t.n_items) > 0
    if rated.any():
        shares[rated] = _shares(aggregator, t, gold, name=name)[rated]
    return with_known(counted_truth(t, shares), gold or {})


def _find(name: str) -> type[Any]:
    """Crowd-kit's class with the given name."""
    try:
        package = importlib.import_module("crowdkit.aggregation")
    except ImportError as error:
        raise InputError(
            f"method {PREFIX + name!r} needs crowd-kit, which cannot be imported ({error}). "
            "Install it with `pip install crowd-kit`, or choose a method of ocrjury."
        ) from error
    known = {
        class_name: value
        for class_name, value in vars(package).items()
        if isinstance(value, type) and value.__module__.startswith(_HOME)
    }
    if name not in known:
        raise InputError(
            f"crowd-kit has no aggregator of ratings named {name!r}; it has "
            f"{', '.join(sorted(known))}."
        )
    return known[name]


def _built(aggregator: type[Any], options: Mapping[str, Any], name: str) -> Any:
    """Aggregator with its options."""
    own = {
        f"{option}_" if option in _OURS else option: option
        for option in inspect.signature(aggregator).parameters
    }
    strange = [option for option in options if option not in own]
    if strange:
        raise InputError(
            f"crowd-kit's {name} has no option {strange[0]!r}; it has {', '.join(own)}."
        )
    return aggregator(**{own[option]: value for option, value in options.items()})


def _shares(
    aggregator: Any, t: RatingTable, gold: Mapping[Any, Any] | None, *, name: str
) -> Floats:
    """Probabilities of a fitted aggregator, shape (N, K)."""
    import pandas as pd  # noqa: PLC0415  # 0.3 s that other methods do without

    frame = pd.DataFrame({"task": t.item, "worker": t.rater, "label": t.codes})
    known: dict[str, Any] = {}
    if "true_labels" in inspect.signature(aggregator.fit).parameters:
        known["true_labels"] = pd.Series(place_gold(gold, t.items, scale_categories(t)), dtype=int)
    try:
        labels = aggregator.fit_predict(frame, **known)
    except _ITS_ERRORS as error:
        error.add_note(f"This was raised inside crowd-kit's {name}.")
        raise
    items, categories = range(t.n_items), range(len(t.categories))
    probabilities = getattr(aggregator, "probas_", None)
    if probabilities is None:
        probabilities = pd.get_dummies(labels, dtype=float)
    # Categories that nobody used are not among its columns.
    return np.asarray(
        probabilities.reindex(index=items, columns=categories, fill_value=0.0), dtype=float
    )
