"""The scale that a command line declares, and the hint where it declares none.

A scale is never guessed: 1, 2 and 3 may be three levels of five, or three names. What occurs in
the file only helps to say which words would declare it.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import get_args

from ocrjury.errors import InputError
from ocrjury.plain_numbers import plain_number
from ocrjury.ratings.files import MISSING
from ocrjury.scales import Kind, Scale, Scales

FORMS = "likert:1:5, binary, nominal, nominal:a,b,c or interval:0:100"
_KINDS = get_args(Kind)
_MOST_LEVELS = 1000  # kappas compare no more; above, values are measured


def declared_scale(text: str, values: Iterable[str]) -> Scale:
    """Scale that a text declares.

    Parameters
    ----------
    text
        As in `FORMS`.
    values
        Cells of the file; a bare ``nominal`` takes its names from there.

    Examples
    --------
    >>> str(declared_scale("likert:1:5", [])), str(declared_scale("nominal", ["b", "a", "b"]))
    ('likert 1 to 5', 'nominal a, b')
    """
    kind, _, rest = text.strip().partition(":")
    match kind:
        case "binary" if not rest:
            return Scale.binary()
        case "likert":
            low, high = _ends(text, rest)
            if high - low >= _MOST_LEVELS:
                raise InputError(
                    f"--scale {text!r} has more than {_MOST_LEVELS:,} levels; use "
                    f"interval:{low:g}:{high:g}."
                )
            return Scale.likert(low, high)  # type: ignore[arg-type]  # refuses fractions
        case "interval":
            return Scale.interval(*_ends(text, rest))
        case "nominal":
            names = [name.strip() for name in rest.split(",")] if rest else sorted(set(values))
            return Scale.nominal([name for name in names if name])
    raise InputError(f"--scale must be {FORMS}; found {text!r}.")


def declared_scales(
    texts: Sequence[str], values: Mapping[str, Collection[str]], *, others: Collection[str] = ()
) -> Scales:
    """Scale of all dimensions, or of each, that the options declare.

    Parameters
    ----------
    texts
        Scales; one with a name and an equals sign before it is that of a dimension, one without
        that of all others.
    values
        Cells of the file by dimension.
    others
        Dimensions of the file that are not measured; a scale may be declared for them.

    Examples
    --------
    >>> own = declared_scales(["likert:1:5", "usable=binary"], {"meaning": [], "usable": []})
    >>> {name: str(scale) for name, scale in own.items()}
    {'meaning': 'likert 1 to 5', 'usable': 'binary 0 to 1'}
    """
    own: dict[str | None, str] = {}
    for text in texts:
        name, spec = _named(text)
        if name in own:
            of = "all dimensions" if name is None else f"the dimension {name!r}"
            raise InputError(f"--scale is given twice for {of}: {own[name]!r} and {spec!r}.")
        own[name] = spec
    if set(own) == {None}:
        return _of_cells(own[None], (cell for cells in values.values() for cell in cells))
    known = {None, *values, *others}
    unknown = next((name for name in own if name not in known), None)
    if unknown is not None:
        raise InputError(
            f"--scale {unknown}={own[unknown]}: the file has no dimension {unknown!r}; it has "
            f"{', '.join(values)}."
        )
    without = [name for name in values if name not in own and None not in own]
    if without:
        hint = scale_hint(values[without[0]])
        raise InputError(
            f"--scale declares none for {', '.join(without)}; write --scale {without[0]}=SCALE, or "
            f"one without a name for all other dimensions. {hint[0].upper()}{hint[1:]}."
        )
    return {name: _of_cells(own.get(name) or own[None], cells) for name, cells in values.items()}


def _of_cells(text: str, cells: Iterable[str]) -> Scale:
    """Scale of ratings in cells; raises where a category stands for no rating there.

    In a table of counts it does not: categories are names of columns and rows.
    """
    scale = declared_scale(text, cells)
    names = scale.categories if scale.kind == "nominal" else ()
    lost = next((name for name in names if str(name).lower() in MISSING), None)
    if lost is not None:
        raise InputError(
            f"--scale names the category {lost!r}, but a cell {lost!r} stands for no rating, as "
            f"{', '.join(map(repr, filter(None, MISSING)))} do in capitals or not. Call the "
            "category something else, in the file too."
        )
    return scale


def _named(text: str) -> tuple[str | None, str]:
    """Name of a dimension, None without one, and its scale."""
    name, equals, spec = text.partition("=")
    if not equals or name.strip().partition(":")[0] in _KINDS:  # as in nominal:a=b,c
        return None, text.strip()
    return name.strip(), spec.strip()


def rating_of(cell: str, scale: Scale) -> object:
    """Cell as a rating; text that is none stays text, so that an error can name it.

    Examples
    --------
    >>> rating_of("4.0", Scale.likert(1, 5)), rating_of("x", Scale.likert(1, 5))
    (4, 'x')
    """
    if not scale.ordered:
        return cell
    number = plain_number(cell)
    if number is None:
        return cell
    return int(number) if number.is_integer() and scale.kind != "interval" else number


def weight_of(cell: str, name: str) -> float:
    """Cell as a weight; raises if it is no number.

    Examples
    --------
    >>> weight_of("2.5", "weight")
    2.5
    """
    number = plain_number(cell)
    if number is None:
        raise InputError(f"a weight is a number; found {cell!r} for {name}.")
    return number


def scale_hint(values: Iterable[str]) -> str:
    """Declaration that fits the values that occur.

    Examples
    --------
    >>> scale_hint(["1", "0", "1"])
    'only 0 and 1 found: use --scale binary'
    >>> scale_hint(["2", "5", "4"])
    'whole numbers from 2 to 5 found: use --scale likert:1:5, or the ends of your own scale'
    """
    seen = sorted({value for value in values if value.lower() not in MISSING})
    numbers = [number for value in seen if (number := plain_number(value)) is not None]
    if not seen:
        return f"no rating found; --scale is {FORMS}"
    if len(numbers) < len(seen):
        names = ",".join(seen[:6])
        return f"names such as {', '.join(seen[:3])} found: use --scale nominal:{names}"
    if set(numbers) in ({0.0}, {0.0, 1.0}):
        return f"only {' and '.join(seen)} found: use --scale binary"
    low, high = min(numbers), max(numbers)
    whole = all(number.is_integer() for number in numbers)
    kind, bottom, top = ("likert", 1, 5) if whole else ("interval", 0, 100)
    example = f"{kind}:{min(bottom, low):g}:{max(top, high):g}"
    range_text = f"{'whole ' if whole else ''}numbers from {low:g} to {high:g} found"
    return f"{range_text}: use --scale {example}, or the ends of your own scale"


def _ends(text: str, rest: str) -> tuple[float, float]:
    ends = [plain_number(part) for part in rest.split(":")]
    known = [end for end in ends if end is not None and math.isfinite(end)]
    if len(ends) != 2 or len(known) != 2:
        raise InputError(
            f"--scale {text!r} needs two numbers, such as likert:1:5 or interval:0:100."
        )
    return known[0], known[1]
