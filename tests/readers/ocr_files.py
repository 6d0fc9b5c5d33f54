"""OCR files of the tests: those written by hand, and writers of any page in each format."""

import html
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

DATA = Path(__file__).resolve().parents[1] / "data" / "ocr"
TSV_HEAD = "level page_num block_num par_num line_num word_num left top width height conf text"
WIDTH, HEIGHT = 1000, 800
MINUTES = [
    "Bericht über die Verhandlungen",
    "des Wiener Gemeinderates vom",
    "12. Oktober 1898, abends",
    "Vorsitz: Bürgermeister Lueger",
    "Das Wort erhält Dr. Schneider",
    "zur Frage der Straßenbahn.",
    "Er beantragt eine Million Kronen",
    "für den Ausbau der Linien",
]
"""Lines of a printed page."""


class Written(NamedTuple):
    """A word to be written: text, confidence from 0 to 100 or None, left, top, width, height."""

    text: str
    confidence: int | None
    box: tuple[int, int, int, int]

    @property
    def share(self):
        return None if self.confidence is None else self.confidence / 100

    @property
    def relative(self):
        left, top, width, height = self.box
        return [left / WIDTH, top / HEIGHT, (left + width) / WIDTH, (top + height) / HEIGHT]


# XML has no control characters; white space, of any kind, is what parts words.
LETTERS = st.characters(
    exclude_categories=["Cc", "Cs", "Cn", "Co", "Z"], exclude_characters="\ufeff"
)
ALPHABETS = st.characters(categories=["Lu", "Ll", "Nd", "Po", "Sm"], max_codepoint=0x2FF)
SCRIPTS = st.sampled_from("진료비合計カナשלוםعربيé́ñ̃\u200d😀👩")


def words(letters):
    """Draw words of a script, each at its place."""
    return st.builds(
        Written,
        st.text(letters, min_size=1, max_size=6),
        st.none() | st.integers(0, 100),
        st.tuples(
            st.integers(0, 400), st.integers(0, 400), st.integers(1, 500), st.integers(1, 300)
        ),
    )


def pages(letters):
    """Draw pages: lines of words; a page may have none."""
    return st.lists(st.lists(words(letters), min_size=1, max_size=4), max_size=4)


ANY_PAGES = pages(LETTERS | SCRIPTS)
ALPHABETIC_PAGES = pages(ALPHABETS)


def text_of(page):
    """The text that a page of words has."""
    return "\n".join(" ".join(word.text for word in line) for line in page)


def page_xml(page):
    """Write a page as PAGE-XML 2019."""
    lines = []
    for n, line in enumerate(page):
        inner = "".join(_page_word(f"w{n}-{k}", word) for k, word in enumerate(line))
        lines.append(f'<TextLine id="l{n}"><Coords points="0,0 1,1"/>{inner}</TextLine>')
    return (
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
        f'<Page imageFilename="p.png" imageWidth="{WIDTH}" imageHeight="{HEIGHT}">'
        f'<TextRegion id="r"><Coords points="0,0 1,1"/>{"".join(lines)}</TextRegion></Page></PcGts>'
    )


def _page_word(name, word):
    left, top, width, height = word.box
    right, bottom = left + width, top + height
    conf = "" if word.confidence is None else f' conf="{word.share}"'
    return (
        f'<Word id="{name}"><Coords points="{left},{top} {right},{top} {right},{bottom}"/>'
        f"<TextEquiv{conf}><Unicode>{html.escape(word.text)}</Unicode></TextEquiv></Word>"
    )


def alto(page):
    """Write a page as ALTO 4."""
    lines = "".join(
        f'<TextLine ID="l{n}">{"<SP/>".join(map(_alto_word, line))}</TextLine>'
        for n, line in enumerate(page)
    )
    return (
        '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout>'
        f'<Page WIDTH="{WIDTH}" HEIGHT="{HEIGHT}"><PrintSpace><TextBlock>{lines}</TextBlock>'
        "</PrintSpace></Page></Layout></alto>"
    )


def _alto_word(word):
    left, top, width, height = word.box
    wc = "" if word.confidence is None else f' WC="{word.share}"'
    return (
        f'<String CONTENT="{html.escape(word.text)}"{wc} HPOS="{left}" VPOS="{top}" '
        f'WIDTH="{width}" HEIGHT="{height}"/>'
    )


def hocr(page):
    """Write a page as hOCR."""
    lines = "".join(
        f'<span class="ocr_line" title="bbox 0 0 9 9">{" ".join(map(_hocr_word, line))}</span>'
        for line in page
    )
    return (
        '<html><body><div class="ocr_page" '
        f'title="bbox 0 0 {WIDTH} {HEIGHT}">{lines}</div></body></html>'
    )


def _hocr_word(word):
    left, top, width, height = word.box
    conf = "" if word.confidence is None else f"; x_wconf {word.confidence}"
    box = f"bbox {left} {top} {left + width} {top + height}"
    return f'<span class="ocrx_word" title="{box}{conf}">{html.escape(word.text)}</span>'


def tsv(page):
    """Write a page as Tesseract's table of words."""
    rows = ["\t".join(TSV_HEAD.split()), f"1\t1\t0\t0\t0\t0\t0\t0\t{WIDTH}\t{HEIGHT}\t-1\t"]
    for n, line in enumerate(page, start=1):
        for k, word in enumerate(line, start=1):
            sides = "\t".join(map(str, word.box))
            conf = -1 if word.confidence is None else word.confidence
            rows.append(f"5\t1\t1\t1\t{n}\t{k}\t{sides}\t{conf}\t{word.text}")
    return "".join(f"{row}\n" for row in rows)


WRITERS = {"page": page_xml, "alto": alto, "hocr": hocr, "tsv": tsv}
SUFFIXES = {"page": "xml", "alto": "xml", "hocr": "hocr", "tsv": "tsv"}
