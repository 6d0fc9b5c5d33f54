"""axe finds nothing on a large screen, a telephone and in the dark; nothing scrolls sideways."""

import re
from pathlib import Path

import pytest

from ocrjury.frontends.web.rendering import desk_page
from ocrjury.frontends.web.rendering import page as page_of
from ocrjury.language import speaking
from ocrjury.store.documents import GoldRow
from tests.frontends.web.looks import (
    PHONE,
    Skeleton,
    in_other_languages,
    options_of,
    too_small,
    violations,
    violations_in_chinese,
    violations_of_looks,
    wider_than_window,
)
from tests.frontends.web.test_round_kinds import EXPERTS, next_round, rated
from tests.whole_pages import follow

TEMPLATES = Path(__file__).resolve().parents[3] / "templates"
DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}")


@pytest.mark.parametrize("name", ["rating/static/rating.css", "desk/static/desk.css"])
def test_the_dark_changes_colours_and_nothing_else(name):
    """What axe finds besides, it finds by day: `violations` asks for colours alone in the dark."""
    style = (TEMPLATES / name).read_text("utf-8")
    [dark] = DARK.findall(style)
    day = style.partition("@media")[0]

    changed = [one.split(":", 1) for one in dark.split(";") if one.strip()]
    for variable, value in changed:
        assert f"{variable.strip()}:" in day
        colours = re.sub(r"0 1px 2px (?=rgb)|var\(--[a-z-]+\)", "", value)  # a shadow's size
        assert re.fullmatch(r"\s*(#[0-9a-f]{3,6}|rgb\([\d ./]+\))?\s*", colours), variable
    assert len(re.findall("prefers-color-scheme", style)) == 1


def test_a_language_changes_words_and_nothing_else(rounds, item, client_of, now):
    """What axe finds in one language, it finds in all: words are never empty, and fit or wrap."""
    known = [GoldRow("d1", "meaning", 2.0, "The amount differs.", "file")]
    place = rounds(kind="pilot", raters=("R01",), items=[item("d1")], gold=known, people=EXPERTS)
    rater = client_of(place, "R01", number=None)
    visit, *_ = rater.open()
    shown = [alike(rater, "/rate")]
    rater.hand_in()
    paths = (f"/practice/{visit}", "/rate", "/pause", "/mine", "/work", "/sessions", "/rate/x")
    shown += [alike(rater, path) for path in (*paths, "/enter")]
    next_round(place, "panel", [one.pseudonym for one in EXPERTS], now)
    for expert, level in (("E01", 4), ("E02", 4), ("E03", 2)):
        voter = client_of(place, expert)
        voter.hand_in({"meaning": level, "layout": 5})
    shown += [alike(voter, "/panel"), alike(voter, "/rate")]

    assert shown == [(True, True)] * 11


def alike(client, path):
    """Whether a page is built alike in three languages, and has as many words."""
    plain, parts = client.cookie, []
    for language in ("en", "ko", "zh"):
        client.cookie = f"{plain}; ocrjury-language={language}"
        page = client.ask("GET", path).text.decode()
        assert f'<html lang="{language}">' in page
        parts.append(Skeleton(page))
    client.cookie = plain
    first, *others = parts
    return (
        all(other.found == first.found for other in others),
        all(other.words == first.words for other in others),
    )


def test_what_is_too_pale_in_the_dark_alone_is_found(base, visitor):
    page = visitor(base.server)
    page.goto(f"{base.server.address}/enter")
    assert violations(page) == []

    page.evaluate("() => { document.querySelector('h1').style.color = '#222a31'; }")

    assert [rule for rule, _ in violations(page)] == ["color-contrast in the dark"]


def test_what_one_look_alone_shows_is_found_in_its_other_colours(base, visitor):
    page = visitor(base.server)
    page.goto(f"{base.server.address}/enter")
    page.evaluate(
        """() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(`
          .broad { color: #222a31 } .narrow { color: #e7ecf1 }
          @media (max-width: 900px) { .broad { display: none } }
          @media (min-width: 901px) { .narrow { display: none } }`);
        document.adoptedStyleSheets = [sheet];
        const words = '<p class="broad">On a screen</p><p class="narrow">On a phone</p>';
        document.querySelector("h1").insertAdjacentHTML("afterend", words);
        }"""
    )

    assert [(rule, len(nodes)) for rule, nodes in violations_of_looks(page)] == [
        ("color-contrast by day on a phone", 1),
        ("color-contrast in the dark", 1),
    ]


def test_what_axe_would_find_in_one_language_alone_makes_another_skeleton():
    """An element or a name without words, and two places that share a name."""

    def built(page):
        skeleton = Skeleton(page)
        return skeleton.found, skeleton.empty

    english = '<nav aria-label="Work"></nav><nav aria-label="Help"><a href="/">Back</a></nav>'
    korean = english.replace("Work", "작업").replace("Help", "도움말").replace("Back", "뒤로")

    assert built(korean) == built(english)
    for words, other in (("작업", ""), ("작업", "도움말"), ("뒤로", " ")):
        assert built(korean.replace(words, other)) != built(english)


@pytest.fixture
def practice(rounds, item):
    """A pilot of one item whose rating is known."""
    gold = [GoldRow("d1", "meaning", 2.0, "The amount differs.", "file")]
    items, page = [item("d1")], {"confidence": True}
    return rounds(kind="pilot", raters=("R01",), items=items, gold=gold, page=page)


