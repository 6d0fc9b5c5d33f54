"""Options of a comparison: what counts as the same text, as a character and as a word."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Literal, get_args, get_type_hints

from ocrjury import __version__
from ocrjury.errors import InputError
from ocrjury.text.edit_limits import LIMIT_NAME

Normalization = Literal["NFC", "NFKC"]
Whitespace = Literal["collapse", "keep", "strip", "remove"]
Unit = Literal["grapheme", "codepoint"]
Words = Literal["whitespace", "space", "uax29", "character"]
Smoothing = Literal["exp", "none"]
Preset = Literal["default", "jiwer", "dinglehopper", "ocrd", "nlptutti"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """Options for comparing two texts.

    Tools disagree on every one of these, so a score carries them with it: see `signature`.

    Attributes
    ----------
    normalization
        Unicode normal form; ``"NFKC"`` also folds full-width letters and ligatures. None: as is.
    whitespace
        How white space counts: ``"collapse"`` turns every run of white space (line breaks
        too) into one space and drops it at both ends, ``"strip"`` only drops it at both ends,
        ``"remove"`` drops all, ``"keep"`` none. Words are split before white space is dropped.
    unit
        A character is a grapheme cluster of Unicode Annex 29, or one code point.
    words
        Words of the word error rate: parts between white space, parts between spaces alone (a
        line break joins), words of Unicode Annex 29 without those that hold neither letter nor
        digit (private characters are letters), or characters other than white space.
    case
        ``"fold"``: upper and lower case are the same.
    punctuation
        ``"remove"``: characters of the Unicode categories P are dropped.
    bleu_words
        As ``words``, for BLEU.
    bleu_order
        Longest n-gram of BLEU.
    bleu_weights
        Weight of each n-gram length, ``bleu_order`` of them; None: equal.
    bleu_smoothing
        ``"exp"``: each n-gram length without a match counts half of the one before (NIST).
    bleu_effective_order
        Leave out n-grams longer than the text, so that a right text of three words scores 1.
    """

    normalization: Normalization | None = "NFC"
    whitespace: Whitespace = "collapse"
    unit: Unit = "grapheme"
    words: Words = "whitespace"
    case: Literal["keep", "fold"] = "keep"
    punctuation: Literal["keep", "remove"] = "keep"
    bleu_words: Words = "whitespace"
    bleu_order: int = 4
    bleu_weights: tuple[float, ...] | None = None
    bleu_smoothing: Smoothing = "exp"
    bleu_effective_order: bool = True

    def __post_init__(self) -> None:
        """Reject a misspelt option before any work is done."""
        hints = get_type_hints(type(self))
        for field in fields(self):
            allowed = _literals(hints[field.name])
            value = getattr(self, field.name)
            if allowed and value not in allowed:
                raise InputError(
                    f"{field.name} must be one of {', '.join(map(repr, allowed))}; found {value!r}."
                )
        _check_bleu(self.bleu_order, self.bleu_weights)

    @staticmethod
    def preset(name: Preset) -> "TextOptions":
        """Options that compare texts as a well-known tool does.

        A preset decides what is compared, not the score against an empty reference, which is
        undefined here under every preset.
        """
        if name not in _PRESETS:
            raise InputError(
                f"preset must be one of {', '.join(map(repr, _PRESETS))}; found {name!r}."
            )
        return _PRESETS[name]

    def signature(self, metrics: Iterable[str] = ("cer",), *, too_long: bool = False) -> str:
        """One line that identifies how these metrics were computed.

        ``too_long`` says that some texts were too long for a shortest list of edits.

        >>> TextOptions().signature()
        'CER|norm:NFC|ws:collapse|unit:grapheme|v:0.1.0'
        """
        wanted = set(metrics)
        families = [family for family, names in _FAMILIES.items() if wanted & names]
        parts = ["+".join(families), f"norm:{self.normalization or 'none'}"]
        parts += [f"{key}:{value}" for key, value in self._departures() if value != "keep"]
        if not set(families) <= {"WER", "BAG", "UAX29", "MER", "WIL", "BLEU"}:
            parts += [f"ws:{self.whitespace}", f"unit:{self.unit}"]
        if {"WER", "BAG", "MER", "WIL"} & set(families):
            parts.append(f"words:{self.words}")
        if "BLEU" in families:
            parts.append(f"bleu:{self._bleu_signature()}")
        if too_long and not set(families) <= {"F1", "BAG", "BLEU"}:
            parts.append(LIMIT_NAME)
        return "|".join([*parts, f"v:{__version__}"])

    def to_json(self) -> dict[str, object]:
        """Every option as a plain value, for a report or a record."""
        body = asdict(self)
        return {**body, "bleu_weights": list(self.bleu_weights) if self.bleu_weights else None}

    @property
    def options_hash(self) -> str:
        """SHA-256 of all options, as 64 hexadecimal digits.

        Equal options have an equal hash in every version of this program; only `signature`
        names the version.

        >>> TextOptions.preset("ocrd").options_hash == TextOptions(whitespace="remove").options_hash
        True
        """
        body = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(body.encode()).hexdigest()

    def _departures(self) -> list[tuple[str, str]]:
        """Options that the signature names only when they change the texts."""
        return [("case", self.case), ("punct", self.punctuation)]

    def _bleu_signature(self) -> str:
        """Options of BLEU, joined by commas."""
        parts = [self.bleu_words, str(self.bleu_order), self.bleu_smoothing]
        if not self.bleu_effective_order:
            parts.append("full-order")
        if self.bleu_weights is not None:
            parts.append("w" + "/".join(f"{weight:g}" for weight in self.bleu_weights))
        return ",".join(parts)


_FAMILIES = {
    "CER": {"n_ref_chars", "n_hyp_chars", "edit_distance", "substitutions", "deletions"}
    | {"insertions", "cer", "cer_nospace", "n_ref_chars_nospace", "edit_distance_nospace"}
    | {"exact_match"},
    "NCER": {"cer_normalized"},
    "NED": {"ned", "nacc"},
    "F1": {"char_precision", "char_recall", "char_f1"},
    "WER": {"wer", "n_ref_words", "n_hyp_words", "word_edits", "word_substitutions"}
    | {"word_deletions", "word_insertions", "word_matches"},
    "BAG": {"wer_bag", "word_edits_bag"},
    "UAX29": {"wer_uax29", "n_ref_words_uax29", "word_edits_uax29"},
    "MER": {"mer"},
    "WIL": {"wil", "wip"},
    "BLEU": {"bleu"},
}


def _literals(hint: object) -> tuple[object, ...]:
    """Values allowed by a hint of literals and None; empty for any other hint."""
    values: list[object] = []
    for part in get_args(hint):
        if isinstance(part, str):
            values.append(part)
        elif part is type(None):
            values.append(None)
        elif inner := _literals(part):
            values += inner
        else:
            return ()
    return tuple(values)


def _check_bleu(order: int, weights: tuple[float, ...] | None) -> None:
    """Raise if BLEU cannot be computed with this order and these weights."""
    if order < 1:
        raise InputError(f"bleu_order must be at least 1; found {order!r}.")
    if weights is None:
        return
    if len(weights) != order or min(weights) < 0 or not weights[0] > 0:
        raise InputError(
            f"bleu_weights needs {order} numbers, none below 0 and the first above 0 "
            f"(bleu_order is {order}); found {weights!r}."
        )


_PRESETS: dict[str, TextOptions] = {
    "default": TextOptions(),
    "jiwer": TextOptions(normalization=None, whitespace="strip", unit="codepoint", words="space"),
    "dinglehopper": TextOptions(whitespace="keep", words="uax29"),
    "ocrd": TextOptions(whitespace="remove"),
    "nlptutti": TextOptions(normalization=None, whitespace="remove", unit="codepoint"),
}
