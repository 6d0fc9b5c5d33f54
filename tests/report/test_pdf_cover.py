"""The cover of the PDF holds one page, however much stands on it."""

import dataclasses
from itertools import combinations

import pytest

from ocrjury import Estimate
from ocrjury.campaign.brand import Brand
from ocrjury.campaign.owners import Owner
from ocrjury.findings.systems import SystemDifference, SystemMean, Systems
from ocrjury.report.html import render_html
from ocrjury.report.pdf import write_pdf
from ocrjury.report.sections.request import Request
from tests.report.printed_pages import faults, printed_pages
from tests.report.test_brand import LOGO

LONG = "Released because the results are wanted before the end of the month. " * 29
SYSTEMS = [f"engine-{number}-with-a-name-of-forty-characters" for number in range(5)]


def systems():
    means = tuple(SystemMean(name, 60, Estimate(3.9, 3.7, 4.1)) for name in SYSTEMS)
    pairs = tuple(
        SystemDifference(a, b, 9, *[Estimate(0.5, 0.2, 0.8)] * 2)
        for a, b in combinations(SYSTEMS, 2)
    )
    return (Systems("meaning", means, pairs),)


@pytest.fixture
def covered(report, tmp_path):
    """Print the cover and the shortest section in a language; return the words of all pages."""

    def run(language, title, brand=None, **changes):
        identity = dataclasses.replace(
            report.identity, language=language, title=title, brand=brand and Brand(**brand)
        )
        changed = dataclasses.replace(report, identity=identity, **changes)
        write_pdf(render_html(changed, only=["methods"]), tmp_path / "cover.pdf")
        return printed_pages(tmp_path / "cover.pdf")

    return run


BRAND = {"name": "A" * 40, "logo": LOGO, "footer": "Confidential " * 5}
TITLES = {
    "en": "Insurance claims of the northern branches",
    "ko": "북부 지점의 보험 청구 서류와 진료비 영수증 전체",
    "zh": "北方各分公司的保险理赔文件以及医疗费用收据",
}


@pytest.mark.parametrize("language", TITLES)
def test_a_cover_with_brand_release_and_a_title_of_two_lines_is_one_page(covered, language):
    pages = covered(language, TITLES[language], BRAND)

    assert len([page for page in pages if "Confidential" in {word.text for word in page}]) > 1
    assert "pseudonyms." in {word.text for word in pages[0]} or language != "en"
    assert any(word.text in {"Contents", "차례", "目录"} for word in pages[1])
    assert not faults(pages)


@pytest.mark.parametrize("language", TITLES)
def test_a_cover_with_all_at_its_longest_is_one_page(covered, report, language):
    release = dataclasses.replace(report.verdict.release, reason=LONG)
    owner = Owner(decision="Head of the department of claims, northern branches")

    pages = covered(
        language,
        f"{TITLES[language]} " * 9,
        BRAND,
        systems=systems(),
        verdict=dataclasses.replace(report.verdict, release=release),
        sections={**report.sections, "request": Request(owner=owner, days=14)},
    )

    assert any(word.text in {"Contents", "차례", "目录"} for word in pages[1])
    assert not faults(pages)
