"""Errors about the content of a file, with position and reason."""

from ocrjury.errors import InputError


class BadContentError(ValueError):
    """A part of a file is unusable; the caller adds the file's name.

    Parameters
    ----------
    reason
        The problem and the remedy, without a final full stop; never text of a document.
    position
        Position in the file, for example ``"line 12"`` or ``"Blocks[3].Confidence"``.
    element
        The element that it is about, for example ``"String w17"``.
    """

    def __init__(
        self, reason: str, position: str | None = None, *, element: str | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = ", ".join(filter(None, (position, element))) or None
        self.element = element


class FileError(InputError):
    """A file of a pool is unusable.

    ``remedy`` is for whoever gave this file alone; among others only the reason counts.
    """

    def __init__(
        self, path: str, reason: str, position: str | None = None, *, remedy: str = ""
    ) -> None:
        where = path if position is None else f"{path}, {position}"
        super().__init__(f"{where}: {reason}; {remedy}." if remedy else f"{where}: {reason}.")
        self.path = path
        self.reason = reason
        self.position = position


def line_at(content: bytes | str, place: int) -> str:
    """Line of an offset in a content, in words."""
    end: bytes | str = b"\n" if isinstance(content, bytes) else "\n"
    return f"line {content.count(end, 0, place) + 1}"  # type: ignore[arg-type]  # of one type
