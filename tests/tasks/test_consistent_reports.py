"""Ten evaluations of different kinds: what stands on two pages of a report is the same there."""

import html
import re

import pytest

from ocrjury.estimate import Estimate
from ocrjury.pages.numbers import count, decimal, estimate_text, interval_text, percent, value_text
from ocrjury.report.html import render_html
from ocrjury.report.sections import (
    bias,
    certainty,
    families,
    rating_chart,
    ratings,
    rounds,
    sampling,
    sources,
    withheld_results,
)
from ocrjury.report.sections.gate_rule import judged_statistic
from ocrjury.report.sections.raters import Raters
from ocrjury.statistics import STATISTICS
from tests.language.messages import translations
from tests.language.pseudo import WORD, pseudo, unsaid
from tests.tasks.conftest import closed, documents
from tests.tasks.test_pilots import write_gold
from tests.tasks.test_system_comparison import two_systems

NAMED = {
    name
    for row in STATISTICS.values()
    for label in {row.label, row.short_label} - translations("ko").keys()
    for name in WORD.findall(label)
}
"""Proper names of statistics."""
DATA = (
    r"small(-p)?",
    r"d\d+",
    r"[RAE]\d\d",
    r"[0-9a-f]+",
    r"meaning|layout|fluency|bill|note|amount|text|fast|slow|llm|main",
    r"CER|WER|NED|BLEU|F1|OCR|GREG|UTC",
    *map(re.escape, NAMED),
    r"ocrjury|Python|numpy|scipy|pandas|rapidfuzz|weasyprint|prefect|sha256",
    r"\w",
    r"January|December|November",
    r"J|Kim|as|the|chair|said|report|again|tess",
    r"amount-differs|An|that|differs|is|at|most",
)
"""Words of the evaluations, and those that are alike in all languages."""

QUICK = {
    "sampling": {"n": 40},
    "rounds": {"frontend": "simulated", "top_ups": 0},
    "gate": {"on_fail": "proceed", "min_items": 20},
    "adaptive": {"max_rounds": 0, "budget": 0, "decisions": 0},
}
UNDECIDED = {"gate": {"on_fail": "proceed"}}  # on too few items
TARGET = {"report": {"target": {"dimension": "meaning", "mean": 3.5}}}
SHARE = {"report": {"target": {"dimension": "meaning", "share_at_least": 4, "share": 0.5}}}
FIELDS = [
    {
        "rule": "amount-differs",
        "kind": "amount",
        "when": "value_differs",
        "at_most": 2,
        "sentence": "An amount that differs is at most 2.",
    }
]


def careless(_small):
    return {**TARGET, "simulation": {"raters": {"R02": {"careless": 0.9}}}}


def share(_small):
    return {**SHARE, **UNDECIDED}


def three_dimensions(small):
    small.dimensions = ["meaning", "layout", "fluency"]
    return TARGET


def continuous(small):
    small.scale = {"kind": "interval", "low": 0, "high": 100}
    return {
        "report": {"target": {"dimension": "meaning", "mean": 60}},
        "truth": {"method": "mean_rating"},
    }


def binary(small):
    """Outputs, such as lines, of which a page has several."""
    small.scale = {"kind": "binary"}
    small.pool = [{**row, "page_id": f"p{at // 6}"} for at, row in enumerate(small.pool)]
    return UNDECIDED


def systems(small):
    small.pool = two_systems(40)
    return {**TARGET, "sampling": {"n": 60, "floor": 0}}


def beside(small):
    """Outputs of a page side by side, in a round that the gate tops up."""
    small.pool = two_systems(60)
    rounds = {"frontend": "simulated", "top_ups": 1, "page": {"systems": "side_by_side"}}
    noisy = {"default": {"noise": 0.6}}
    return {**TARGET, "sampling": {"n": 40, "floor": 0}, "rounds": rounds, "simulation": noisy}


def asked_again(_small):
    return {**TARGET, "adaptive": {"max_rounds": 2, "budget": 30}}


def on_shared_pages(small):
    small.pool = [
        {**row, "page_id": f"p{place // 6}", "kind": ("amount", "text")[place % 2]}
        for place, row in enumerate(documents(60))
    ]
    return {**TARGET, "rubric": {"field_rules": FIELDS}}


