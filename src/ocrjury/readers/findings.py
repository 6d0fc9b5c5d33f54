"""Findings of a reading besides its rows, as attributes of a frame and as a warning."""

import warnings
from typing import Any

from ocrjury.language import phrase
from ocrjury.readers.formats import CONFIDENCES
from ocrjury.readers.reading import Reading
from ocrjury.readers.sources import PathLike

KINDS = ("paired", "joined", "missed", "invented")
SHOWN = 1000
"""Most entries of a list in ``.attrs``; pandas copies them with every frame."""


def attributes(path: PathLike, reading: Reading) -> dict[str, Any]:
    """Attributes of a pool frame."""
    forms = sorted(reading.formats)
    guess = guess_sentence(reading)
    return {
        "path": str(path),
        "format": forms[0] if len(forms) == 1 else "mixed",
        "formats": {form: reading.formats[form] for form in forms},
        "encoding": reading.encoding,
        "unit": reading.unit,
        "confidence_source": {form: CONFIDENCES[form] for form in forms if form in CONFIDENCES},
        "quarantine": reading.quarantine.entries[:SHOWN],
        "n_quarantined": reading.quarantine.count,
        "unmatched": reading.unmatched[:SHOWN],
        "n_unmatched": len(reading.unmatched),
        "n_without_output": reading.without_output,
        "skipped": reading.skipped[:SHOWN],
        "pairing": {kind: reading.pairing[kind] for kind in KINDS} if reading.pairing else {},
        "as_pages": reading.as_pages[:SHOWN],
        "n_as_pages": len(reading.as_pages),
        "warnings": [] if guess is None else [guess],
    }


def guess_sentence(reading: Reading) -> str | None:
    """Warning about guessed white space, None if none was guessed."""
    if not reading.guessed:
        return None
    n, first = len(reading.guessed), reading.guessed[0]
    return phrase(
        "White space in Korean, Chinese or Japanese was guessed from the gaps between words in "
        "{files}: Tesseract splits words there and does not say where white space is. Put its "
        "text (NAME.txt, written with -c preserve_interword_spaces=1) beside the file; until then "
        "rely on cer_nospace, not on WER.",
        files=first if n == 1 else phrase("{n} files, the first {name}", n=n, name=first),
    )


def warn_of_findings(reading: Reading) -> None:
    """Warn about guessed white space, and about pages whose lines or words cannot be paired."""
    guess = guess_sentence(reading)
    if guess is not None:
        warnings.warn(guess, UserWarning, stacklevel=3)
    if reading.as_pages:
        first, more = reading.as_pages[0], len(reading.as_pages) - 1
        warnings.warn(
            f"The {reading.unit}s of {first['page_id']}{f' and {more:,} more' if more else ''} "
            f"cannot be paired with those of the reference ({first['reason']}); a page is one "
            "document there.",
            UserWarning,
            stacklevel=3,
        )