def test_no_page_has_a_violation(practice, visitor):
    place, page = practice, visitor(practice.server)
    page.goto(f"{place.server.address}/enter")
    found = {"enter": violations_of_looks(page)}
    page.goto(f"{place.server.address}/enter#{place.link('R01')}")
    page.wait_for_url("**/rate")
    found["item"] = violations_of_looks(page)
    for summary in ("#comment-box summary", "#flag-box summary", "#guide summary"):
        page.locator(summary).click()
    page.locator("[name=value-meaning][value='5']").check(force=True)
    page.get_by_text("if it differs").last.wait_for()
    found["everything open"] = violations_of_looks(page)
    page.evaluate("() => document.getElementById('help').showModal()")
    found["keys"] = violations_of_looks(page)
    page.get_by_role("button", name="Close").click()
    for name in ("meaning", "layout"):
        page.locator(f"[name=value-{name}][value='4']").check(force=True)
    page.locator("#hand-in").click()
    page.wait_for_url("**/practice/*")
    found["practice"] = violations_of_looks(page)
    follow(page, page.get_by_role("link", name="Next item"))
    page.get_by_role("heading", name="Practice is complete").wait_for()
    found["end"] = violations_of_looks(page)
    page.goto(f"{place.server.address}/pause")
    found["rest"] = violations_of_looks(page)
    page.goto(f"{place.server.address}/rate/nothing")
    found["message"] = violations_of_looks(page)

    assert {name: bad for name, bad in found.items() if bad} == {}


def test_no_page_has_a_violation_in_another_language(practice, visitor, browser):
    page = visitor(practice.server, practice.link("R01"), **options_of(browser, "phone"))
    found = violations_in_chinese(page, "/rate")

    assert {name: bad for name, bad in found.items() if bad} == {}


TYPED = {"to": "/x", "fields": [("comment", "blurred")]}
OF_TROUBLE = {
    "kept": lambda language: page_of("kept", language=language, sentence="It is full.", **TYPED),
    "kept at the desk": lambda _: desk_page("kept", sentence="It is full.", **TYPED),
    "message at the desk": lambda _: desk_page("message", sentence="There is nothing here."),
    "somebody else at the desk": lambda _: desk_page(
        "instead", code="x", old="J. Kim", new="M. Lee", instead="y"
    ),
}


def test_no_page_of_trouble_has_a_violation_in_any_language(base, visitor):
    page, found = visitor(base.server), {}
    page.goto(f"{base.server.address}/enter")
    for name, render in OF_TROUBLE.items():
        written = {}
        for language in ("en", "ko", "zh"):
            with speaking(language):
                written[language] = render(language).body.decode()
        page.set_content(written["en"])
        assert page.locator("h1").is_visible()
        found[name] = violations_of_looks(page)
        english, *others = map(Skeleton, written.values())
        assert [other.found for other in others] == [english.found] * 2
        assert [other.words for other in others] == [english.words] * 2

    assert {name: bad for name, bad in found.items() if bad} == {}


def test_no_page_of_adjudicators_and_panels_has_a_violation(rounds, visitor, client_of, now):
    place = rounds(people=EXPERTS, page={"confidence": True})
    rated(place, now, {"R01": (1, 5), "R02": (5, 5)})
    next_round(place, "adjudication", ["A01"], now)
    page = visitor(place.server, place.link("A01"))
    found = {"own judgement": violations_of_looks(page)}
    choose_all(page, "4")
    page.locator(".others").wait_for()
    found["decision"] = violations_of_looks(page)
    next_round(place, "panel", [one.pseudonym for one in EXPERTS], now)
    client_of(place, "E01").hand_in({"meaning": 4, "layout": 5})
    page = visitor(place.server, place.link("E03"), watched=True)
    choose_all(page, "3")
    page.get_by_role("heading", name="Your votes are in").wait_for()
    found["end of votes"] = violations_of_looks(page)
    client_of(place, "E02").hand_in({"meaning": 4, "layout": 5})
    page.reload()
    follow(page, page.get_by_role("link", name="Items to agree on"))
    found["panel"] = violations_of_looks(page)
    follow(page, page.get_by_role("link", name="Item 1"))
    found["votes"] = violations_of_looks(page)
    found |= in_other_languages(page, "/panel", page.url.removeprefix(page.home))
    page.set_viewport_size(PHONE)

    assert {name: bad for name, bad in found.items() if bad} == {}
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.foreign == []


def choose_all(page, level):
    """Choose the same level everywhere, and hand in."""
    for name in ("meaning", "layout"):
        page.locator(f"[name=value-{name}][value='{level}']").check(force=True)
    page.locator("#hand-in").click()


def test_nothing_scrolls_sideways(rounds, item, visitor):
    long = "보험금청구서" * 40
    place = rounds(raters=("R01",), items=[item("d1", reference=long, hypothesis=long[1:])])
    page = visitor(place.server, place.link("R01"))

    assert wider_than_window(page) == []


def test_what_thumbs_press_is_large_enough(rounds, visitor, browser):
    place = rounds(raters=("R01",))
    page = visitor(place.server, place.link("R01"), **options_of(browser, "phone"))

    assert too_small(page) == []


def test_a_card_stands_in_the_middle_of_a_narrow_window(base, visitor):
    page = visitor(base.server, viewport={"width": 700, "height": 700})
    page.goto(f"{base.server.address}/enter")
    middles = []
    for width in (700, 320):
        page.set_viewport_size({"width": width, "height": 700})
        box = page.locator(".card").bounding_box()
        middles.append(box["x"] + box["width"] / 2)

    assert middles == [350, 160]
