"""Everything that is wrong with a file, told in one error."""

from dataclasses import dataclass, field

from ocrjury.errors import InputError

_SHOWN = 10


@dataclass(slots=True)
class _Problem:
    """One kind of problem: how often it came, where first, and what to do."""

    what: str
    remedy: str
    first: str
    rows: list[int] = field(default_factory=list)
    count: int = 0


class Problems:
    """Problems of one file, by kind, with the rows that have them.

    Parameters
    ----------
    source
        Name of the file.
    row_word
        What a row is called in this format, for example ``"line"``.
    """

    def __init__(self, source: str, row_word: str) -> None:
        self.source = source
        self.row_word = row_word
        self._by_what: dict[str, _Problem] = {}

    def add(self, row: int, what: str, *, remedy: str, found: object = None) -> None:
        """Note that a row has a problem; of each kind the first found value is kept."""
        first = "" if found is None else f" (first found: {_short(found)})"
        problem = self._by_what.setdefault(what, _Problem(what, remedy, first))
        problem.count += 1
        if len(problem.rows) < _SHOWN:
            problem.rows.append(row)

    def raise_any(self) -> None:
        """Raise one error that names every kind of problem and the rows that have it."""
        if self._by_what:
            lines = [self._line(problem) for problem in self._by_what.values()]
            raise InputError(
                f"{self.source}: nothing was imported, because of\n" + "\n".join(lines)
            )

    def _line(self, problem: _Problem) -> str:
        """One kind of problem as a line of the message."""
        rows = ", ".join(map(str, problem.rows))
        more = problem.count - len(problem.rows)
        where = f"{self.row_word}{'s' if problem.count > 1 else ''} {rows}"
        if more:
            where += f" and {more} more ({problem.count} in all)"
        return f"- {where}: {problem.what}{problem.first}. {problem.remedy}"


def _short(found: object) -> str:
    """Value in at most 60 characters."""
    text = repr(found)
    return text if len(text) <= 60 else f"{text[:57]}..."
