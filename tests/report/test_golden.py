"""What a whole report says, word for word; `make golden` writes the file anew."""

import re
from html import unescape
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "report.txt"


def test_the_report_reads_as_it_did(html, request):
    text = words_of(html)

    if request.config.getoption("--regen-golden"):
        GOLDEN.write_text(text, "utf-8")

    assert text == GOLDEN.read_text("utf-8")


def words_of(html):
    """The words of a page, a line for each element that has any."""
    body = re.sub(r"<(style|script)\b.*?</\1>", "", html, flags=re.DOTALL)
    lines = (
        " ".join(unescape(line).split()) for line in re.sub(r"<[^>]+>", "\n", body).split("\n")
    )
    return "\n".join(line for line in lines if line) + "\n"