def gold(small):
    small.pool = documents(120)
    known = [(row["doc_id"], "meaning", 4, "") for row in small.pool[:30]]
    return {**TARGET, "raters": {"file": "raters.csv", "gold_every": 5, **write_gold(small, known)}}


KINDS = (
    *(careless, share, three_dimensions, continuous, binary),
    *(systems, beside, asked_again, on_shared_pages, gold),
)


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def told(small, request):
    """A report and the text of each of its sections."""
    data, _ = closed(small, **{**QUICK, **request.param(small)})
    return data, by_section(render_html(data)), small


def by_section(page):
    """Text of every section, by its anchor; the first is the cover."""
    page = re.sub(r"<(style|script|svg).*?</\1>", "", page, flags=re.DOTALL)
    parts = re.split(r'<h1 class="title" id="(\w+)">', page)
    texts = [
        re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", part))) for part in parts[::2]
    ]
    return dict(zip(["cover", *parts[1::2]], texts, strict=True))


def test_a_report_is_the_same_on_every_page_and_in_every_language(told):
    data, pages, small = told
    assert (data.shown_headline is None) == (data.verdict.decision == "FAIL")
    if data.shown_headline is None:
        nothing_is_told(data, pages)
    else:
        the_headline_is_one_number(data, pages)
        its_sources_add_up(data)
    agreement_is_one_number(data, pages)
    severities_are_one_number(data, pages)
    bias_tests_are_one_number(data, pages)
    counts_are_named_and_add_up(data, pages)
    error_rates_are_one_number(data, pages)
    parts_are_one_number(data, pages)
    ties_are_called_ties(data)
    bias_tests_are_counted_alike(data)
    every_sentence_can_be_translated(small)
    for language, foreign in (("ko", "[\u4e00-\u9fff]"), ("zh", "[\uac00-\ud7a3]")):
        translations_are_whole(small.report_page(language), foreign)


def every_sentence_can_be_translated(small):
    with pseudo() as spoken:
        assert unsaid(small.report_page(spoken), DATA) == []


def translations_are_whole(page, foreign):
    inline = re.sub(r"</?(sup|b|span)\b[^>]*>", "", page)
    text = " ".join(by_section(inline).values())
    assert not re.search(foreign, text)
    assert re.findall(r".{0,9}\b(?:PASS|FAIL|INCONCLUSIVE)\b.{0,9}", text) == []
    # A mark too many, a blank before it, a brace that nothing filled.
    assert re.findall(r".{12}(?:[ ,]\.|\.\.(?!\.)|\{|\(\)|（）|은\(는\)).{0,12}", text) == []


def the_headline_is_one_number(data, pages):
    headline, is_share = data.shown_headline, data.shown_headline.is_share
    row = next(row for row in data.estimates if row.dimension == headline.dimension)
    of_row = row.target_share if is_share else row
    assert (of_row.others, of_row.these) == (headline.others, headline.these)
    value = value_text(headline.others, share=is_share)
    for anchor in ("cover", "summary", "ratings", *([] if is_share else ["certainty"])):
        assert value in pages[anchor], anchor
        assert interval_text(headline.others, share=is_share) in pages[anchor], anchor
    for anchor in ("cover", *([] if is_share else ["ratings", "certainty"])):
        assert estimate_text(headline.these, share=is_share) in pages[anchor], anchor
    if headline.uncorrected is not None:
        assert "corrected by gold" in pages["cover"]
        for anchor in ("cover", "ratings", "certainty"):
            assert value_text(headline.uncorrected, share=is_share) in pages[anchor], anchor
    if data.outcome is not None:
        assert data.outcome.estimate == headline.others
    for one in certainty.shown(data):
        assert estimate_text(one.hajek) in pages["certainty"]
        assert value_text(one.hajek) in pages["ratings"]


def nothing_is_told(data, pages):
    """Where raters do not agree, no page has the number, and one says so."""
    hidden = interval_text(data.headline.others)
    assert not any(hidden in text for text in pages.values())
    assert "No result is shown while the raters’ agreement is in doubt." in pages["cover"]
    assert withheld_results.text(data) in pages["ratings"]


