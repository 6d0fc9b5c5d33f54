"""Sentences of code and templates as Babel finds them, and the catalogues that translate them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.extract import extract_python
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

from ocrjury.language import LOCALES

ROOT = Path(__file__).parents[2]
CATALOGUES = ROOT / "templates" / "locale"
LANGUAGES = [language for language in LOCALES if language != "en"]
KEYWORDS = ["tr", "trn", "phrase", "counted", "plural"]
"""Functions that take sentences; the last two make a count with its noun."""
TEMPLATES = {"autoescape": "true", "trim_blocks": "true", "lstrip_blocks": "true"}

Key = str | tuple[str, str]


def sources() -> Iterator[Path]:
    """Files that may hold sentences."""
    for path in sorted((ROOT / "src" / "ocrjury").rglob("*.py")):
        if "examples" not in path.parts:
            yield path
    yield from sorted((ROOT / "templates").rglob("*.j2"))


def extracted(path: Path) -> Iterator[Key]:
    """Sentences of one file, by the key of the catalogues."""
    with path.open("rb") as file:
        if path.suffix == ".py":
            found: Any = extract_python(file, KEYWORDS, [], {})
        else:
            found = babel_extract(file, KEYWORDS, [], TEMPLATES)
        for _, function, given, _ in found:
            texts = [given] if isinstance(given, str) else list(given or ())
            if (key := _key(function, texts)) is not None:
                yield key


def _key(function: str, texts: list[str | None]) -> Key | None:
    """Key of a call's texts, None where its sentence is in a variable."""
    if function in {"counted", "plural"}:
        one, many = (*texts[1:3], None, None)[:2]
        return (f"{{n}} {one}", f"{{n}} {many or one + 's'}") if one else None
    if function == "trn":
        return (texts[0], texts[1]) if texts[0] and texts[1] else None
    return texts[0] if texts and texts[0] else None


def messages() -> dict[Key, list[str]]:
    """All sentences with the files that say them."""
    found: dict[Key, list[str]] = {}
    for path in sources():
        name = path.relative_to(ROOT).as_posix()
        for key in extracted(path):
            files = found.setdefault(key, [])
            if name not in files:
                files.append(name)
    return found


def translations(language: str) -> dict[Key, str]:
    """What the catalogues of a language hold."""
    texts: dict[Key, str] = {}
    for path in sorted((CATALOGUES / language).glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale=LOCALES[language]):
                if message.id:
                    key = message.id if isinstance(message.id, str) else tuple(message.id)
                    string = message.string
                    texts[key] = string if isinstance(string, str) else string[0]
    return texts
