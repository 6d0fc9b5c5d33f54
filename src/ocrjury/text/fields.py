"""Typed fields: whether an amount, a code, a date or a text has the value of its reference.

The rubric decides how much a difference matters; this module only measures it.
"""

import re
from dataclasses import dataclass

from ocrjury.errors import InputError
from ocrjury.field_kinds import FIELD_KINDS, FieldKind
from ocrjury.text.amounts import Amount, read_amount, same_amount
from ocrjury.text.dates import read_dates
from ocrjury.text.edit_paths import edit_distance
from ocrjury.text.grapheme_clusters import split_graphemes
from ocrjury.text.normalization import normalize_text, space_text
from ocrjury.text.options import TextOptions

# White space never matters in a field; full-width forms are a difference of format only.
_PLAIN = TextOptions(normalization="NFKC", whitespace="remove")
_TIDY = TextOptions()
_DIGIT, _LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class FieldResult:
    """Differences between a field as the OCR read it and its reference.

    Attributes
    ----------
    kind
        ``"amount"``, ``"code"``, ``"date"`` or ``"text"``.
    reference, hypothesis
        Both texts as given.
    reference_value, hypothesis_value
        Their values, as text: the number of an amount (with its currency, if written), the date or
        dates in ISO form, the characters of a code or text without white space and with full-width
        forms folded. None where no value of this kind can be read.
    same_value
        Whether both have the same value. None if no value can be read from the reference and the
        texts differ.
    exact
        Whether every character is the same, apart from the Unicode normal form and the amount of
        white space between words.
    same_format
        Whether both are written the same way: the same punctuation between digits and letters, the
        same number of digits. None if one of them is empty.
    distance
        Character edits between the texts, ignoring white space and full-width forms.
    longer
        Characters of the longer of the two, compared in the same way; at least 1.
    ned
        ``distance / longer``, in [0, 1].
    """

    kind: FieldKind
    reference: str
    hypothesis: str
    reference_value: str | None
    hypothesis_value: str | None
    same_value: bool | None
    exact: bool
    same_format: bool | None
    distance: int
    longer: int
    ned: float

    @property
    def correct(self) -> bool:
        """Whether the value is right, however it is written."""
        return bool(self.same_value)

    @property
    def only_format_differs(self) -> bool:
        """Whether the value is right but written differently."""
        return self.correct and not self.exact


def compare_field(reference: str, hypothesis: str, *, kind: FieldKind) -> FieldResult:
    """Difference between a field that the OCR read and its reference.

    Parameters
    ----------
    reference, hypothesis
        Two texts; a missing one is an `InputError`, an empty one is not.
    kind
        Content of the field. In an amount every digit and letter counts, the minus sign, and the
        currency if both have one; commas, spaces and other punctuation do not. A date is read year
        first (``2024년 8월 3일``, ``2024-08-03``, ``24.8.3``, ``20240803``), several dates in their
        order. In a code, and in a text, every character but white space counts.

    Examples
    --------
    >>> result = compare_field("2024년 8월 3일", "2024-08-03", kind="date")
    >>> result.correct, result.exact, result.reference_value
    (True, False, '2024-08-03')
    >>> compare_field("1,277,520원", "1,277,5209", kind="amount").correct
    False
    """
    if kind not in FIELD_KINDS:
        raise InputError(
            f"kind must be one of {', '.join(map(repr, FIELD_KINDS))}; found {kind!r}."
        )
    for side, text in (("reference", reference), ("hypothesis", hypothesis)):
        if not isinstance(text, str):
            raise InputError(
                f"compare_field needs two texts; the {side} is {text!r}. Leave out fields without "
                "a reference."
            )
    values = _read(reference, kind), _read(hypothesis, kind)
    plain = _as_compared(reference, _PLAIN), _as_compared(hypothesis, _PLAIN)
    # Lists, not folded texts: the rating page compares fields in a process without NumPy.
    clusters = split_graphemes(plain[0]), split_graphemes(plain[1])
    distance, longer = edit_distance(*clusters), max(*map(len, clusters), 1)
    return FieldResult(
        kind=kind,
        reference=reference,
        hypothesis=hypothesis,
        reference_value=None if values[0] is None else str(values[0]),
        hypothesis_value=None if values[1] is None else str(values[1]),
        same_value=True if plain[0] == plain[1] else _same_value(*values),
        exact=_as_compared(reference, _TIDY) == _as_compared(hypothesis, _TIDY),
        same_format=_shape(plain[0]) == _shape(plain[1]) if all(plain) else None,
        distance=distance,
        longer=longer,
        ned=distance / longer,
    )


def _read(text: str, kind: FieldKind) -> Amount | str | None:
    """Value of a field, None if it holds none of its kind."""
    if kind == "amount":
        return read_amount(text)
    if kind == "date":
        return read_dates(text)
    return _as_compared(text, _PLAIN)


def _same_value(reference: Amount | str | None, hypothesis: Amount | str | None) -> bool | None:
    """Return whether two values are the same, None if the reference has none."""
    if reference is None:
        return None
    if isinstance(reference, Amount) and isinstance(hypothesis, Amount):
        return same_amount(reference, hypothesis)
    return reference == hypothesis


def _as_compared(text: str, options: TextOptions) -> str:
    """Text without the differences that the options ignore."""
    return space_text(normalize_text(text, options), options.whitespace)


def _shape(text: str) -> str:
    """Text with every digit replaced by 9 and every run of letters by a."""
    return _LETTERS.sub("a", _DIGIT.sub("9", text))
