"""The desk speaks the language of whoever asks, and every sentence can be said in another one."""

import re
from pathlib import Path

import pytest
from jinja2 import Environment

from tests.covers import cover, headline, withheld
from tests.frontends.web.conftest import open_place, store_in
from tests.frontends.web.desk.conftest import hold, judge
from tests.language.desk_site import DeskSite, rated, reported, suspected
from tests.language.pseudo import PSEUDO, pseudo, unsaid

TEMPLATES = sorted((Path(__file__).parents[2] / "templates" / "desk").glob("*.j2"))
GIVEN = """claims 보험 청구 서류 Claims Meaning Layout meaning layout bill amount KST en Kim
J A HH ocrjury PDF HTML"""
"""Names and codes."""
STORED = """On on in meaning Krippendorff's alpha is required Recalibrate Mean rating of the whole
pool is in No result shown while the raters agreement doubt Not mean or better"""
"""What tests keep as it is, where runs keep phrases."""
DATA = [re.escape(word).replace("'", "['’]") for word in f"{GIVEN} {STORED}".split()]
DATA += [r"(claims-)?p\d+", r"[RA]0\d", r"d\d+"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A desk on evaluations that are held by the gate, overdue, at work, and just begun."""
    with store_in(tmp_path_factory.mktemp("desk")) as base, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OCRJURY_HOME", str(base.home))
        patch.setenv("OCRJURY_DATABASE_URL", base.url)
        failed, late, working = rated(base), rated(base, share=0.7), rated(base, number=4)
        judge(failed)
        suspected(failed)
        reported(failed, withheld(), "interim")
        reported(failed, cover())
        hold(failed, "gate_failed", detail="0.41")
        reported(late, cover(headline=headline(3.9), word="NOT MET"))
        hold(late, "overdue", detail="0.41")
        places = (failed, late, working, open_place(base))
        base.evaluations = [place.evaluation for place in places]
        yield base


def pages_of(base):
    """Every page of the desk."""
    parts = [f"/{name}{part}" for name in base.evaluations for part in ("", "/items", "/raters")]
    return [f"/desk{part}" for part in ("", "/reports", "/enter", "/nothing", *parts)]


def refusals(desk, name):
    """Answers to what nobody may do, each with a sentence on its page or in its data."""
    path, given = f"/desk/{name}", {"version": "9", "reason": "as it is"}
    for fields in (
        {"decision": "proceed", "reason": "x"},
        {"decision": "nothing"},
        {"decision": "proceed"},
        {"decision": "proceed", "version": "2", "raters": "R09"},
        {"decision": "proceed", "version": "2", "dimensions": "x"},
        {"decision": "rerun judge", "version": "2"},
    ):
        yield desk.post(f"{path}/decisions", **given | fields)
    for change, rater in (("new", "R09"), ("any", "R01"), ("new", "A01")):
        yield desk.post(f"{path}/links", rater=rater, change=change)
    yield desk.client.post("/desk/enter", data={"code": "wrong"})
    yield desk.client.post("/desk/enter", data={"code": "x" * 20_001})
    yield desk.client.get("/desk", headers={"Host": "elsewhere.example.org"})
    for address in ("nothing", f"{name}/items?page=0", "a/b/c/d"):
        yield desk.client.get(f"/api/evaluations/{address}")
    for file in ("final-en-9.pdf", "x"):
        yield desk.client.get(f"{path}/reports/{file}")


def sentence_of(answer):
    """What a refusal tells people: on a page, in data, or as plain text."""
    if answer.headers["content-type"] == "application/json":
        return answer.json()["error"]["message"]
    return answer.text


def test_the_pages_say_nothing_that_cannot_be_translated(site):
    with pseudo():
        desk = DeskSite.on(site, PSEUDO)
        found = {path: unsaid(desk.page(path), DATA) for path in pages_of(site)}

    assert {path: texts for path, texts in found.items() if texts} == {}


def test_refusals_say_nothing_that_cannot_be_translated(site):
    with pseudo():
        desk = DeskSite.on(site, PSEUDO)
        answers = list(refusals(desk, site.evaluations[0]))
        found = [unsaid(sentence_of(answer), [*DATA, "x", "page"]) for answer in answers]

    assert [answer.status_code for answer in answers if answer.status_code < 400] == []
    assert [texts for texts in found if texts] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_a_sentence_of_its_own(template):
    """What is printed in rare cases only is in the templates all the same."""
    tokens = Environment(autoescape=True).lex(template.read_text("utf-8"))
    written = "".join(text if kind == "data" else " " for _, kind, text in tokens)

    assert unsaid(written, ["ocrjury", "PDF", "HTML", "plain", "centred"]) == []


@pytest.mark.parametrize(
    ("chosen", "accepted", "spoken"),
    [
        ("zh", "ko", "zh"),
        (None, "fr, ko-KR;q=0.8", "ko"),
        (None, "fr", "en"),
        ("fr", "zh-CN", "zh"),
        (None, "", "en"),
    ],
)
def test_the_desk_speaks_the_chosen_language_else_the_browsers(site, chosen, accepted, spoken):
    desk = DeskSite.on(site, chosen)
    desk.client.headers["Accept-Language"] = accepted
    title = {"en": "Evaluations", "ko": "평가 목록", "zh": "评估列表"}[spoken]

    page = desk.page("/desk")
    refusal = desk.client.get("/api/evaluations/nothing").json()["error"]["message"]

    assert f'<html lang="{spoken}">' in page
    assert f"<h1>{title}</h1>" in page
    assert refusal == NO_EVALUATION[spoken]


NO_EVALUATION = {
    "en": "There is no such evaluation.",
    "ko": "해당 평가가 없습니다.",
    "zh": "没有此评估。",
}


@pytest.mark.parametrize(
    ("before", "back"),
    [
        ("/desk", "/desk"),
        (
            "/desk/claims-p0/items?page=2&dimension=x#top",
            "/desk/claims-p0/items?page=2&dimension=x",
        ),
        ("/desk/claims-p0/decisions", "/desk/claims-p0"),
        ("/desk/claims-p0/links", "/desk/claims-p0/raters"),
        ("/desk/links", "/desk/links"),
        ("/enter", "/desk"),
        ("/desktop", "/desk"),
        ("//evil.example/desk", "/desk"),
    ],
)
def test_a_choice_leads_back_to_the_page_it_was_made_on(site, before, back):
    desk = DeskSite.on(site)
    referer = f"http://127.0.0.1:8080{before}"

    answer = desk.client.post(
        "/desk/language", data={"language": "ko"}, headers={"Referer": referer}
    )
    wrong = desk.client.post("/desk/language", data={"language": "xx"})

    assert (answer.status_code, answer.headers["location"]) == (303, back)
    assert answer.headers["set-cookie"].startswith("ocrjury-language=ko;")
    assert "set-cookie" not in wrong.headers


def test_dimensions_are_called_as_the_lead_reads(site):
    name = site.evaluations[0]

    assert "<h3>meaning 항목</h3>" in DeskSite.on(site, "ko").page(f"/desk/{name}")
    # The rubric has no title in Chinese, and the campaign is in English.
    assert "<h3>Meaning</h3>" in DeskSite.on(site, "zh").page(f"/desk/{name}")


def test_a_page_with_a_new_link_offers_no_other_language_as_it_is_shown_once(site):
    desk = DeskSite.on(site, "ko")

    page = desk.post(f"/desk/{site.evaluations[3]}/links", rater="R01", change="new").text

    assert "R01의 새 링크" in page
    assert 'action="/desk/language"' not in page
    assert 'action="/desk/language"' in desk.page("/desk")


def test_a_form_that_is_out_of_date_is_refused_in_the_language_of_the_desk(site):
    desk = DeskSite.on(site, "ko")

    answer = desk.client.post(f"/desk/{site.evaluations[0]}/decisions", data={"reason": "as it is"})

    assert (answer.status_code, "다시 불러와" in answer.text) == (403, True)
