import pytest

from ocrjury.campaign.flags import FLAGS, ITEM_PROBLEMS
from ocrjury.frontends.web.desk.wording import FLAGS as AT_THE_DESK
from ocrjury.pages.catalogues import catalogue, languages
from ocrjury.report.sections.response import EXCLUDED


@pytest.mark.parametrize("words", [AT_THE_DESK, EXCLUDED], ids=["desk", "report"])
def test_every_problem_of_an_item_has_its_words(words):
    assert tuple(words) == ITEM_PROBLEMS


@pytest.mark.parametrize("folder", ["sheets", "labelstudio"])
def test_every_flag_has_its_words_where_raters_work(folder):
    for language in languages(folder):
        assert {f"flag_{flag}" for flag in FLAGS} <= set(catalogue(folder, language))


def test_the_rating_page_has_words_for_every_problem_of_an_item():
    for language in languages("rating"):
        assert {f"flag_{flag}" for flag in ITEM_PROBLEMS} <= set(catalogue("rating", language))
