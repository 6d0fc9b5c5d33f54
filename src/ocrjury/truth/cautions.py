"""Whole sentences about what the ratings cannot tell."""

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Booleans, Floats, Labels, scale_categories
from ocrjury.truth.pair_counts import known_counts
from ocrjury.truth.rating_blocks import Integers, RatingBlocks, one_by_one

_NAMED = 5
_TURNED = 0.1  # least fall of a rating per step of truth; who always says the same has none
_CLEAR = 2.0  # standard errors by which a wrong category has to be ahead of the right one


def table_warnings(table: RatingTable) -> tuple[str, ...]:
    """Return what may mislead in the table itself, whatever the method."""
    sentences = (_unrated(table), _unused(table), _repeated(table))
    return tuple(sentence for sentence in sentences if sentence)


def model_warnings(
    table: RatingTable,
    blocks: RatingBlocks,
    confusion: Floats,
    *,
    shares: Floats,
    unsettled_after: int | None,
) -> tuple[str, ...]:
    """Return what may mislead in a model of the raters.

    Parameters
    ----------
    table, blocks
        The same ratings.
    confusion
        Shape (M, K, K).
    shares
        Expected share of items in each category, shape (K,).
    unsettled_after
        Iterations after which the fit was given up, None if it settled.
    """
    n_active = _n_active(blocks)
    sentences = (
        _few_ratings(table),
        _one_rater(n_active),
        _parts(blocks, n_active),
        _switched(table, confusion, shares) or _against_gold(table, blocks),
        _below_chance(table, confusion),
        _upside_down(table, confusion),
        _unsettled(unsettled_after),
    )
    return tuple(sentence for sentence in sentences if sentence)


def _unrated(table: RatingTable) -> str | None:
    """Sentence about items without ratings."""
    rated = np.bincount(table.item, minlength=table.n_items) > 0
    missing = int((~rated).sum())
    if not missing:
        return None
    example = table.items[int(np.argmin(rated))]
    return (
        f"{missing} of {table.n_items} items have no rating, for example {example!r}; they have "
        "the probabilities that hold before any rating is seen."
    )


def _unused(table: RatingTable) -> str | None:
    """Sentence about categories that nobody used; steps of a slider need not be."""
    if table.scale.kind == "interval":
        return None
    used = np.bincount(table.codes, minlength=len(table.categories)) > 0
    if used.all() or not table.n_ratings:
        return None
    names = ", ".join(str(name) for name in scale_categories(table)[~used])
    return f"Nobody used the categories {names}; nothing is known about errors there."


def _repeated(table: RatingTable) -> str | None:
    """Sentence about repeated ratings."""
    if not table.repeated:
        return None
    pairs = len(np.unique(table.item * table.n_raters + table.rater))
    return (
        f"{table.n_ratings - pairs} of {table.n_ratings} ratings repeat a pair of item and rater; "
        "they count as independent."
    )


def _unsettled(iterations: int | None) -> str | None:
    """Sentence about a fit that was given up."""
    if iterations is None:
        return None
    return f"The fit had not settled after {iterations} iterations; raise max_iter."


def _few_ratings(table: RatingTable) -> str | None:
    """Sentence about fewer than three ratings per item."""
    rated = int(np.count_nonzero(np.bincount(table.item)))
    if not rated or table.n_ratings >= 3 * rated:
        return None
    return (
        f"Rated items have {table.n_ratings / rated:.1f} ratings on average; with fewer than three "
        "ratings per item the ratings alone do not tell errors of raters from difficult items, so "
        "the prior on the raters decides."
    )


def _one_rater(n_active: int) -> str | None:
    """Sentence about a single rater."""
    if n_active != 1:
        return None
    return "There is one rater only; nothing shows how often this rater errs."


