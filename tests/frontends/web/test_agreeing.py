"""A panel member writes down what was agreed: what is missing is shown, and nothing is lost."""

from tests.frontends.web.test_round_kinds import at_the_item_to_agree_on, panel
from tests.whole_pages import wait_until

__all__ = ["at_the_item_to_agree_on", "panel"]

FOCUS = "() => document.activeElement.name"


def test_a_record_that_is_not_complete_leads_to_what_is_missing(at_the_item_to_agree_on):
    page = at_the_item_to_agree_on
    record, said = page.get_by_role("button", name="Record the agreement"), []
    for fill in (
        lambda: None,
        lambda: page.get_by_label("Discussion").fill("The amount is right."),
        lambda: page.locator("[name=value-meaning][value='3']").check(force=True),
    ):
        fill()
        record.click()
        said.append(page.evaluate(FOCUS))

    assert said == ["discussion", "value-meaning", "value-layout"]


def test_nobody_leaves_what_was_written_down_unasked(at_the_item_to_agree_on):
    page, asked = at_the_item_to_agree_on, []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))

    page.reload()
    page.get_by_label("Discussion").fill("The amount is right.")
    page.reload()
    wait_until(page, "() => document.getElementById('discussion').value === ''")

    assert asked == ["beforeunload"]
