"""Options of a comparison as people write them: a preset and ``NAME=VALUE`` changes."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace

from ocrjury.errors import InputError
from ocrjury.text.options import Preset, TextOptions


def read_options(preset: Preset, changes: Sequence[str] = ()) -> TextOptions:
    """Preset with some options changed.

    Parameters
    ----------
    preset
        Name of a preset, see `TextOptions.preset`.
    changes
        Each ``NAME=VALUE``; ``none`` stands for None, numbers of ``bleu_weights`` are separated by
        commas. Names and values are those of `TextOptions`.

    Examples
    --------
    >>> read_options("jiwer", ["words=whitespace", "normalization=NFKC"]).signature(["wer"])
    'WER|norm:NFKC|words:whitespace|v:0.1.0'
    """
    base = TextOptions.preset(preset)
    return replace(base, **_values(changes)) if changes else base  # type: ignore[arg-type]  # read


def _values(changes: Sequence[str]) -> dict[str, object]:
    names = [field.name for field in fields(TextOptions)]
    values: dict[str, object] = {}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals or name not in names:
            raise InputError(
                f"an option of the comparison is NAME=VALUE with one of the names "
                f"{', '.join(names)}; found {change!r}."
            )
        values[name] = _READ.get(name, _word)(text, name)
    return values


def _word(text: str, name: str) -> str | None:
    """Word, None for ``none`` in an option that allows it; `TextOptions` checks the word."""
    may_be_none = name == "normalization"
    return None if may_be_none and text.casefold() == "none" else text


def _order(text: str, name: str) -> int:
    """Whole number in a text."""
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise InputError(f"{name} must be a whole number; found {text!r}.")
    return int(text)


def _weights(text: str, name: str) -> tuple[float, ...] | None:
    """Numbers separated by commas, None for ``none``."""
    if text.casefold() == "none":
        return None
    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        raise InputError(
            f"{name} must be numbers separated by commas, such as 0.5,0.5; found {text!r}."
        ) from None


def _switch(text: str, name: str) -> bool:
    """Truth value of yes or no."""
    if text.casefold() not in ("yes", "no", "true", "false"):
        raise InputError(f"{name} must be yes or no; found {text!r}.")
    return text.casefold() in ("yes", "true")


_READ: Mapping[str, Callable[[str, str], object]] = {
    "bleu_order": _order,
    "bleu_weights": _weights,
    "bleu_effective_order": _switch,
}
