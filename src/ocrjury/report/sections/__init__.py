"""One module for each section of the report: its record, its choice of findings, its sentences."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ocrjury.report.data import ReportData
    from ocrjury.report.stored import Stored


class Section(NamedTuple):
    """A section of the report: anchor, title and template, and whether a report has it.

    ``build`` makes the record that this section alone prints, from what is stored; templates find
    it as ``report.sections[anchor]``.
    """

    anchor: str
    title: str
    template: str
    shown: "Callable[[ReportData], object]"
    build: "Callable[[Stored], object] | None" = None
