"""Document types of each of several OCR systems."""

from collections.abc import Sequence

from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.findings.systems import Systems
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import NOTHING, estimate_text, paragraph
from ocrjury.report.sections.document_types import few_sentence

AT_ONCE = phrase("The ranges of a system’s document types hold at once.")


def rows(row: Systems) -> list[tuple[str, list[str]]]:
    """Document types, and the mean of each system on them; none where there is one type."""
    known = [{of.name: of for of in system.types} for system in row.estimated]
    names = list(dict.fromkeys(name for of_system in known for name in of_system))
    if len(names) < 2:
        return []
    return [
        (name, [_mean(of_system[name]) if name in of_system else NOTHING for of_system in known])
        for name in names
    ]


def text(systems: Sequence[Systems]) -> str:
    """Sentences on the ranges of the types; empty where none is printed."""
    known = [of for row in systems if rows(row) for system in row.estimated for of in system.types]
    if not known:
        return ""
    return paragraph([AT_ONCE, few_sentence(known)])


def _mean(row: TypeEstimate) -> str:
    """Mean of a type, marked where it rests on few items."""
    estimate = estimate_text(row.estimate)
    return tr("{estimate} few", estimate=estimate) if row.few else estimate
