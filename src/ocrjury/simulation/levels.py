"""Simulated true levels of documents, following the rating guide.

Levels are 1 (unusable) to 5 (perfect). The level of a text falls with its normalised edit
distance; a wrong amount has at most level 4, a wrong code 3, a wrong date 2. Random numbers depend
on keys alone: a repeated call, in another order or after a crash, returns the same numbers.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
import pandas as pd
from scipy.special import ndtri

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.columns import numeric_column
from ocrjury.errors import InputError
from ocrjury.scales import Scale, Scales, scale_of

# Largest normalised edit distance of a text at each level.
_LADDER = ((0.0, 5.0), (0.05, 4.0), (0.20, 3.0), (0.50, 2.0))
_WORST = 1.0
_CAPS = {"amount": 4.0, "code": 3.0, "date": 2.0}
# Standard deviations within a level: over dimensions, per dimension, and for guessed levels.
_DOCUMENT_SD, _DIMENSION_SD, _GUESS_SD = 0.25, 0.30, 0.50


def uniforms(keys: Iterable[tuple[object, ...]], *, seed: int | str, purpose: str) -> Floats:
    """Uniform number strictly between 0 and 1 for each key.

    Examples
    --------
    >>> uniforms([("a", 1), ("b", 1)], seed=7, purpose="noise").round(3).tolist()
    [0.146, 0.306]
    """
    digests = b"".join(
        blake2b(repr((str(seed), purpose, *map(str, key))).encode(), digest_size=8).digest()
        for key in keys
    )
    numbers = np.frombuffer(digests, dtype=">u8")
    return ((numbers >> np.uint64(12)).astype(float) + 0.5) / 2.0**52


def normals(keys: Iterable[tuple[object, ...]], *, seed: int | str, purpose: str) -> Floats:
    """Standard normal number for each key."""
    return np.asarray(ndtri(uniforms(keys, seed=seed, purpose=purpose)), dtype=float)


def true_scores(
    scored_pool: pd.DataFrame, *, dimensions: Sequence[str], scale: Scales, seed: int | str
) -> pd.DataFrame:
    """Simulated truth of every document on each dimension.

    Parameters
    ----------
    scored_pool
        Pool with ``doc_id`` and its text scores (``ned``, or ``cer``), and optionally
        ``kind``, ``reference``, ``hypothesis``, ``confidence``. A document without a reference
        gets a level from its confidence, 0.5 if that is missing too.
    dimensions
        Names of the dimensions.
    scale
        Any scale but a nominal one, or the scale of each dimension; the five levels are stretched
        to its range.
    seed
        Seed of the simulated documents.

    Returns
    -------
    DataFrame
        ``doc_id``; for each dimension one column of its name, with a category of the scale (a
        number between its ends on an interval scale), and one named ``latent_`` and its name,
        with the unrounded level in units of the scale, which may exceed the ends. Every number
        depends only on ``seed``, ``doc_id`` and dimension.

    Examples
    --------
    >>> pool = pd.DataFrame({"doc_id": ["a", "b"], "ned": [0.0, 0.7], "kind": "text"})
    >>> truth = true_scores(pool, dimensions=["meaning"], scale=Scale.likert(1, 5), seed=1)
    >>> truth["meaning"].tolist()
    [5, 1]
    """
    _check(scored_pool, dimensions)
    scales = {dimension: _simulated(scale_of(scale, dimension)) for dimension in dimensions}
    level, perfect, guessed = _guide_levels(scored_pool)
    ids = scored_pool["doc_id"].tolist()
    common = normals([(name,) for name in ids], seed=seed, purpose="document")
    result: dict[str, object] = {"doc_id": ids}
    for dimension in dimensions:
        own = normals([(name, dimension) for name in ids], seed=seed, purpose="dimension")
        noise = np.where(guessed, _GUESS_SD, _DOCUMENT_SD) * common + _DIMENSION_SD * own
        latent = level + np.where(perfect, np.abs(noise), noise)
        latent = np.minimum(latent, np.where(perfect, np.inf, _highest(scored_pool)))
        stretched = stretch(latent, scales[dimension])
        result[dimension] = on_scale(stretched, scales[dimension])
        result[f"latent_{dimension}"] = stretched
    return pd.DataFrame(result)


def stretch(level: Floats, scale: Scale) -> Floats:
    """Levels 1 to 5 in units of the scale."""
    return scale.low + (level - 1) / 4 * (scale.high - scale.low)


def on_scale(value: Floats, scale: Scale) -> Floats | Integers:
    """Values as ratings: clipped, and whole unless the scale is an interval."""
    clipped = np.clip(value, scale.low, scale.high)
    if scale.kind == "interval":
        return clipped
    return np.floor(clipped + 0.5).astype(np.int64)


def _guide_levels(
    pool: pd.DataFrame,
) -> tuple[Floats, Booleans, Booleans]:
    """Level of each document by the guide, and whether it is perfect, and whether it is guessed."""
    distance = numeric_column(pool, "ned" if "ned" in pool.columns else "cer")
    guessed = ~np.isfinite(distance)
    level = np.full(len(pool), _WORST)
    for limit, height in reversed(_LADDER):
        level[distance <= limit] = height
    perfect = distance == 0
    level = np.where(perfect, level, np.minimum(level, _highest(pool)))
    confidence = np.nan_to_num(numeric_column(pool, "confidence"), nan=0.5)
    level[guessed] = 1 + 4 * confidence[guessed]
    return level, perfect, guessed


def _highest(pool: pd.DataFrame) -> Floats:
    """Highest level that the field rules allow a document."""
    texts = pool.reindex(columns=["kind", "reference", "hypothesis"])
    capped = texts["kind"].map(_CAPS).to_numpy(dtype=float)
    same = np.array([_same_value(*row) for row in texts.itertuples(index=False)], dtype=bool)
    return np.where(np.isfinite(capped) & ~same, capped, 5.0)


def _same_value(kind: object, reference: object, hypothesis: object) -> bool:
    """Return whether a field has the right value, in whatever notation."""
    if not (isinstance(reference, str) and isinstance(hypothesis, str)):
        return not isinstance(reference, str)
    if kind in ("amount", "date"):
        return _digits(reference) == _digits(hypothesis) != ""
    return "".join(reference.split()) == "".join(hypothesis.split())


def _digits(text: str) -> str:
    """Digits of a text."""
    return "".join(character for character in text if character.isdigit())


def _simulated(scale: Scale) -> Scale:
    """Scale that can be simulated; raises on another."""
    if scale.kind == "nominal":
        raise InputError(
            f"simulated raters need an ordered scale; found {scale}. Use Scale.likert, binary or "
            "interval."
        )
    return scale


def _check(pool: pd.DataFrame, dimensions: Sequence[str]) -> None:
    """Raise on input that cannot be simulated."""
    if "doc_id" not in pool.columns or pool["doc_id"].duplicated().any():
        raise InputError("true_scores needs a column doc_id that names each document once.")
    if isinstance(dimensions, str) or not dimensions or len(set(dimensions)) != len(dimensions):
        raise InputError(
            f"dimensions must be a list of at least one name, each once; found {dimensions!r}."
        )