def _n_active(blocks: RatingBlocks) -> int:
    """How many raters have rated anything."""
    active = np.zeros(blocks.n_raters, dtype=bool)
    for block in blocks.blocks:  # one by one: all ratings at once would be copied
        active[block.ratings.indices // blocks.n_categories] = True
    return int(active.sum())


def _parts(blocks: RatingBlocks, n_active: int) -> str | None:
    """Sentence about raters who share no item, not even through others."""
    groups, group = blocks.n_raters, np.arange(blocks.n_raters)
    for block in blocks.blocks:
        if groups < 2:
            break
        item, rater, _ = one_by_one(block, blocks.n_categories)
        both = item[1:] == item[:-1]  # neighbours in an item are links enough
        ends = group[rater[:-1][both]], group[rater[1:][both]]
        links = csr_matrix((np.ones(len(ends[0])), ends), shape=(groups, groups))
        groups, merged = connected_components(links, directed=False)
        group = merged[group]
    groups -= blocks.n_raters - n_active  # who rated nothing is no group
    if groups < 2:
        return None
    return (
        f"The raters fall into {groups} groups that share no item; only the prior makes their "
        "ratings comparable."
    )


def _switched(table: RatingTable, confusion: Floats, shares: Floats) -> str | None:
    """Sentence about categories that the panel as a whole says for each other."""
    if not table.n_ratings:
        return None
    load = np.bincount(table.rater, minlength=table.n_raters).astype(float)
    pooled = np.einsum("r,rkl->kl", load / load.sum(), confusion)
    present = shares * table.n_items >= 1
    arrows = (pooled > pooled.diagonal()[:, None]) & np.outer(present, present)
    named = _circles(table, arrows)
    if not named:
        return None
    return (
        f"According to the fit raters mostly say one for the other of {named}; the categories may "
        "have changed places, which only gold items can show."
    )


def _against_gold(table: RatingTable, blocks: RatingBlocks) -> str | None:
    """Sentence about categories that the panel says for each other on gold items.

    A few gold items do not turn a fit around that follows the ratings of all others.
    """
    counts = known_counts(blocks)
    right = counts.diagonal()[:, None]
    named = _circles(table, counts - right > _CLEAR * np.sqrt(counts + right))
    if not named:
        return None
    return (
        f"On gold items raters mostly say one for the other of {named}, and on the others the fit "
        "takes their word; the categories have changed places."
    )


def _circles(table: RatingTable, arrows: Booleans) -> str:
    """Categories that may have changed places, "" if there are none.

    An arrow leads from a category to one that raters say more often where it is true. Circles of
    arrows are two or more categories that are said for each other.
    """
    n_circles, circle = connected_components(csr_matrix(arrows), connection="strong")
    circles = [np.flatnonzero(circle == place) for place in range(n_circles)]
    return "; ".join(
        _listed(scale_categories(table)[places]) for places in circles if len(places) > 1
    )


def _listed(names: Labels) -> str:
    """Names in a row, the last after "and"."""
    *first, last = [str(name) for name in names]
    return f"{', '.join(first)} and {last}"


def _below_chance(table: RatingTable, confusion: Floats) -> str | None:
    """Sentence about raters who are right less often than by chance."""
    worse = np.flatnonzero(_by_chance(confusion))
    if not len(worse):
        return None
    return (
        f"{len(worse)} rater(s) are right less often than by chance: {_people(table, worse)}; they "
        "may have misread the scale."
    )


def _by_chance(confusion: Floats) -> Booleans:
    """Whether each rater is right less often than by chance, shape (M,)."""
    n_categories = confusion.shape[1]
    if n_categories < 2:
        return np.zeros(len(confusion), dtype=bool)
    right = np.einsum("rkk->rk", confusion).mean(axis=1)
    return np.asarray(right < 1 / n_categories - 1e-6)


def _upside_down(table: RatingTable, confusion: Floats) -> str | None:
    """Sentence about raters whose ratings fall as the true category rises.

    They may be right in the middle of the scale, so that chance does not show them.
    """
    n_categories = confusion.shape[1]
    if not table.scale.ordered or n_categories < 3:
        return None
    place = np.arange(n_categories) - (n_categories - 1) / 2
    slope = (confusion @ place) @ place / (place @ place)
    turned = np.flatnonzero((slope < -_TURNED) & ~_by_chance(confusion))
    if not len(turned):
        return None
    return (
        f"{len(turned)} rater(s) give lower ratings where higher ones are due: "
        f"{_people(table, turned)}; they may have read the scale upside down."
    )


def _people(table: RatingTable, places: Integers) -> str:
    """First few raters by name, and how many more there are."""
    named = ", ".join(str(table.raters[place]) for place in places[:_NAMED])
    return named + (f" and {len(places) - _NAMED} more" if len(places) > _NAMED else "")
