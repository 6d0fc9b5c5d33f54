"""Options of a comparison as people write them: a preset, and values that replace some of it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace

from ocrjury.errors import InputError
from ocrjury.text.options import Preset, TextOptions


def read_options(preset: Preset, changes: Sequence[str] = ()) -> TextOptions:
    """Return a preset with some options changed.

    Parameters
    ----------
    preset
        As of `TextOptions.preset`.
    changes
        Each ``NAME=VALUE``; ``none`` stands for None, numbers of ``bleu_weights`` are divided by
        commas. Names and values are those of `TextOptions`.

    Examples
    --------
    >>> read_options("jiwer", ["words=whitespace", "normalization=NFKC"]).signature(["wer"])
    'WER|norm:NFKC|words:whitespace|v:0.1.0'
    """
    base = TextOptions.preset(preset)
    return replace(base, **_values(changes)) if changes else base  # type: ignore[arg-type]  # read


def _values(changes: Sequence[str]) -> dict[str, object]:
    """Return the options that are changed, each with its value."""
    names = [field.name for field in fields(TextOptions)]
    found: dict[str, object] = {}
    for change in changes:
        name, sign, text = change.partition("=")
        if not sign or name not in names:
            raise InputError(
                f"an option of the comparison is NAME=VALUE with a name out of "
                f"{', '.join(names)}; found {change!r}."
            )
        found[name] = _READ.get(name, _word)(text, name)
    return found


def _word(text: str, name: str) -> str | None:
    """Return a word, None for ``none`` where that may stand; what it may be is checked later."""
    may_be_none = name == "normalization"
    return None if may_be_none and text.casefold() == "none" else text


def _order(text: str, name: str) -> int:
    """Return a whole number."""
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise InputError(f"{name} must be a whole number; found {text!r}.")
    return int(text)


def _weights(text: str, name: str) -> tuple[float, ...] | None:
    """Return numbers divided by commas, None for ``none``."""
    if text.casefold() == "none":
        return None
    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        raise InputError(
            f"{name} must be numbers divided by commas, such as 0.5,0.5; found {text!r}."
        ) from None


def _switch(text: str, name: str) -> bool:
    """Return yes or no."""
    if text.casefold() not in ("yes", "no", "true", "false"):
        raise InputError(f"{name} must be yes or no; found {text!r}.")
    return text.casefold() in ("yes", "true")


_READ: Mapping[str, Callable[[str, str], object]] = {
    "bleu_order": _order,
    "bleu_weights": _weights,
    "bleu_effective_order": _switch,
}
