"""One module for each section of the report: its record, its choice of findings, its sentences."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ocrjury.report.data import ReportData


class Section(NamedTuple):
    """A section of the report: anchor, title and template, and whether a report has it."""

    anchor: str
    title: str
    template: str
    shown: "Callable[[ReportData], object]"
