"""The agreement on one dimension in print: what everybody wants first, the rest if asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ocrjury.cli.coefficients import estimate_row, interval_cell, print_coefficients
from ocrjury.cli.printing import right, say, table
from ocrjury.pages.numbers import decimal, percent, plural, signed
from ocrjury.statistics import reason_words, statistic

if TYPE_CHECKING:
    from collections.abc import Hashable

    import pandas as pd

    from ocrjury.agreement import Prevalence
    from ocrjury.cli.dimension_facts import DimensionFacts
    from ocrjury.estimate import Estimate

_SHOWN = 5  # items in the short list of disagreements
_WEIGHTS = {"none": "kappa", "linear": "linear kappa", "quadratic": "quadratic kappa"}
_MEANS = ("krippendorff_alpha", "mean_pairwise_kappa", "human_agreement", "exact_agreement")
_OPPOSITE = {"wide_range", "split"}


def print_dimension(facts: "DimensionFacts", profiles: "pd.DataFrame", *, full: bool) -> None:
    """Print one dimension; ``full`` adds the tables behind the sentences.

    Parameters
    ----------
    profiles
        Those of this dimension.
    """
    print_coefficients(facts.found, full=full)
    _print_judges(facts)
    _print_pairs(facts.pairs, full=full)
    _print_prevalence(facts.prevalence)
    _print_items(facts, full=full)
    _print_raters(facts, profiles, full=full)
    _print_remarks(facts)


def _print_judges(facts: "DimensionFacts") -> None:
    """Print how near automatic judges are to the raters, below what raters are to each other."""
    if not facts.judges:
        return
    say()
    rows = [estimate_row(name, "judge_alignment", one) for name, one in facts.judges.items()]
    ceiling = facts.found.coefficients["human_agreement"]
    rows.append(estimate_row("ceiling: A^HH of the raters", "human_agreement", ceiling))
    table(("A^HA of automatic judges", *right("value", "95 % interval", "items"), "band"), rows)


def _print_pairs(pairs: "Mapping[str, pd.DataFrame]", *, full: bool) -> None:
    """Print the spread of the kappas of pairs, and every pair if asked for."""
    if not pairs:
        return
    say()
    known = {weights: frame for weights, frame in pairs.items() if frame.attrs["n_pairs"]}
    if known:
        heads = right("pairs", "mean", "sd", "lowest", "median", "highest")
        rows = [(_WEIGHTS[weights], *_spread(frame)) for weights, frame in known.items()]
        table(("pairs of raters", *heads), rows)
    else:
        reasons = dict.fromkeys(reason_words(one) for one in pairs["none"]["reason"])
        say(f"No pair of raters has a kappa: {'; '.join(reasons) or 'nobody rated'}.")
    if not full:
        return
    for weights, frame in pairs.items():
        say()
        columns = right("value", "95 % interval", "items")
        table(
            (f"{_WEIGHTS[weights]} of", *columns),
            [
                (
                    f"{row.rater_a}, {row.rater_b}",
                    decimal(row.value, 3),
                    interval_cell(row),
                    str(row.n_items),
                )
                for row in _rows(frame)
            ],
        )


def _spread(frame: "pd.DataFrame") -> tuple[str, ...]:
    """Return number, mean, sd, ends and median of the kappas."""
    attributes = frame.attrs
    count = str(attributes["n_pairs"])
    if attributes["n_pairs"] < len(frame):
        count += f" of {len(frame)}"
    numbers = (attributes[name] for name in ("mean", "sd", "min", "median", "max"))
    return (count, *(decimal(number, 3) for number in numbers))


def _print_prevalence(indices: "Prevalence | None") -> None:
    """Print what explains a low kappa of two binary raters."""
    if indices is None or indices.reason is not None:
        return
    say()
    named = {
        "prevalence index": indices.prevalence_index,
        "bias index": indices.bias_index,
        "PABAK": indices.pabak,
        "positive agreement": indices.positive_agreement,
        "negative agreement": indices.negative_agreement,
    }
    table(
        ("two raters, two categories", *right("value")),
        [(name, decimal(value, 3)) for name, value in named.items()],
    )


def _print_items(facts: "DimensionFacts", *, full: bool) -> None:
    """Print where raters disagree, and how the items' means are distributed."""
    found = facts.disagreements
    n_items, threshold = found.attrs["n_items"], found.attrs["threshold"]
    say()
    say(
        f"Ratings {threshold:g} or more apart: {plural(len(found), 'item')} of {n_items:,} "
        f"with two or more ratings ({percent(found.attrs['rate'])})"
        if facts.found.table.scale.ordered
        else f"Ratings that differ: {plural(len(found), 'item')} of {n_items:,} with two or more "
        f"ratings ({percent(found.attrs['rate'])})"
    )
    shown = found if full else found.head(_SHOWN)
    if len(shown):
        _print_widest(shown, ordered=facts.found.table.scale.ordered)
    if len(shown) < len(found):
        say(f"and {len(found) - len(shown):,} more: --full")
    if facts.item_means is not None:
        say()
        rows = facts.item_means.itertuples()
        counts = ", ".join(f"{row.category}: {row.n_items:,}" for row in rows)
        say(f"Item means, halves rounded up  {counts}")


