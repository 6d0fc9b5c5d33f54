import base64
import dataclasses
import hashlib
import math
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from ocrjury import Estimate
from ocrjury.findings.agreement import AgreementFinding, Disagreements
from ocrjury.report.evidence import Items
from ocrjury.report.html import render_html
from ocrjury.report.marked_text import marked_text
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.raters import Raters

HOSTILE = (
    "<script>alert(1)</script>",
    "{{ 7*7 }}{% raw %}",
    "</p><img src=file:///etc/passwd onerror=x>",
    "\u202eevil\u2066",
    "</title></style><link rel=attachment href=file:///etc/hostname>",
    "\x00\x1b[31m",
)
NAMES = """html head meta title style body main section p h1 h2 h3 b a ol ul li span div dl dt dd
table caption thead tbody tr th td figure figcaption svg text line rect path circle polyline sup s
ins em img header article br script"""
TAGS = set(NAMES.split())


class Page(HTMLParser):
    """Collect what a page consists of."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.links, self.titles, self.images, self.text = [], [], [], [], []
        self.open = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)
        found = dict(attrs)
        self.links += [found[name] for name in ("href", "src", "action") if name in found]
        if tag == "img":
            self.images.append(found)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if self.open and self.open[-1] == "title":
            self.titles.append(data)
        if not {"style", "script"} & set(self.open):
            self.text.append(data)


def test_the_page_needs_nothing_beside_it(html):
    page = Page(html)

    assert all(link.startswith(("#", "data:image/jpeg")) for link in page.links)
    assert "url(" not in html
    assert "@import" not in html
    assert set(page.tags) <= TAGS
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html


def test_the_policy_lets_one_script_run_by_its_hash(html):
    [script] = re.findall(r"<script[^>]*>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    [policy] = re.findall(r'Policy" content="([^"]+)"', html)

    assert policy == (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'"
    )


def test_every_link_of_the_contents_has_its_place(html):
    anchors = re.findall(r'href="#([^"]+)"', html)

    assert len(anchors) == 15
    assert all(f'id="{anchor}"' in html for anchor in anchors)


def test_every_chart_and_picture_says_in_words_what_it_shows(html):
    page = Page(html)

    assert page.tags.count("svg") == len(page.titles) - 1
    assert all(len(title) > 15 for title in page.titles)
    assert all(image["alt"] for image in page.images)
    assert html.count('role="img"') == page.tags.count("svg")


def test_chart_sentences_hold_the_numbers_they_draw(html):
    titles = " ".join(Page(html).titles)

    for words in ("4.12", "3.93 to 4.31", "R03 −0.43", "31.0%", "median", "진료비영수증 59 of 402"):
        assert words in titles


SIZES = {
    "sampling-strata": (200, 1525),
    "differences-pairs": (37, 28, 40, 49, 31, 43, 52, 58, 34, 46, 55, 61),
    "differences-R03-R06": (60,),
    "differences-R05-R06": (60,),
    "differences-levels": (183, 184, 185, 186, 187, 188),
    "raters-severity": (66, 67),
    "raters-means": (66, 67),
    "ratings-given-meaning": (400,) * 2,
    "ratings-given-layout": (400,),
    "ratings-items-meaning": (200,) * 2,
    "ratings-items-layout": (200,),
    "ratings-types-chart": (59, 26, 32, 4, 39, 23, 3),
    "trend-chart": (200, 200, 197),
    "scores-distributions": (600,),
    "scores-cer-wer": (600,),
    "scores-cer-bleu": (600,),
    "scores-ranks": (600,),
    "scores-people": (200,),
    "confidence-default": (587,),
    "coverage-default": (587, 293),
    "rounds-uncertain": (200,) * 4,
}
"""How many ratings, items, pairs or outputs each panel of each chart is about."""
FIGURES = re.compile(r'<figure id="([^"]+)".*?</figure>', re.DOTALL)
NUMBER = re.compile(r"(?<![\d.])\d[\d,]*(?![\d%]|\.\d)")
TITLES = re.compile(r"<title>.*?</title>", re.DOTALL)
RANGE = re.compile(r"\d%? (?:to|–) −?\d|\d–\d")


def test_every_chart_is_titled_by_its_finding_with_n_and_an_interval_unless_all_are_counted(html):
    charts = {found[1]: found[0] for found in FIGURES.finditer(html)}
    said = {name: " ".join(Page(chart).text + Page(chart).titles) for name, chart in charts.items()}

    assert len(charts) == 21
    assert all(re.search(r"<figcaption><b[^>]*>[^<]+", chart) for chart in charts.values())
    exact = re.compile("sampling error|these items only")
    counted = {name for name, words in said.items() if exact.search(words)}
    assert all(RANGE.search(said[name]) for name in said.keys() - counted)
    assert counted == {
        *("sampling-strata", "scores-distributions", "scores-cer-wer", "scores-cer-bleu"),
        *("scores-ranks", "confidence-default", "coverage-default", "rounds-uncertain"),
        *("ratings-given-layout", "ratings-items-layout"),
    }


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_every_panel_of_every_chart_shows_its_n(make, report, language):
    html = render_html(make(identity=dataclasses.replace(report.identity, language=language)))
    charts = {found[1]: re.sub(TITLES, "", found[0]) for found in FIGURES.finditer(html)}

    assert charts.keys() == SIZES.keys()
    for name, chart in charts.items():
        numbers = Counter(NUMBER.findall(" ".join(Page(chart).text)))
        shown = Counter({int(n.replace(",", "")): k for n, k in numbers.items()})
        assert not Counter(SIZES[name]) - shown, name


def test_simulated_is_said_on_the_page_and_in_every_header(make, html, report):
    assert '"SIMULATED RATERS"' in html
    assert "no person judged these items" in html

    real = render_html(make(identity=dataclasses.replace(report.identity, simulated=False)))
    assert "SIMULATED" not in real.upper().replace("SIMULATED.CSS", "")


def test_the_page_is_dated_to_the_second_as_every_date_in_a_pdf_is(make, report):
    moment = report.identity.issued_at.replace(microsecond=155_909)
    page = render_html(make(identity=dataclasses.replace(report.identity, issued_at=moment)))

    assert re.findall(r'name="dcterms.\w+" content="([^"]*)"', page) == 2 * [
        report.identity.issued_at.isoformat()
    ]


def test_the_same_data_give_the_same_page(make):
    assert render_html(make()) == render_html(make())


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_printed_and_never_obeyed(make, report, text):
    row = dataclasses.replace(
        report.items.rows[0],
        doc_id=text,
        doc_type=text,
        kind=text,
        text=marked_text("reference", text),
    )
    strata = (dataclasses.replace(report.sections["sampling"].strata[0], stratum=text),)
    types = (dataclasses.replace(report.types[0], doc_type=text),)
    estimates = (dataclasses.replace(report.estimates[0], types=types),)
    html = render_html(
        make(
            items=dataclasses.replace(report.items, rows=(row,)),
            sampling=dataclasses.replace(report.sections["sampling"], strata=strata),
            estimates=estimates,
            identity=dataclasses.replace(report.identity, title=text, evaluation=text),
        )
    )

    page = Page(html)
    assert set(page.tags) <= TAGS
    assert page.tags.count("script") == 1
    assert page.tags.count("img") == 0 or all(
        image["src"].startswith("data:") for image in page.images
    )
    assert "49" not in page.titles[0]
    assert not set("\u202e\u2066\x00\x1b") & set(html)


def test_a_page_without_an_answer_prints_reasons_and_no_zeros(make, report):
    unknown = Estimate(math.nan, reason="no_variation")
    keys = report.sections["agreement"].dimensions[0].estimates
    dimension = AgreementFinding(
        dimension="meaning",
        n_items=0,
        n_raters=0,
        n_ratings=0,
        estimates=dict.fromkeys(keys, unknown),
        disagreements=Disagreements(threshold=2, n_items=0, n=0, rate=math.nan),
    )
    rows = tuple(
        dataclasses.replace(row, severity=unknown) for row in report.sections["raters"].rows
    )
    headline = dataclasses.replace(report.headline, these=unknown, others=unknown, hajek=None)

    html = render_html(
        make(
            agreement=Agreement(dimensions=(dimension,)),
            raters=Raters(rows=rows, dimension="meaning", mean=math.nan),
            headline=headline,
            estimates=(
                dataclasses.replace(
                    report.estimates[0],
                    these=unknown,
                    others=unknown,
                    hajek=None,
                    types=(dataclasses.replace(report.types[0], estimate=unknown),),
                ),
            ),
            sampling=None,
            scores=None,
            rounds=None,
            outcome=None,
            target=None,
            items=Items(rows=(), dimension="meaning", n_rated=0),
        )
    )

    said = "".join(Page(html).text)
    assert "all ratings are equal" in said
    assert "nan" not in re.sub(r"[a-z]nan|nan[a-z]", "", said.lower())


def test_of_an_item_without_a_reference_the_output_alone_is_printed(make, sample_items):
    items = sample_items()
    outputs = ("1,277", "")
    unknown = tuple(
        dataclasses.replace(row, text=marked_text(None, output), cer=None)
        for row, output in zip(items.rows, outputs, strict=False)
    )
    html = render_html(make(items=dataclasses.replace(items, rows=unknown)))
    evidence = html.split('id="items"')[1].split("</section>")[0]

    assert evidence.count("OCR output</span>1,277") == 1
    assert evidence.count("(empty)") == 1
    assert ">reference</span>" not in evidence
    assert "No reference tells what these items say." in evidence
    assert "Above the reference" not in evidence
    assert "error rate comes first" not in evidence
    assert "Among equals, the higher error rate comes first." in render_html(make())


@pytest.mark.parametrize(
    ("examples", "there", "absent"),
    [
        ("shown", "환자부담총액", "is masked"),
        ("masked", "○○○○○○", "환자부담총액"),
        ("off", "prints no text", "환자부담총액"),
    ],
)
def test_examples_are_shown_masked_or_off(make, sample_items, examples, there, absent):  # one case
    html = render_html(make(items=sample_items(examples)))

    assert there in html
    assert absent not in html
    assert ("data:image" in html) == (examples == "shown")


def test_marks_can_be_told_apart_without_colour(html):
    assert re.search(r"<s>원</s>", html)
    assert re.search(r"<em>8</em>", html)
    assert re.search(r"<ins>함</ins>", html)


def test_a_hidden_headline_appears_nowhere(make, report):
    verdict = dataclasses.replace(report.verdict, release=None)
    html = render_html(
        make(
            verdict=verdict,
            outcome=dataclasses.replace(report.outcome, why="not_agreed"),
        )
    )

    said = "".join(Page(html).text)
    assert "4.12" not in said
    assert "3.69" not in said


def test_the_unweighted_mean_is_crossed_out_and_stands_in_the_appendix_only(html):
    assert "".join(Page(html).text).count("3.69") == 1
    assert '<s class="naive">3.69</s>' in html


def test_a_hundred_raters_and_long_names_still_make_a_page(make, report):
    row = report.sections["raters"].rows[0]
    rows = tuple(dataclasses.replace(row, rater=f"R{n:03d}") for n in range(100))
    long_name = "아주 긴 이름 " * 40

    html = render_html(
        make(
            raters=dataclasses.replace(report.sections["raters"], rows=rows),
            identity=dataclasses.replace(report.identity, title=long_name),
        )
    )

    assert html.count("R099") >= 2


def test_severities_that_nobody_knows_have_no_columns_and_one_reason(make, report):
    raters = report.sections["raters"]
    nothing = Estimate(math.nan, reason="fewer_than_two_raters")
    rows = tuple(dataclasses.replace(row, severity=nothing) for row in raters.rows)

    page = render_html(make(raters=dataclasses.replace(raters, rows=rows)))

    assert page.count("No rater’s severity can be estimated: fewer than two raters.") == 1
    table = page.partition('id="raters-ratings"')[2].partition("</table>")[0]
    assert "Severity" not in table
    assert "Equal to label" in table


def test_an_excerpt_says_so_in_its_title_and_on_its_cover(report):
    whole, part = render_html(report), render_html(report, only=("summary",))

    assert re.search(r"<title>[^<]* · Excerpt</title>", part)
    assert re.search(r'<p class="kicker">[^<]* · Excerpt</p>', part)
    assert "Excerpt" not in whole


def test_bars_of_the_cover_end_where_their_ranges_end_and_have_a_legend(html, make, report):
    def gauge(page):
        return page.split('id="cover-headline"')[1].split("</svg>")[0]

    assert "linecap" not in gauge(html)
    assert ">Other raters like these</text>" in gauge(html)
    assert ">These raters</text>" in gauge(html)
    one = dataclasses.replace(report.headline, these=Estimate(3.98))
    assert ">These raters</text>" not in gauge(render_html(make(headline=one)))


def test_chinese_sentences_stand_without_a_blank_between_them(html_in):
    assert re.findall(r"[^>]{0,20}[。：]</b> ", html_in("zh")) == []
