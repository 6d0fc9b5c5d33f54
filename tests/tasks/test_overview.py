"""Page of an evaluation in Prefect's UI: one for each, of what is stored about it."""

import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.overview import overview_page
from tests.tasks.conftest import QUICK

FILE = {"rounds": {"frontend": "file"}}


def page_of(chain):
    with at_work() as work:
        return overview_page(work.case(chain.evaluation))


def test_progress_follows_ratings_without_a_run(small):
    small.write(**FILE).open()
    before = page_of(small)

    small.rate(["R01"], count=3)
    after = page_of(small)

    assert before == (before.evaluation, "Waits for 80 assignments: 0 of 80 done", before.markdown)
    assert after.standing == "Waits for 77 assignments: 3 of 80 done"
    assert "| assignments | ░░░░░░░░░░░░░░░░░░░░░░░░ 3 of 80 done |" in after.markdown
    assert "| items | 0 of 40 rated by all who were asked |" in after.markdown
    assert "| R01 | 3 |" in after.markdown


def test_the_same_standing_has_the_same_page(small):
    small.write(**FILE).at(20).open()

    before = page_of(small)

    assert page_of(small.at(21)) == before


def test_a_hold_says_why_and_where_to_decide(small):
    small.write(pool={"path": "gone.jsonl"}).open()

    page = page_of(small).markdown

    assert page.startswith("# small-p: The pool cannot be used: a decision is needed")
    assert "**Decide** at the [desk](http://127.0.0.1:8080/desk/small-p)" in page
    assert "`ocrjury evaluation`: retry, abort." in page


def test_the_end_shows_the_verdict_and_links_the_report(small, monkeypatch):
    small.write(**QUICK).open()
    monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")

    standing, page = page_of(small)[1:]

    assert standing == "Finished"
    assert "**Simulated raters**" in page
    assert "(https://rate.example.org/desk/small-p/reports/final-en-1.html)" in page
    assert "## Verdict" in page
    assert "| meaning | **" in page


@pytest.mark.parametrize("text", ["http://evil.example/x", "www.evil.example"])
def test_what_a_campaign_says_becomes_no_link(small, text):
    small.write(title=f"Claims at {text}", **FILE).open()

    page = page_of(small).markdown

    assert text not in page
    assert "| campaign | Claims at" in page
