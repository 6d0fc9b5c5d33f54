"""Words for what a report is and how much it shows, wherever they are chosen, stored or told."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from ocrjury.language import Phrase, phrase

ReportKind = Literal["interim", "final"]
REPORT_KINDS: Final[tuple[ReportKind, ...]] = get_args(ReportKind)
REPORT_KIND_NAMES: Final[Mapping[str, Phrase]] = {
    "interim": phrase("interim"),
    "final": phrase("final"),
}
Examples = Literal["shown", "masked", "off"]
"""How much of the texts of documents may be read."""
EXAMPLES: Final[tuple[Examples, ...]] = get_args(Examples)
