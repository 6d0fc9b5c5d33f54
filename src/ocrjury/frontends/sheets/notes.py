"""Notes for a lead on a sheet that came back."""

from typing import Literal, NamedTuple

Level = Literal["problem", "note"]


class SheetNote(NamedTuple):
    """One thing to know: a ``problem`` keeps the whole file out, a ``note`` does not.

    `row` is the number that a spreadsheet shows, `column` a column's name and letter; either may
    be missing.
    """

    what: str
    row: int | None = None
    column: str | None = None
    level: Level = "problem"

    @property
    def where(self) -> str:
        """Place within the sheet.

        Examples
        --------
        >>> SheetNote("empty", 12, "meaning (F)").where
        'row 12, column meaning (F)'
        """
        parts = [f"row {self.row}" if self.row else "", f"column {self.column}"]
        return ", ".join(parts[: 2 if self.column else 1]).strip(", ")


class SheetReport(NamedTuple):
    """Findings and outcome of the import of one file.

    Attributes
    ----------
    handed_out, answered
        Items that the sheet was made with, and rows of it that are rated.
    new, changed, same
        Of these: rated for the first time, otherwise than before, and as before.
    replaced
        Values that stood in the store before and are others in the sheet.
    stored
        Whether they are in the store now.
    again
        Whether this very file was imported before; nothing is done then.
    complete
        Whether nothing of the round is open any more.
    """

    file: str
    evaluation: str
    round: int
    rater: str
    sheet: str
    handed_out: int
    answered: int = 0
    new: int = 0
    changed: int = 0
    same: int = 0
    replaced: int = 0
    findings: tuple[SheetNote, ...] = ()
    stored: bool = False
    again: bool = False
    complete: bool = False

    @property
    def problems(self) -> tuple[SheetNote, ...]:
        """Findings that keep the file out."""
        return tuple(finding for finding in self.findings if finding.level == "problem")

    def line(self, finding: SheetNote) -> str:
        """Finding with its whole place."""
        sheet = f"sheet {self.sheet}" if self.sheet else ""
        where = ", ".join(part for part in (self.file, sheet, finding.where) if part)
        return f"{where}: {finding.what}"
