"""Make the pool of this folder anew: pages, fields and what Tesseract reads in them.

Needs Pillow and NumPy, and the Debian packages fonts-nanum, fonts-nanum-extra and fonts-noto-cjk;
unless ``--no-ocr`` is given also tesseract-ocr and tesseract-ocr-kor (5.3.0 made the files here).
"""

import argparse
import json
import logging
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.forms import FORMS, HANDWRITTEN_FORMS, fill_in
from generator.page import FONTS, Page
from generator.scan import LEVELS, Scan, crop_scan, relative_box, scan_page
from generator.tesseract import Word, joined, mean_confidence, read_page, words_within
from PIL import Image

PRINTED = tuple(face for face in FONTS if face != "pen")
WIDEST = 900  # pixels of a shipped image
BELOW_TEXT = 90  # pixels of the sheet that are kept under the last line

log = logging.getLogger("generate")


@dataclass(frozen=True, slots=True)
class Scanned:
    """A page with everything that is known about it."""

    name: str
    form: str
    face: str
    size: int
    handwritten: bool
    page: Page
    image: Image.Image
    scan: Scan

    @property
    def image_name(self) -> str:
        """Return the path of the page's image."""
        return f"pages/{self.name}.webp"


def make_page(number: int, seed: int) -> Scanned:
    """Return page ``number``; each has a generator of its own, so any can be made alone."""
    rng = random.Random(f"{seed}/{number}")
    form = FORMS[number % len(FORMS)]
    face, size = rng.choice(PRINTED), rng.choice([22, 24, 26])
    handwritten = form in HANDWRITTEN_FORMS and rng.random() < 0.25
    level = rng.choices(list(LEVELS), [level.share for level in LEVELS.values()])[0]
    fax = level != "clean" and rng.random() < 0.2
    page = fill_in(rng, form, face=face, size=size, handwritten=handwritten)
    image, scan = scan_page(page.image, rng, level, fax=fax)
    image = crop_scan(image, scan, bottom=page.y + BELOW_TEXT)
    return Scanned(f"kr-{number:03d}", form, face, size, handwritten, page, image, scan)


def save_image(scanned: Scanned, folder: Path) -> None:
    """Write the page's image, small enough to ship."""
    image = scanned.image
    if image.width > WIDEST:
        height = round(image.height * WIDEST / image.width)
        image = image.resize((WIDEST, height), Image.Resampling.LANCZOS)
    image.save(folder / scanned.image_name, "WEBP", quality=45, method=6)


def page_row(scanned: Scanned, text: str, words: Sequence[Word]) -> dict[str, object]:
    """Return the page as a row of pool.jsonl."""
    return {
        "doc_id": scanned.name,
        "doc_type": scanned.form,
        "language": "ko",
        "reference": "\n".join(scanned.page.lines),
        "hypothesis": text,
        "confidence": mean_confidence(words),
        "image": scanned.image_name,
        "font": scanned.face,
        "font_px": scanned.size,
        "handwritten": scanned.handwritten,
        **scanned.scan.columns(),
    }


def field_rows(scanned: Scanned, words: Sequence[Word]) -> Iterator[dict[str, object]]:
    """Yield the page's fields as rows of fields.jsonl."""
    for field in scanned.page.fields:
        found = words_within(words, field.frame, scanned.scan.on_sheet)
        yield {
            "doc_id": f"{scanned.name}/{field.name}",
            "page_id": scanned.name,
            "doc_type": scanned.form,
            "kind": field.kind,
            "language": "ko",
            "reference": field.value,
            "hypothesis": joined(found),
            "confidence": mean_confidence(found),
            "image": scanned.image_name,
            "box": relative_box(field.frame, scanned.scan, height=scanned.image.height),
            "field": field.name,
            "handwritten": field.handwritten,
            "level": scanned.scan.level,
        }


def generate(folder: Path, *, pages: Sequence[int], seed: int, ocr: bool) -> None:
    """Write pool.jsonl, fields.jsonl and the images of some pages."""
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    with (
        (folder / "pool.jsonl").open("w", encoding="utf-8") as pool,
        (folder / "fields.jsonl").open("w", encoding="utf-8") as fields,
    ):
        for number in pages:
            scanned = make_page(number, seed)
            save_image(scanned, folder)
            text, words = read_page(scanned.image, dpi=scanned.scan.dpi) if ocr else ("", [])
            pool.write(_json_line(page_row(scanned, text, words)))
            fields.writelines(_json_line(row) for row in field_rows(scanned, words))
            log.info("%s %s, %s, %d words", scanned.name, scanned.form, scanned.scan, len(words))


def _json_line(row: dict[str, object]) -> str:
    """Return a row as a line of JSON."""
    return json.dumps(row, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where pool.jsonl, fields.jsonl and pages/ go")
    parser.add_argument("--pages", type=int, default=72, help="how many (default: 72)")
    parser.add_argument("--first", type=int, default=0, help="number of the first (default: 0)")
    parser.add_argument("--seed", type=int, default=20240315, help="default: 20240315")
    parser.add_argument(
        "--no-ocr", action="store_true", help="draw only; every hypothesis is empty"
    )
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    numbers = range(given.first, given.first + given.pages)
    generate(given.folder, pages=numbers, seed=given.seed, ocr=not given.no_ocr)


if __name__ == "__main__":
    main()
