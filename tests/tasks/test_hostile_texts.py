"""Texts of documents that attack their reader: the report shows them and fetches nothing."""

import re
import subprocess

import lxml.html
import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.report import build_report, render_html, write_pdf
from ocrjury.report.screen import page_script
from ocrjury.store.documents import list_items
from tests.tasks.conftest import QUICK, closed, documents

ENTITIES = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
HOSTILE = {
    "script": "<script>document.title='taken'</script><img src=x onerror=alert(1)>",
    "bomb": f'<!DOCTYPE svg [<!ENTITY l0 "ha">{ENTITIES}]><svg onload=alert(1)>&l8;</svg>',
    "file": "<img src=file:///etc/hostname><a href=file:///etc/passwd>x</a>{{ 7*7 }}{% raw %}",
    "style": "</style><link rel=stylesheet href=http://192.0.2.1/x.css><style>*{display:none}",
    "nested": "<b><i>" * 200 + "deep" + "</i></b>" * 200,
    "turned": "\u202eabc\u202c \u2067gnorw\u2069 שלום עולם",
    "unseen": "12\u200b34\u200d56\ufeff78\u00ad90\u2060",
    "controls": "a\x01b\x1b[31mred\x7f\u0085end",
    "long": "wide " * 60_000,
}
PRINTED = {
    "script": "<script>document.title='taken'</script>",
    "bomb": "lert(1)>&l8;</svg>",
    "file": "{{7*7}}{%raw%}",
    "style": "http://192.0.2.1/x.css",
    "nested": "b></i></b></i></b>",
    "turned": "‹U+202E›abc‹U+202C›",
    "unseen": "56‹U+FEFF›78‹U+00AD›90‹U+2060›",
    "controls": "a‹U+0001›b‹U+001B›[31mred",
    "long": "widewidewide",
}
"""What the report prints of each, without blanks."""


@pytest.fixture(scope="module")
def pool():
    """Documents of which the last ones read, and should have read, something hostile."""
    rows = documents(20)
    for row, (kind, text) in zip(rows, HOSTILE.items(), strict=False):
        row |= {"doc_id": f"{kind}{text[:200]}", "doc_type": text[:60] or kind, "hypothesis": text}
        row |= {"reference": f"{text[:5000]} and more", "confidence": 0.05}
    return rows


@pytest.fixture
def page(small, pool):
    """The report on them as HTML."""
    small.pool = pool
    data, _ = closed(
        small,
        **QUICK,
        sampling={"n": None},
        report={"worst_items": 20, "examples": "shown"},
    )
    return render_html(data)


def test_a_report_on_hostile_texts_shows_them_and_fetches_nothing(small, page, tmp_path):
    tree = lxml.html.fromstring(page)
    assert [one.text for one in tree.xpath("//script")] == [page_script().text]
    assert not tree.xpath("//link | //iframe | //object | //*[@onerror or @onload]")
    addresses = [*tree.xpath("//@src"), *tree.xpath("//@href")]
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert len(tree.xpath("//style")) == page.count("<style")
    assert not re.search("[\x01-\x08\x0b-\x1f\x7f\u0085\u202a-\u202e\u2066-\u2069]", page)
    shown = tree.text_content()
    assert "<script>document.title='taken'</script>" in shown
    assert "‹U+202E›abc" in shown
    assert "12‹U+200B›34" in shown
    assert len(page) < 400_000  # the long text alone has 300_000

    with at_work() as work:
        drawn = {item.doc_id for item in list_items(work.engine, small.evaluation)}
        assert drawn > {row["doc_id"] for row in small.pool[: len(HOSTILE)]}
        excerpt = render_html(build_report(work.store, small.evaluation), only=["items"])
    write_pdf(excerpt, tmp_path / "x.pdf")  # any address but the package's own ends it
    command = ["pdftotext", str(tmp_path / "x.pdf"), "-"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    said = re.sub(r"[\s\u2060]", "", said)
    assert "<imgsrc=file:///etc/hostname>" in said
    assert PRINTED.keys() == HOSTILE.keys()
    assert [kind for kind, text in PRINTED.items() if text not in said] == []


def test_half_a_character_is_left_out_by_its_line_and_the_rest_evaluated(small):
    small.pool = [*documents(3), {"doc_id": "half", "hypothesis": "a\ud800b", "reference": "ab"}]
    data, _ = closed(small, **QUICK, sampling={"n": None})

    with at_work() as work:
        drawn = {item.doc_id for item in list_items(work.engine, small.evaluation)}
    assert drawn == {"d000", "d001", "d002"}
    assert "d000" in render_html(data)
