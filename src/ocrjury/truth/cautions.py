"""Warnings about what the ratings cannot show."""

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Labels, scale_categories
from ocrjury.truth.rating_blocks import RatingBlocks, known_counts, one_by_one

_NAMED = 5
_REVERSED = 0.1  # smallest fall of a rating per step of truth; a constant rater has none
_CLEAR = 2.0  # standard errors by which a wrong category must exceed the right one


def table_warnings(table: RatingTable) -> tuple[str, ...]:
    """Warnings about the table itself, whatever the method."""
    sentences = (_unrated(table), _unused(table), _repeated(table))
    return tuple(sentence for sentence in sentences if sentence)


def model_warnings(
    table: RatingTable,
    blocks: RatingBlocks,
    confusion: Floats,
    *,
    shares: Floats,
    stopped_after: int | None,
) -> tuple[str, ...]:
    """Warnings about a model of the raters.

    Parameters
    ----------
    table, blocks
        The same ratings.
    confusion
        Shape (M, K, K).
    shares
        Expected share of items in each category, shape (K,).
    stopped_after
        Iterations after which the fit was stopped, None if it converged.
    """
    n_active = _n_active(blocks)
    sentences = (
        _few_ratings(table),
        "There is only one rater, so that rater's error rate cannot be estimated."
        if n_active == 1
        else None,
        _parts(blocks, n_active),
        _switched(table, confusion, shares) or _against_gold(table, blocks),
        _below_chance(table, confusion),
        _upside_down(table, confusion),
        f"The fit had not converged after {stopped_after} iterations; raise max_iter."
        if stopped_after is not None
        else None,
    )
    return tuple(sentence for sentence in sentences if sentence)


def _unrated(table: RatingTable) -> str | None:
    """Warning about items without ratings."""
    rated = np.bincount(table.item, minlength=table.n_items) > 0
    missing = int((~rated).sum())
    if not missing:
        return None
    example = table.items[int(np.argmin(rated))]
    return (
        f"{missing} of {table.n_items} items have no rating, for example {example!r}; they have "
        "their prior probabilities."
    )


def _unused(table: RatingTable) -> str | None:
    """Warning about categories that nobody used; steps of a continuous scale may be unused."""
    if table.scale.kind == "interval":
        return None
    used = np.bincount(table.codes, minlength=len(table.categories)) > 0
    if used.all() or not table.n_ratings:
        return None
    unused = ", ".join(str(category) for category in scale_categories(table)[~used])
    return f"Nobody used the categories {unused}; error rates there are unknown."


def _repeated(table: RatingTable) -> str | None:
    """Warning about repeated ratings."""
    if not table.repeated:
        return None
    pairs = len(np.unique(table.item * table.n_raters + table.rater))
    return (
        f"{table.n_ratings - pairs} of {table.n_ratings} ratings repeat a pair of item and rater; "
        "they count as independent."
    )


def _few_ratings(table: RatingTable) -> str | None:
    """Warning about fewer than three ratings per item."""
    rated = int(np.count_nonzero(np.bincount(table.item)))
    if not rated or table.n_ratings >= 3 * rated:
        return None
    return (
        f"Rated items have {table.n_ratings / rated:.1f} ratings on average; with fewer than three "
        "ratings per item the ratings alone cannot separate rater errors from difficult items, so "
        "the prior on the raters decides."
    )


