"""Waits and keys for a page in a browser, where one document gives way to the next."""

from contextlib import contextmanager

from playwright import sync_api as playwright

STATE = """() => ({
  focus: document.activeElement?.outerHTML.slice(0, 120),
  data: { ...document.body.dataset },
  ...(typeof handing === "undefined"
    ? {}
    : { unsent: queue.unsent(), ahead: ahead.count(), leaving: handing.leaving() }),
})"""

UNDO = 2000
NO_TIME_PASSES = f"""() => {{
  const [now, later] = [Date.now(), window.setTimeout];
  Date.now = () => now;
  window.setTimeout = (what, ms) => (ms === {UNDO} ? 0 : later(what, ms));
}}"""

STOP_TIMERS = """ms => {
  const later = window.setTimeout;
  window.stopped = [];
  window.setTimeout = (what, wait) => (wait === ms ? stopped.push(what) : later(what, wait));
}"""


def wait_until(page, condition, arg=None):
    """Wait until a function of a page says yes to `arg`; a document that comes is not asked."""
    whole = f"arg => document.readyState === 'complete' && ({condition})(arg)"
    try:
        page.wait_for_function(whole, arg=arg)
    except playwright.TimeoutError as late:
        late.add_note(f"{page.url} shows {state(page)}")
        raise


def follow(page, control):
    """Click what leads to another document; return once that is whole."""
    with page.expect_event("load"):
        control.click()


def press(page, *keys):
    """Press keys, the first once the document that is shown is whole."""
    page.wait_for_load_state()
    for key in keys:
        page.keyboard.press(key)


def keep_undoable(page):
    """Let the time to undo what is handed in from now on last until nothing waits any longer."""
    page.evaluate(NO_TIME_PASSES)


@contextmanager
def stopped(page, milliseconds):
    """Let what a page does by itself after so many milliseconds wait for the end of this."""
    page.evaluate(STOP_TIMERS, milliseconds)
    yield
    page.evaluate("() => stopped.forEach((what) => setTimeout(what, 0))")


@contextmanager
def held_up(page, pattern, *, kind="fetch"):
    """Hold up what a page asks for; at the end it goes on, also what we hear of only then."""
    slow = []
    over = False

    def hold(route, request):
        if over or request.resource_type != kind:
            route.continue_()
        else:
            slow.append(route)

    page.route(pattern, hold)
    yield
    over = True
    for route in slow:
        route.continue_()


def state(page):
    """What a page says of itself, or why it says nothing."""
    try:
        return page.evaluate(STATE)
    except playwright.Error as silent:
        return silent.message
