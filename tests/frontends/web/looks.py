"""The looks of a page, on a screen and on a telephone, by day and in the dark; axe on each."""

from axe_playwright_python.sync_playwright import Axe

LOOKS = {"desktop": None, "phone": "Pixel 7"}
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""Rules of those that ask for colours, which is all that the dark changes (`test_the_dark`)."""

OFF = {"enabled": False}
OPEN_ALL = """() => document.querySelectorAll("details").forEach((one) => {
  one.removeAttribute("name");
  one.open = true;
})"""

RUN = """options => axe.run(document, {...options, resultTypes: ["violations"]}).then(
  ({violations}) => violations.map(({id, nodes}) => [id, nodes.map(one => one.html.slice(0, 120))])
)"""


def options_of(browser, look):
    """Return the options of a browser with this look."""
    if look == "desktop":
        return {}
    device = browser.devices[LOOKS[look]]
    return {key: value for key, value in device.items() if key != "default_browser_type"}


def violations(page):
    """Return what axe finds by day, and in the dark what it finds about colours."""
    page.wait_for_load_state()
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(RUN, {"runOnly": RULES})
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(RUN, {"runOnly": COLOURS})
    page.emulate_media(color_scheme="light")
    return [*found, *((f"{rule} in the dark", nodes) for rule, nodes in dark)]


def in_other_languages(page, *paths):
    """Load pages in Korean and in Chinese; return what axe finds but for colours, by both.

    No word changes a colour. What can be opened is open.
    """
    found = {}
    for language in ("ko", "zh"):
        page.context.clear_cookies(name="ocrjury-language")
        cookie = {"name": "ocrjury-language", "value": language, "url": page.home}
        page.context.add_cookies([cookie])
        for path in paths:
            page.goto(f"{page.home}{path}")
            page.evaluate(OPEN_ALL)
            assert page.locator("html").get_attribute("lang") == language
            found[language, path] = of_words(page)
    page.context.clear_cookies(name="ocrjury-language")
    return found


def of_words(page):
    """Return what axe finds, but for colours."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    return page.evaluate(RUN, {"runOnly": RULES, "rules": dict.fromkeys(COLOURS, OFF)})


def wider_than_window(page, widths=(320, 360, 768)):
    """Load a page in narrow windows; return those in which it scrolls sideways."""
    wider = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        page.reload()
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        wider += [(width, wide)] if wide > width else []
    return wider


def too_small(page):
    """Return what is too small for a thumb."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".level, .excuse span, button, summary, .send a")]
        .filter((one) => one.checkVisibility())
        .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
        .filter(([, box]) => box.height < 44 || box.width < 40)
        .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
    )