def _n_active(blocks: RatingBlocks) -> int:
    """Number of raters who rated anything."""
    active = np.zeros(blocks.n_raters, dtype=bool)
    for block in blocks.blocks:  # one by one: all ratings at once would be copied
        active[block.ratings.indices // blocks.n_categories] = True
    return int(active.sum())


def _parts(blocks: RatingBlocks, n_active: int) -> str | None:
    """Warning about groups of raters without common items, directly or through others."""
    groups, group = blocks.n_raters, np.arange(blocks.n_raters)
    for block in blocks.blocks:
        if groups < 2:
            break
        item, rater, _ = one_by_one(block, blocks.n_categories)
        adjacent = item[1:] == item[:-1]  # links between neighbours suffice
        ends = group[rater[:-1][adjacent]], group[rater[1:][adjacent]]
        links = csr_matrix((np.ones(len(ends[0])), ends), shape=(groups, groups))
        groups, merged = connected_components(links, directed=False)
        group = merged[group]
    groups -= blocks.n_raters - n_active  # raters without ratings are not groups
    if groups < 2:
        return None
    return (
        f"The raters fall into {groups} groups that share no item; only the prior makes their "
        "ratings comparable."
    )


def _switched(table: RatingTable, confusion: Floats, shares: Floats) -> str | None:
    """Warning about categories that the raters as a whole use for each other."""
    if not table.n_ratings:
        return None
    load = np.bincount(table.rater, minlength=table.n_raters).astype(float)
    pooled = np.einsum("r,rkl->kl", load / load.sum(), confusion)
    present = shares * table.n_items >= 1
    confused = (pooled > pooled.diagonal()[:, None]) & np.outer(present, present)
    named = _circles(table, confused)
    if not named:
        return None
    return (
        f"According to the fit, raters mostly use {named} for each other; the categories may be "
        "swapped, which only gold items can show."
    )


def _against_gold(table: RatingTable, blocks: RatingBlocks) -> str | None:
    """Warning about categories that the raters use for each other on gold items.

    A few gold items cannot reverse a fit that follows the ratings of all other items.
    """
    counts = known_counts(blocks)
    right = counts.diagonal()[:, None]
    named = _circles(table, counts - right > _CLEAR * np.sqrt(counts + right))
    if not named:
        return None
    return (
        f"On gold items raters mostly use {named} for each other, but on the other items the fit "
        "follows their ratings; the categories are swapped."
    )


def _circles(table: RatingTable, confused: Booleans) -> str:
    """Groups of categories that may be swapped, "" if there are none.

    ``confused`` holds, for each true category (row), the categories that raters use more often than
    the true one. A cycle of two or more categories may be swapped.
    """
    if not confused.any():
        return ""
    n_circles, circle = connected_components(csr_matrix(confused), connection="strong")
    circles = [np.flatnonzero(circle == place) for place in range(n_circles)]
    return "; ".join(
        _listed(scale_categories(table)[places]) for places in circles if len(places) > 1
    )


def _listed(categories: Labels) -> str:
    """Categories in a list, the last after "and"."""
    *first, last = [str(category) for category in categories]
    return f"{', '.join(first)} and {last}"


def _below_chance(table: RatingTable, confusion: Floats) -> str | None:
    """Warning about raters who are right less often than by chance."""
    worse = np.flatnonzero(_is_below_chance(confusion))
    if not len(worse):
        return None
    return (
        f"{len(worse)} rater(s) are right less often than by chance: {_people(table, worse)}; they "
        "may have misread the scale."
    )


def _is_below_chance(confusion: Floats) -> Booleans:
    """Mask of the raters who are right less often than by chance, shape (M,)."""
    n_categories = confusion.shape[1]
    if n_categories < 2:
        return np.zeros(len(confusion), dtype=bool)
    right = np.einsum("rkk->rk", confusion).mean(axis=1)
    return np.asarray(right < 1 / n_categories - 1e-6)


def _upside_down(table: RatingTable, confusion: Floats) -> str | None:
    """Warning about raters whose ratings fall as the true category rises.

    They may be right in the middle of the scale, so the comparison with chance misses them.
    """
    n_categories = confusion.shape[1]
    if not table.scale.ordered or n_categories < 3:
        return None
    place = np.arange(n_categories) - (n_categories - 1) / 2
    slope = (confusion @ place) @ place / (place @ place)
    reversed_raters = np.flatnonzero((slope < -_REVERSED) & ~_is_below_chance(confusion))
    if not len(reversed_raters):
        return None
    return (
        f"{len(reversed_raters)} rater(s) give lower ratings to better items: "
        f"{_people(table, reversed_raters)}; they may have read the scale upside down."
    )


def _people(table: RatingTable, places: Integers) -> str:
    """First few raters, and the number of the others."""
    named = ", ".join(str(table.raters[place]) for place in places[:_NAMED])
    return named + (f" and {len(places) - _NAMED} more" if len(places) > _NAMED else "")
