"""The looks of a page, on a screen and on a telephone, by day and in the dark; axe on each."""

from html.parser import HTMLParser
from itertools import zip_longest

from axe_playwright_python.sync_playwright import Axe

LOOKS = {"desktop": None, "phone": "Pixel 7"}
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""Rules of those that ask for colours, which is all that the dark changes (`test_the_dark`)."""

PHONE = {"width": 412, "height": 839}
OFF = {"enabled": False}
OPEN_ALL = """() => document.querySelectorAll("details").forEach((one) => {
  one.removeAttribute("name");
  one.open = true;
})"""

RUN = """options => axe.run(document, {...options, resultTypes: ["violations"]}).then(
  ({violations}) => violations.map(({id, nodes}) => [id, nodes.map(one => one.html.slice(0, 120))])
)"""

SHOWN = """new Map([...document.body.querySelectorAll("*")].filter((one) => one.checkVisibility())
  .map((one) => [one, getComputedStyle(one)])
  .map(([one, { color, backgroundColor }]) => [one, `${color} ${backgroundColor}`]))"""
NOTE_SHOWN = f"() => {{ window.shownBefore = {SHOWN}; }}"
RUN_ON_OTHERS = f"""options => {{
  const others = [...{SHOWN}].filter(([one, look]) => shownBefore.get(one) !== look);
  const include = others.map(([one]) => one);
  return include.length ? ({RUN.replace("document", "{include}")})(options) : [];
}}"""
"""axe for what is shown otherwise than when it was noted."""


def options_of(browser, look):
    """The options of a browser with this look."""
    if look == "desktop":
        return {}
    device = browser.devices[LOOKS[look]]
    return {key: value for key, value in device.items() if key != "default_browser_type"}


def violations(page):
    """What axe finds by day, and in the dark what it finds about colours."""
    load_axe(page)
    found = page.evaluate(RUN, {"runOnly": RULES})
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(RUN, {"runOnly": COLOURS})
    page.emulate_media(color_scheme="light")
    return [*found, *((f"{rule} in the dark", nodes) for rule, nodes in dark)]


def whole_page(page):
    """What axe finds in one look."""
    return page.evaluate(RUN, {"runOnly": RULES})


def colours_beside_main(page):
    """What axe finds in one look, but for colours of what is in `main`."""
    beside = RUN.replace("document", "{exclude: [['main']]}")
    return [*of_words(page), *page.evaluate(beside, {"runOnly": COLOURS})]


def violations_of_looks(page, *, whole=whole_page):
    """What axe finds by day on a screen, and in the dark as wide as a telephone.

    What only one of the two shows, or colours otherwise, is asked for its other colours too.
    `whole` says what else is asked, in each of the two.
    """
    load_axe(page)
    assert page.locator("meta[name=viewport][content^='width=device-width']").count() == 1
    screen = page.viewport_size
    found = {"by day": whole(page)}
    page.evaluate(NOTE_SHOWN)
    page.set_viewport_size(PHONE)
    found["by day on a phone"] = page.evaluate(RUN_ON_OTHERS, {"runOnly": COLOURS})
    page.emulate_media(color_scheme="dark")
    found["in the dark on a phone"] = whole(page)
    page.evaluate(NOTE_SHOWN)
    page.set_viewport_size(screen)
    found["in the dark"] = page.evaluate(RUN_ON_OTHERS, {"runOnly": COLOURS})
    page.emulate_media(color_scheme="light")
    return [(f"{rule} {look}", nodes) for look, bad in found.items() for rule, nodes in bad]


def load_axe(page):
    page.wait_for_load_state()
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)


class Skeleton(HTMLParser):
    """What of a page no language may change: tags, names of attributes, and what ties them."""

    TIES = ("class", "id", "role", "for", "name", "type", "tabindex", "aria-labelledby", "href")
    WORDS = ("alt", "aria-description", "aria-label", "placeholder", "title")

    def __init__(self, page):
        super().__init__()
        self.found, self.words, self.names = [], 0, {}
        self.empty, self.open = [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        there = sorted(name for name, _ in attrs if name != "aria-current")
        ties = [value for name, value in attrs if name in self.TIES]
        names = [self.number_of(value) for name, value in attrs if name in self.WORDS]
        self.found.append((tag, there, ties, names))
        self.open = tag

    def handle_data(self, data):
        self.words += bool(data.strip())
        self.open = None if data.strip() else self.open

    def handle_endtag(self, tag):
        self.empty += [len(self.found)] if tag == self.open else []
        self.open = None

    def number_of(self, words):
        """Number of a name: two places have the same in all languages or in none; 0: empty."""
        words = (words or "").strip()
        return words and self.names.setdefault(words, len(self.names) + 1)


def in_other_languages(page, *paths):
    """What of a page's skeleton is not in Korean and Chinese as it is in English."""
    unlike = {}
    for path in paths:
        english, *others = [skeleton_of(page, path, one) for one in ("en", "ko", "zh")]
        unlike[path] = [
            difference
            for other in others
            for difference in zip_longest(english.found + english.empty, other.found + other.empty)
            if difference[0] != difference[1]
        ]
    page.context.clear_cookies(name="ocrjury-language")
    return unlike


def skeleton_of(page, path, language):
    speak(page, language)
    text = page.context.request.get(f"{page.home}{path}").text()
    assert f'<html lang="{language}">' in text
    return Skeleton(text)


def speak(page, language):
    """Let pages from now on be in a language."""
    page.context.clear_cookies(name="ocrjury-language")
    cookie = {"name": "ocrjury-language", "value": language, "url": page.home}
    page.context.add_cookies([cookie])


def violations_in_chinese(page, *paths):
    """Load pages in Chinese; return what axe finds but for colours, by page.

    Of the languages beside English, which `in_other_languages` compares, it has the shortest
    words, and so the least to press. No word changes a colour. What can be opened is open.
    """
    found = {}
    speak(page, "zh")
    for path in paths:
        page.goto(f"{page.home}{path}")
        page.evaluate(OPEN_ALL)
        assert page.locator("html").get_attribute("lang") == "zh"
        found["zh", path] = of_words(page)
    page.context.clear_cookies(name="ocrjury-language")
    return found


def of_words(page):
    """What axe finds, but for colours."""
    load_axe(page)
    return page.evaluate(RUN, {"runOnly": RULES, "rules": dict.fromkeys(COLOURS, OFF)})


def wider_than_window(page, widths=(320, 360, 768)):
    """Load a page in the narrowest window, widen it; return where it scrolls sideways."""
    wider = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        if width == widths[0]:
            page.reload()
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        wider += [(width, wide)] if wide > width else []
    return wider


def too_small(page):
    """What is too small for a thumb."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".level, .excuse span, button, summary, .send a")]
        .filter((one) => one.checkVisibility())
        .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
        .filter(([, box]) => box.height < 44 || box.width < 40)
        .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
    )
