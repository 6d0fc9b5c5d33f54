"""One module for each section of the report: its record, its choice of findings, its sentences."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ocrjury.report.data import ReportData
from ocrjury.report.stored_evaluation import Stored


class Section(NamedTuple):
    """A section of the report: anchor, title and template, and whether a report has it.

    ``records`` makes from what is stored the records that the section brings, by name. Sections and
    templates find them by class: ``report.get(class)``, or ``report[class]`` where all have one. A
    template takes a record by its name whose class is not of the section's module.
    """

    anchor: str
    title: str
    template: str
    shown: Callable[[ReportData], object]
    records: Mapping[str, Callable[[Stored], object]] = {}
