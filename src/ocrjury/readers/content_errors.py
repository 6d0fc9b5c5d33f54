"""What cannot be used, with the file, the place in it, and why."""

from ocrjury.errors import InputError


class BadContentError(ValueError):
    """A part of a file cannot be used; whoever knows the file's name adds it.

    Parameters
    ----------
    reason
        What is wrong and what to do, without the end of the sentence; never a document's text.
    position
        Where in the file, for example ``"line 12"`` or ``"Blocks[3].Confidence"``.
    """

    def __init__(self, reason: str, position: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.position = position


class FileError(InputError):
    """A file of a pool cannot be used."""

    def __init__(self, path: str, reason: str, position: str | None = None) -> None:
        where = path if position is None else f"{path}, {position}"
        super().__init__(f"{where}: {reason}.")
        self.path = path
        self.reason = reason
        self.position = position


def line_at(content: bytes | str, place: int) -> str:
    """Line in which a place of a content is."""
    end: bytes | str = b"\n" if isinstance(content, bytes) else "\n"
    return f"line {content.count(end, 0, place) + 1}"  # type: ignore[arg-type]  # of one type
