"""An evaluation whose report has words of its campaign."""

import shutil

import pytest

from ocrjury.errors import InputError
from ocrjury.store.evaluations import list_evaluations
from ocrjury.tasks import at_work
from ocrjury.tasks import report as report_task
from tests.tasks.conftest import QUICK, write_sketch

EXTENDS = '{% extends "ocrjury/report/cover.html.j2" %}\n'


@pytest.fixture
def worded(small):
    """Write a campaign with a template of the cover."""

    def write(text):
        folder = small.path.with_name("words")
        folder.mkdir()
        (folder / "cover.html.j2").write_text(EXTENDS + text, "utf-8")
        return small.write(report={"templates": "words"}, **QUICK)

    return write


def test_the_words_outlive_their_folder(worded, small, monkeypatch):
    monkeypatch.setattr(report_task, "write_pdf", write_sketch)
    worded("{% block facts %}<p>Ours since 1897</p>{% endblock %}").open()
    shutil.rmtree(small.path.with_name("words"))

    page = small.report_page()

    assert "<p>Ours since 1897</p>" in page
    assert "Changed by templates of the campaign: cover.html.j2 (facts)." in page


def test_what_cannot_be_printed_is_refused_before_anybody_rates(worded, small):
    with pytest.raises(InputError) as refusal:
        worded("{% block fact %}{% endblock %}").open_only()

    assert str(refusal.value).startswith(
        "report.templates: cover.html.j2, line 2: there is no block 'fact'; there are brand, "
    )
    with at_work() as work:  # what tells the leads has a ledger
        assert not list_evaluations(work.engine)