def its_sources_add_up(data):
    found, headline = sources.known(data), data.shown_headline
    of_raters = sum(row.n_ratings for row in found.raters)
    assert of_raters == headline.others.n_ratings
    assert len(found.raters) == headline.others.n_raters
    assert sum(row.share for row in found.raters) == pytest.approx(1)
    assert sum(found.variance.values()) == pytest.approx(1)
    assert data.sections["counted"].rated == headline.others.n_items
    if not headline.is_share:  # neither end of a long range is cut at an end of the scale
        length = headline.others.high - headline.others.low
        assert found.length >= length - 1e-9
    moved = sources.moved_text(data)
    whole, *steps = [float(text.replace("−", "-")) for text in re.findall(r"[+−]?\d+\.\d+", moved)]
    if steps:
        assert sum(steps) == pytest.approx(whole, abs=1e-6)


def agreement_is_one_number(data, pages):
    for row in data.sections["agreement"].dimensions:
        alpha = row.get("krippendorff_alpha")
        if not alpha.defined:
            continue
        assert f"{data.name(row.dimension)} {value_text(alpha)}" in pages["summary"]
        assert value_text(alpha) in pages["agreement"]
        assert interval_text(alpha) in pages["agreement"]
        if judged_statistic(data) == "krippendorff_alpha":
            assert decimal(alpha.value, 3) in " ".join(data.verdict.reasons)
            newest = [look for _, look in data.verdict.looks if look.dimension == row.dimension]
            assert [decimal(look.value, 3) for look in newest[-1:]] in (
                [],
                [decimal(alpha.value, 3)],
            )
            of_row = next(
                dimension
                for dimension in data.verdict.dimensions
                if dimension.dimension == row.dimension
            )
            for look in newest[-1:]:
                bound = decimal(look.lower, 3)
                assert look.decision == of_row.decision
                assert bound in pages["agreement"]
                assert look.decision != "PASS" or bound in " ".join(of_row.reasons)


def severities_are_one_number(data, pages):
    """A rater's severity has one value and one interval, on the raters' page and in the tests."""
    profiles = [
        (row.rater, row.severity.value, data.labels(found.dimension))
        for found in data.sections["agreement"].dimensions
        for row in found.profiles
        if row.severity.defined
    ]
    if len(data.dimensions) > 1:
        n_raters = len({rater for rater, _, _ in profiles})
        told = f"Rater severity, {len(data.dimensions)} dimensions 0 of {n_raters}"
        assert (told in pages["summary"]) == all(
            abs(value) <= (scale.high - scale.low) / 16 for _, value, scale in profiles
        )
    raters = data.sections["raters"]
    of_page = {row.rater: row.severity for row in raters.rows}
    for row in raters.bias:
        finding = row.strongest
        if row.kind == "severity" and row.dimension == raters.dimension and finding is not None:
            tested = Estimate(finding.effect, finding.low, finding.high)
            assert interval_text(tested) == interval_text(of_page[str(finding.rater)])


def bias_tests_are_one_number(data, pages):
    """The tests for bias are as many on their own page as where they are adjusted."""
    said = re.search(r"([\d,]+) tests? for bias", pages["methods"])
    tested = sum(row.tested for row in data.sections["raters"].bias)
    assert (said is not None) == (tested > 0)
    if said is not None:
        assert said[1] == count(tested)
        assert re.search(rf"\b{said[1]} tests?\b", pages["bias"])


