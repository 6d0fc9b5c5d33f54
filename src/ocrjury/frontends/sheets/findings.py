"""What was found in a sheet that came back, by row and column."""

from typing import Literal, NamedTuple

Level = Literal["problem", "note"]


class Finding(NamedTuple):
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
        >>> Finding("empty", 12, "meaning (F)").where
        'row 12, column meaning (F)'
        """
        parts = [f"row {self.row}" if self.row else "", f"column {self.column}"]
        return ", ".join(parts[: 2 if self.column else 1]).strip(", ")


class Answer(NamedTuple):
    """What a rater said in one row; a dimension has a value or a reason why it has none."""

    assignment: str
    row: int
    values: dict[str, float]
    flags: dict[str, str]
    confidence: float | None
    comment: str


class SheetReport(NamedTuple):
    """What an import of one file found, and did.

    Attributes
    ----------
    handed_out, answered
        Items that the sheet was made with, and rows of it that are rated.
    new, changed, same
        Of these: rated for the first time, otherwise than before, and as before.
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
    findings: tuple[Finding, ...] = ()
    stored: bool = False
    again: bool = False
    complete: bool = False

    @property
    def problems(self) -> tuple[Finding, ...]:
        """Findings that keep the file out."""
        return tuple(one for one in self.findings if one.level == "problem")

    def line(self, finding: Finding) -> str:
        """Finding with its whole place."""
        where = ", ".join(part for part in (self.file, self._sheet(), finding.where) if part)
        return f"{where}: {finding.what}"

    def _sheet(self) -> str:
        """Sheet's title."""
        return f"sheet {self.sheet}" if self.sheet else ""
