"""The folder of templates that a campaign has for its report."""

import json

import pytest

from ocrjury.campaign import Campaign
from ocrjury.errors import InputError

WORDS = '{% extends "ocrjury/report/cover.html.j2" %}\r\n{% block title %}한글{% endblock %}'


@pytest.fixture
def worded(tmp_path, campaign_from):
    """Read a campaign whose folder of templates holds some files."""

    def read(**files):
        (tmp_path / "words").mkdir()
        for name, body in files.items():
            text = body if isinstance(body, bytes) else body.encode()
            (tmp_path / "words" / name.replace("_", ".")).write_bytes(text)
        return campaign_from(report={"templates": "words"})

    return read


def test_without_one_there_are_none(campaign_from):
    assert campaign_from().report.templates is None


def test_its_files_are_kept_with_the_evaluation(worded, tmp_path):
    campaign = worded(cover_html_j2=WORDS, _hidden="x")
    (tmp_path / "words" / "cover.html.j2").unlink()

    again = Campaign.from_json(json.loads(json.dumps(campaign.to_json())))

    assert again.report.templates == {"cover.html.j2": WORDS.replace("\r\n", "\n")}


def test_other_words_are_another_configuration(worded, campaign_from, tmp_path):
    first = worded(cover_html_j2=WORDS)
    (tmp_path / "words" / "cover.html.j2").write_text("other", "utf-8")

    assert campaign_from(report={"templates": "words"}).config_hash != first.config_hash


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, r"words holds nothing; it holds templates and nothing else, such as cover\.html\.j2"),
        ({"cover_html": "x"}, r"words holds cover\.html; it holds templates and nothing else"),
        ({"cover_html_j2": b"\xff"}, r"cover\.html\.j2 is not UTF-8 text; save it again as UTF-8"),
        (
            {"cover_html_j2": "x" * 60_000, "summary_html_j2": "x" * 60_000},
            r"the templates in .*words are larger than 100 kB together",
        ),
    ],
)
def test_a_folder_that_is_none_of_templates_is_refused(files, message, worded):
    with pytest.raises(InputError, match=rf"line \d+: report\.templates: .*{message}"):
        worded(**files)


@pytest.mark.parametrize("folder", ["absent", "campaign.yaml", "a\0b"])
def test_it_has_to_be_a_folder(folder, campaign_from):
    with pytest.raises(InputError, match=r"report\.templates: there is no folder .* that can be"):
        campaign_from(report={"templates": folder})
