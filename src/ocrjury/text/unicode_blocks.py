"""Error rates by Unicode block: Hangul, Latin letters, digits and so on."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd
from fontTools.unicodedata import block

from ocrjury.text.alignment import split_units
from ocrjury.text.confusion import confusion_table
from ocrjury.text.options import TextOptions

DIGITS, SPACES = "Digits", "White space"
_OPS: Mapping[str, str] = {
    "replace": "substitutions",
    "delete": "deletions",
    "insert": "insertions",
}


def error_rates_by_block(
    references: Sequence[str | None],
    hypotheses: Sequence[str],
    *,
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> pd.DataFrame:
    """Error rates by Unicode block, the block with most edits first.

    Parameters
    ----------
    references, hypotheses
        As for `score_texts`; a pair without a reference adds nothing.

    Returns
    -------
    DataFrame
        ``block``: name of the block of a character's first code point; decimal digits and white
        space, of any block, are rows of their own. ``n_ref_chars``; ``substitutions`` and
        ``deletions`` of the reference's characters of that block, ``insertions`` of characters
        of that block; ``edits``: their sum; ``cer``: edits over characters of the reference, nan
        if the reference has none of that block; ``share`` of all edits. The edits add up to the
        edit distance.

    Examples
    --------
    >>> frame = error_rates_by_block(["금액 1,200원"], ["금맥 1.200원"])
    >>> frame[["block", "n_ref_chars", "edits"]].values.tolist()[:2]
    [['Hangul Syllables', 3, 1], ['Basic Latin', 1, 1]]
    """
    counts = dict.fromkeys(("n_ref_chars", *_OPS.values()), 0)
    rows: dict[str, dict[str, int]] = {}
    for character, number in _reference_characters(references, options):
        row = rows.setdefault(character_block(character), dict(counts))
        row["n_ref_chars"] += number
    edits = confusion_table(references, hypotheses, options=options)
    for edit in edits.to_dict(orient="records"):
        character = edit["reference"] or edit["hypothesis"]
        row = rows.setdefault(character_block(character), dict(counts))
        row[_OPS[edit["op"]]] += edit["count"]
    return _table(rows, [*counts])


def character_block(character: str) -> str:
    r"""Unicode block of a character's first code point, or "Digits" or "White space".

    >>> character_block("가"), character_block("７"), character_block("\u3000")
    ('Hangul Syllables', 'Digits', 'White space')
    """
    if character.isspace():
        return SPACES
    return DIGITS if character[0].isdecimal() else str(block(character[0]))


def _reference_characters(
    references: Sequence[str | None], options: TextOptions
) -> Iterator[tuple[str, int]]:
    """Yield the distinct characters of all references with their frequencies."""
    frequencies: Counter[str] = Counter()
    for reference in references:
        if isinstance(reference, str):
            frequencies.update(split_units(reference, options=options))
    yield from frequencies.items()


def _table(rows: Mapping[str, Mapping[str, int]], names: Sequence[str]) -> pd.DataFrame:
    """Frame of the counts, with edits, CER and share of each block."""
    frame = pd.DataFrame(
        {"block": list(rows), **{name: [row[name] for row in rows.values()] for name in names}}
    )
    edits: pd.Series[int] = frame[[*_OPS.values()]].sum(axis=1)
    ordered = frame.assign(
        edits=edits,
        cer=edits / frame["n_ref_chars"].where(frame["n_ref_chars"] > 0),
        share=edits / max(int(edits.sum()), 1),
    ).sort_values(["edits", "n_ref_chars", "block"], ascending=[False, False, True])
    return ordered.reset_index(drop=True)
