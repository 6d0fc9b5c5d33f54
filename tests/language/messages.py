"""Sentences of code and templates as Babel finds them, and the catalogues that translate them."""

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from ocrjury.language import LOCALES
from ocrjury.pages.catalogues import catalogue

ROOT = Path(__file__).parents[2]
CATALOGUES = ROOT / "templates" / "locale"
LANGUAGES = [language for language in LOCALES if language != "en"]
KEYWORDS = ["tr", "trn", "phrase", "counted", "plural"]
"""Functions that take sentences; the last two make a count with its noun."""
NAMED = re.compile(rf"\b(?:{'|'.join(KEYWORDS)})\b".encode())
TEMPLATES = {"autoescape": "true", "trim_blocks": "true", "lstrip_blocks": "true"}

HEAD = """msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""

Key = str | tuple[str, str]


def sources() -> Iterator[Path]:
    """Files that may hold sentences."""
    for path in sorted((ROOT / "src" / "ocrjury").rglob("*.py")):
        if "examples" not in path.parts:
            yield path
    yield from sorted((ROOT / "templates").rglob("*.j2"))


def extracted(path: Path) -> Iterator[Key]:
    """Sentences of one file, by the key of the catalogues."""
    body = path.read_bytes()
    if not NAMED.search(body):  # Babel would take every file of code apart
        return
    if path.suffix == ".py":
        found: Any = extract_python(BytesIO(body), KEYWORDS, [], {})
    else:
        found = babel_extract(BytesIO(body), KEYWORDS, [], TEMPLATES)
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


@cache
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


def catalogue_file(language: str) -> Path:
    """File that translates into a language."""
    return CATALOGUES / language / "ocrjury.po"


def translations(language: str) -> dict[Key, str]:
    """What the catalogue of a language holds."""
    texts: dict[Key, str] = {}
    with catalogue_file(language).open("rb") as file:
        for message in read_po(file, locale=LOCALES[language]):
            if message.id:
                key = message.id if isinstance(message.id, str) else tuple(message.id)
                texts[key] = (
                    message.string if isinstance(message.string, str) else message.string[0]
                )
    return texts


def paged(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of raters' pages, sheets, projects and emails: key, English, translation."""
    for folder in ("rating", "sheets", "labelstudio", "mail"):
        english = catalogue(folder, "en")
        for key, text in catalogue(folder, language).items():
            yield f"{folder}.{key}", english[key], text


def renewed(language: str) -> bytes:
    """Catalogue of a language with the sentences there are now; new ones are empty."""
    known = translations(language)
    made = Catalog(locale=LOCALES[language], fuzzy=False, header_comment="")
    for key, files in messages().items():
        text = known.get(key, "")
        places = [(file, None) for file in files]
        made.add(key, text if isinstance(key, str) else (text,), locations=places)
    body = BytesIO()
    write_po(body, made, width=100, omit_header=True)
    head = HEAD.format(language=LOCALES[language])
    return head.encode() + body.getvalue()


def main() -> None:
    """Write the catalogues anew and say how many sentences wait for a translation."""
    for language in LANGUAGES:
        catalogue_file(language).write_bytes(renewed(language))
        waiting = [key for key, text in translations(language).items() if not text]
        print(f"{catalogue_file(language).relative_to(ROOT)}: {len(waiting)} without translation")
        for key in waiting:
            print("  ", key)


if __name__ == "__main__":
    main()