def counts_are_named_and_add_up(data, pages):
    assert f"with fewer than {data.verdict.policy.min_items} items" in pages["methods"]
    counted, design = data.sections["counted"], data.sections["sampling"]
    assert (counted.drawn, counted.documents) == (design.n, design.pool_size)
    assert sum(part.items for part in design.parts) == design.n
    assert sum(part.share for part in design.parts) == pytest.approx(1)
    assert sum(row.pool for row in design.strata) == design.pool_size
    assert sum(row.sample for row in design.strata) == design.n
    assert f"{count(counted.rated)} items were rated by" in pages["summary"]
    assert f"from {count(counted.documents)} {counted.noun}s" in pages["cover"]
    assert f"whole pool: {count(counted.documents)} {counted.noun}s" in pages["scores"]
    drawn = f"{count(counted.drawn)} {counted.noun}s"
    if design.drawn_pages is not None:
        pages_drawn = f"{count(design.drawn_pages)} pages with known probabilities"
        drawn = f"{pages_drawn}, each with all its outputs, {drawn} in all"
    assert f"One draw of {drawn}" in pages["methods"]
    assert sampling.lead(design, counted) in pages["sampling"]
    if counted.noun != "document":
        assert not any(re.search(r"\d documents?\b(?! type)", text) for text in pages.values())
    if counted.pages is not None:
        assert counted.noun != "document"  # of which each is a page of its own
        for anchor in ("cover", "sampling"):
            assert f"on {count(counted.pages)} pages" in pages[anchor]
    held = data.sections["rounds"]
    done = sum(row.assignments for row in held.rows)
    assert f"{count(done)} assignments" in rounds.lead(held)
    assert sum(row.ratings for row in held.rows) == done * len(data.dimensions)
    for row in data.estimates:
        assert row.response.given == row.these.n_ratings
        assert f"{count(row.response.given)}" in pages["certainty"]
    for row in data.estimates:
        if row.types:
            assert sum(of.pool for of in row.types) == counted.documents
            assert sum(of.n for of in row.types) == row.others.n_items


def error_rates_are_one_number(data, pages):
    scores = data.sections["scores"]
    cer = next(row for row in scores.metrics if row.metric == "cer")
    for anchor in ("cover", "scores"):
        assert percent(cer.micro) in pages[anchor]
    assert "without sampling error" in pages["scores"]
    if data.field_errors is not None:
        assert sum(row.n for row in data.field_errors.by_kind) == data.field_errors.share.n_items
    for row in data.systems:
        of_pool = sum(system.pool for system in row.systems)
        assert of_pool == data.sections["counted"].documents
        for system in row.systems:
            assert estimate_text(system.estimate).split(" ")[0] in pages["systems"]


def parts_are_one_number(data, pages):
    """Types, systems, kinds of fields and rounds have one number wherever they are told."""
    if data.shown_headline is not None:
        of_type = {row.name: (estimate_text(row.estimate), count(row.n)) for row in data.types}
        assert all(text in pages["scores"] for text, _ in of_type.values())
        worst = re.findall(r"(\w+): (\S+ \(\S+ to \S+\)) on ([\d,]+) items", pages["summary"])
        assert all(of_type[name] == tuple(numbers) for name, *numbers in worst)
        own = [row for row in data.systems if row.dimension == data.headline.dimension]
        for one in (system for row in own for system in row.systems):
            assert estimate_text(one.estimate) in pages["cover"]
            assert value_text(one.estimate) in pages["systems"]
    if data.field_errors is not None:
        kinds = [row.estimate for row in data.field_errors.by_kind]
        for share in (data.field_errors.share, *kinds):
            text = value_text(share, share=True)
            assert all(text in pages[anchor] for anchor in ("cover", "summary", "scores"))
    measured = rounds.measured(data.sections["rounds"])
    assert all(percent(row.uncertain) in pages["rounds"] for row in measured)
    assert all(percent(row.uncertain) in pages["summary"] for row in measured[-1:])


def bias_tests_are_counted_alike(data):
    number = sum(row.tested for row in data[Raters].bias)
    if number:
        assert f"{number} test" in families.multiplicity_text(data)
        assert f"{number} test" in bias.lead(data)


def ties_are_called_ties(data):
    known = [row for row in ratings.counts(data) if row.n and data.labels(row.dimension).ordered]
    if len(known) < 2:
        return
    shares = [percent(rating_chart.told_share(row), 0) for row in known]
    tied = [
        data.name(row.dimension)
        for row, text in zip(known, shares, strict=True)
        if text == percent(max(map(rating_chart.told_share, known)), 0)
    ]
    title = rating_chart.title(data, known)
    # Who ties is not called first.
    assert " draws the most" not in title or [title.split(" draws the most")[0]] == tied


def test_an_estimate_prints_alike_wherever_it_is_printed():
    estimate = Estimate(3.795, 3.685, 3.905)

    assert estimate_text(estimate) == f"{value_text(estimate)} ({interval_text(estimate)})"
