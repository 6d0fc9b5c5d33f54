"""Problems of a file, collected into one error."""

from dataclasses import dataclass, field

from ocrjury.errors import InputError

_SHOWN = 10


@dataclass(slots=True)
class _Problem:
    """One kind of problem: its rows, their number, the first value and the remedy."""

    kind: str
    remedy: str
    first: str
    rows: list[int] = field(default_factory=list)
    count: int = 0


class Problems:
    """Problems of one file, by kind, with their rows.

    Parameters
    ----------
    source
        Name of the file.
    row_word
        Word for a row in this format, for example ``"line"``.
    """

    def __init__(self, source: str, row_word: str) -> None:
        self.source = source
        self.row_word = row_word
        self._by_kind: dict[str, _Problem] = {}

    def add(self, row: int, kind: str, *, remedy: str, value: object = None) -> None:
        """Note a problem of a row; for each kind the first value is kept."""
        first = "" if value is None else f" (first found: {_short(value)})"
        problem = self._by_kind.setdefault(kind, _Problem(kind, remedy, first))
        problem.count += 1
        if len(problem.rows) < _SHOWN:
            problem.rows.append(row)

    def raise_any(self) -> None:
        """Raise one error that names every kind of problem with its rows."""
        if self._by_kind:
            lines = [self._line(problem) for problem in self._by_kind.values()]
            raise InputError(
                f"{self.source}: nothing was imported, because of\n" + "\n".join(lines)
            )

    def _line(self, problem: _Problem) -> str:
        """Line of the message about one kind of problem."""
        rows = ", ".join(map(str, problem.rows))
        more = problem.count - len(problem.rows)
        where = f"{self.row_word}{'s' if problem.count > 1 else ''} {rows}"
        if more:
            where += f" and {more} more ({problem.count} in all)"
        return f"- {where}: {problem.kind}{problem.first}. {problem.remedy}"


def _short(value: object) -> str:
    """Value as text of at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
