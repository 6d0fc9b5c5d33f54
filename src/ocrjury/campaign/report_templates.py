"""The folder of templates that a campaign has for its report, read once and kept as texts."""

from pathlib import Path

from ocrjury.errors import InputError

ENDING = ".html.j2"
MOST_BYTES = 100_000


def read_templates(folder: Path) -> dict[str, str]:
    """Texts of the templates in a folder, by name of file.

    Raises
    ------
    InputError
        If there is no such folder, it holds something else, or it is too large.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except (OSError, ValueError) as error:
        raise InputError(f"there is no folder {folder} that can be read.") from error
    strange = [path.name for path in paths if not path.name.endswith(ENDING) or not path.is_file()]
    if strange or not paths:
        strange_text = strange[0] if strange else "nothing"
        raise InputError(
            f"{folder} holds {strange_text}; it holds templates and nothing else, such as "
            f"cover{ENDING}."
        )
    texts, room = {}, MOST_BYTES
    for path in paths:
        texts[path.name] = _text(path, room)
        room -= len(texts[path.name].encode())
    return texts


def _text(path: Path, most: int) -> str:
    """Text of a file, of which no more is read than there may be."""
    try:
        with path.open("rb") as file:
            body = file.read(most + 1)
        text = body.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"there is no file {path} that can be read.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text; save it again as UTF-8.") from error
    if len(body) > most:
        raise InputError(
            f"the templates in {path.parent} are larger than {MOST_BYTES // 1000} kB together."
        )
    return text.replace("\r\n", "\n")
