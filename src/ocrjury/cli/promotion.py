"""Which settled ratings of an evaluation may become gold."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from ocrjury.adaptive import settled_values
from ocrjury.campaign.gold_file import GoldLine, level_text
from ocrjury.scales import Scale
from ocrjury.store.ratings import RatingRow

INDEPENDENT = ("main", "adaptive")


class Promotion(NamedTuple):
    """Known ratings that are new to a gold file, and those that it holds already.

    `differ` are of the latter those whose value is another one in the file.
    """

    new: list[GoldLine]
    there: list[GoldLine]
    differ: list[GoldLine]


def promotable(
    rows: Sequence[RatingRow], *, evaluation: str, scale: Scale, least_raters: int
) -> list[GoldLine]:
    """Settled ratings of an evaluation: first what was adjudicated, then consensus.

    Parameters
    ----------
    rows
        Every rating that counts.
    evaluation
        Its name, for the explanations; they hold no text of a document.
    least_raters
        From how many independent raters on, all of one opinion, a rating is a consensus.
    """
    frame = pd.DataFrame(rows, columns=list(RatingRow._fields)).rename(columns={"value": "rating"})
    settled = settled_values(frame)
    by_item: dict[tuple[str, str], list[RatingRow]] = {}
    for row in rows:
        by_item.setdefault((row.item, row.dimension), []).append(row)
    adjudicated, agreed = [], []
    for (item, dimension), given in sorted(by_item.items()):
        value = settled.get(dimension, {}).get(item)
        if value is not None:
            why = _why_settled(given, scale=scale, evaluation=evaluation)
            adjudicated.append(GoldLine(item, dimension, value, why, "adjudicated"))
            continue
        independent = [row for row in given if row.round_kind in INDEPENDENT]
        values = {row.value for row in independent}
        if len(values) == 1 and len({row.rater for row in independent}) >= least_raters:
            who = ", ".join(sorted(row.rater for row in independent))
            why = f"{len(independent)} raters agree in {evaluation}: {who}"
            agreed.append(GoldLine(item, dimension, values.pop(), why, "consensus"))
    return [*adjudicated, *agreed]


def compare_with_file(
    found: Iterable[GoldLine], known: Mapping[tuple[str, str], float]
) -> Promotion:
    """Lines that a gold file lacks, and those that it holds.

    Parameters
    ----------
    known
        Values that are gold already, by document and dimension.
    """
    result = Promotion([], [], [])
    for line in found:
        key = (line.doc_id, line.dimension)
        if key not in known:
            result.new.append(line)
            continue
        result.there.append(line)
        if known[key] != line.value:
            result.differ.append(line)
    return result


def _why_settled(given: Sequence[RatingRow], *, scale: Scale, evaluation: str) -> str:
    """Explanation of a settled rating: who settled it, and every rating given."""
    panel = [row for row in given if row.round_kind == "panel"]
    kind = "panel" if panel else "adjudication"
    ratings = [row for row in given if row.round_kind in {*INDEPENDENT, kind}]
    by_value: dict[float, list[str]] = {}
    for row in sorted(ratings, key=lambda row: (row.value, row.rater)):
        by_value.setdefault(row.value, []).append(row.rater)
    words = "; ".join(
        f"{', '.join(who)} said {level_text(value, scale)}" for value, who in by_value.items()
    )
    return f"{'settled by a panel' if panel else 'adjudicated'} in {evaluation}: {words}"