def _print_widest(shown: "pd.DataFrame", *, ordered: bool) -> None:
    """Print items on which raters disagree; names have no ends, only a number of values."""
    if ordered:
        table(
            ("item", *right("ratings", "lowest", "highest", "mean")),
            [
                (
                    str(row.item),
                    str(row.n_ratings),
                    f"{row.lowest:g}",
                    f"{row.highest:g}",
                    decimal(row.mean),
                )
                for row in _rows(shown)
            ],
        )
        return
    table(
        ("item", *right("ratings", "different")),
        [(str(row.item), str(row.n_ratings), f"{row.range + 1:g}") for row in _rows(shown)],
    )


def _rows(frame: "pd.DataFrame") -> "Iterator[Any]":
    """Yield the rows as records of whatever their columns hold."""
    return iter(frame.itertuples())


def _print_raters(facts: "DimensionFacts", profiles: "pd.DataFrame", *, full: bool) -> None:
    """Print what each rater's ratings look like, the strictest first."""
    ordered = facts.found.table.scale.ordered
    columns: list[tuple[str, Callable[[Any], str]]] = [("ratings", partial(_count_of, "count"))]
    if ordered:
        moments = ("median", "skew", "kurtosis", "min", "max") if full else ()
        columns += [(name, partial(_decimal_of, name)) for name in ("mean", "sd", *moments)]
        columns.append(("severity", lambda row: signed(row["severity"])))
    if full or not ordered:
        counted = profiles.columns[profiles.columns.str.startswith("n_")]
        columns += [(name.removeprefix("n_"), partial(_count_of, name)) for name in counted]
    if full:
        columns.append(("gain without", lambda row: _gain(facts.gains, row["rater"])))
    say()
    rows = profiles.to_dict("records")
    table(
        (
            "rater, strictest first" if ordered else "rater",
            *right(*(title for title, _ in columns)),
        ),
        [(str(row["rater"]), *(cell(row) for _, cell in columns)) for row in rows],
    )


def _decimal_of(name: str, row: Any) -> str:
    """Return a number of a row with two decimals."""
    return decimal(row[name])


def _count_of(name: str, row: Any) -> str:
    """Return a count of a row."""
    return f"{row[name]:.0f}"


def _gain(gains: "Mapping[Hashable, Estimate]", rater: "Hashable") -> str:
    """Return what alpha gains without a rater."""
    return signed(gains[rater].value, 3) if rater in gains else decimal(None)


def _print_remarks(facts: "DimensionFacts") -> None:
    """Print the usual signs of trouble, and what helps."""
    patterns = [
        f"{one.sentence.removesuffix('.')}: {_named(one.subjects)}."
        if one.kind in _OPPOSITE
        else one.sentence
        for one in facts.patterns
    ]
    lines = [*patterns, *(one.sentence for one in facts.suggestions)]
    if lines:
        say()
    for line in lines:
        say(f"- {line}")


def _named(subjects: "Iterable[Hashable]") -> str:
    """Return the first few of what a sentence is about."""
    names = [str(one) for one in subjects]
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"


def means_row(means: Mapping[str, float]) -> str:
    """Return the most read means over dimensions as one phrase."""
    known = [(statistic(key).label, means[key]) for key in _MEANS if key in means]
    return ", ".join(f"{words} {decimal(value, 3)}" for words, value in known)
