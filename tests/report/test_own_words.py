"""The report of a campaign with templates: its words, and what they cannot take away."""

import dataclasses
import re
from pathlib import Path

import pytest

from ocrjury.errors import InputError
from ocrjury.pages.own_problems import blocks
from ocrjury.report.html import check_templates, render_html
from ocrjury.report.known_names import absent

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "report.md"
BLOCKS = [(file, block) for file, names in blocks("report").items() for block in names]
GATE = '<p><b class="nowrap">Gate: × FAIL, released.</b></p>'


def template(file, **texts):
    own = "".join(f"{{% block {name} %}}{text}{{% endblock %}}" for name, text in texts.items())
    return {file: f'{{% extends "ocrjury/report/{file}" %}}\n{own}'}


@pytest.fixture(scope="module")
def worded(report):
    """Render the report with templates."""

    def rendered(files, only=("methods",), **identity):
        who = dataclasses.replace(report.identity, templates=files, **identity)
        return render_html(dataclasses.replace(report, identity=who), only=only)

    return rendered


def imprint(page):
    return re.search(r'<p class="imprint">(.*?)</p>', page)[1].split("<br>")


def test_blocks_that_repeat_ours_change_nothing_but_the_imprint(worded, html):
    files = {}
    for file, names in blocks("report").items():
        files |= template(file, **dict.fromkeys(names, "{{ super() }}"))

    page = worded(files, only=())

    told = imprint(page)[-1]
    assert all(f"{file} ({', '.join(names)})" in told for file, names in blocks("report").items())
    new = set(page.splitlines()) - set(html.splitlines())
    assert [line for line in new if "emplates" not in line] == []
    assert len(set(html.splitlines()) - set(page.splitlines())) == 2  # the imprint, the hashes


@pytest.mark.parametrize(
    ("file", "block"), [("cover.html.j2", "facts"), ("methods.html.j2", "end")]
)
def test_words_stand_in_their_block_and_the_imprint_says_so(file, block, worded):
    page = worded(template(file, **{block: "<p>Ours, {{ report.identity.title }}</p>"}))

    assert "<p>Ours, 보험 청구 서류</p>" in page
    assert imprint(page)[-1] == f"Changed by templates of the campaign: {file} ({block})."
    assert re.search(r"pool \w+ · templates [0-9a-f]{12}$", imprint(page)[1])
    # Once more among the methods.
    assert page.count("Changed by templates of the campaign") == 2


def test_words_speak_the_language_of_the_report(worded):
    text = "{% if language() == 'ko' %}<p>우리말</p>{% else %}<p>English</p>{% endif %}"
    page = worded(template("cover.html.j2", facts=text), language="ko")

    assert "<p>우리말</p>" in page
    assert imprint(page)[-1] == (
        "다음 블록은 캠페인의 템플릿으로 바꾸었습니다: cover.html.j2(facts)."
    )


def test_no_words_take_the_verdict_or_the_simulation_off_the_cover(worded, html):
    names = blocks("report")["cover.html.j2"]
    page = worded(template("cover.html.j2", **dict.fromkeys(names, "")))

    cover = page[page.index('<section class="cover"') : page.index("</section>")]
    assert "SIMULATED." in cover
    assert GATE in cover
    assert f"cover.html.j2 ({', '.join(names)})" in cover
    assert GATE not in html
    assert "SIMULATED RATERS" in page


def test_what_is_printed_is_escaped(worded):
    title = "<p>{{ report.identity.title }}</p>"
    page = worded(template("cover.html.j2", title=title), title="<script>x")

    assert "<p>&lt;script&gt;x</p>" in page
    assert "<script>x" not in page


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("begun {{ report.identity.brand.name }}", "'None' has no attribute 'name'"),
        ("begun {{ 1 / 0 }}", "division by zero"),
        ("begun {{ report.sections.clear() }}", "access to attribute 'clear' of 'dict' object is"),
    ],
)
def test_a_block_that_fails_leaves_ours_and_is_told(text, why, worded):
    page = worded(template("cover.html.j2", facts=f"\n{text}", brand="<p>Kept</p>"))

    assert "begun" not in page
    assert '<ul class="facts">' in page
    changed, failed = imprint(page)[-2:]
    assert changed.endswith("cover.html.j2 (brand).")
    told = f"Block facts of cover.html.j2 (line 3) is not used, because it failed here: {why}"
    assert failed.replace("&#39;", "'").startswith(told)


def test_a_problem_that_no_data_can_mend_is_refused(worded):
    files = template("cover.html.j2", facts="{{ report.identity.titel }}", outcom="")

    with pytest.raises(InputError) as refusal:
        worded(files)

    problem = "cover.html.j2, line 2: report.identity has no 'titel'. Did you mean 'title'?"
    assert str(refusal.value).startswith("report.templates has 2 problems:\n- cover.html.j2, ")
    assert f"\n- {problem}" in str(refusal.value)
    with pytest.raises(InputError) as again:
        check_templates(files)
    assert str(again.value) == str(refusal.value)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("report.shown_headline.other", "report.shown_headline has no 'other'. Did you mean"),
        ("report.headline.others.valu", "report.headline.others has no 'valu'. Did you mean"),
        ("say.covr", "say has no 'covr'. Did you mean 'cover'?"),
        ("say.cover.tr", "say.cover has no 'tr'."),
        ("report.identity.brand.line", None),
        ("report.sections.agreement.anything", None),
        ("say.contents.SILENCE", None),
        ("say.cover.caption", None),
        ("loop.index", None),
    ],
)
def test_paths_are_followed_as_far_as_types_lead(path, sentence):
    said = absent(tuple(path.split(".")))

    assert (said is None) == (sentence is None)
    assert (said or "").startswith(sentence or "")


def test_the_guide_lists_the_blocks():
    rows = re.findall(
        r"^\| ([`a-z0-9., ]+) \| ([`a-z, ]+) \|", GUIDE.read_text("utf-8"), re.MULTILINE
    )
    told = {
        (file, block)
        for files, names in rows
        for file in re.findall(r"`([a-z.0-9]+)`", files)
        for block in re.findall(r"`([a-z]+)`", names)
    }

    assert told == set(BLOCKS)
