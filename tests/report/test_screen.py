"""What a reader at a screen gets beside the page, in a real browser."""


def numbers_of(page, table, column):
    """Return what a column of a table says, downwards."""
    return page.evaluate(
        "([n, c]) => [...document.querySelectorAll('main table')[n].tBodies[0].rows]"
        ".map(row => row.cells[c].innerText.trim())",
        [table, column],
    )


def test_a_click_or_enter_on_a_head_sorts_numbers_as_numbers(browse):
    page = browse()
    values = ["1,200", "−3.5%", "—", "20", "< 0.01", "9"]
    table = page.evaluate(
        """values => {
        const all = [...document.querySelectorAll("main table")];
        const table = all.findIndex(one =>
          one.querySelector("th button") && one.tBodies[0].rows.length === values.length);
        [...all[table].tBodies[0].rows].forEach(
          (row, n) => { row.cells[1].textContent = values[n]; });
        return table;
        }""",
        values,
    )
    button = page.locator("main table").nth(table).locator("thead button").nth(1)

    button.click()
    assert numbers_of(page, table, 1) == ["−3.5%", "< 0.01", "9", "20", "1,200", "—"]
    assert page.locator("th[aria-sort=ascending]").count() == 1
    button.press("Enter")
    assert numbers_of(page, table, 1) == ["1,200", "20", "9", "< 0.01", "−3.5%", "—"]
    button.press("Enter")
    assert numbers_of(page, table, 1) == values


def test_what_scrolls_sideways_is_reached_by_the_keyboard_and_has_a_name(browse):
    found = browse(390).evaluate(
        """() => [...document.querySelectorAll(".wide")]
        .filter(box => box.scrollWidth > box.clientWidth)
        .map(box => [box.tabIndex, box.getAttribute("role"), box.getAttribute("aria-label")])"""
    )

    names = [name for *_, name in found]
    assert found
    assert all(one[:2] == [0, "region"] for one in found)
    assert all(names)
    assert len(set(names)) == len(names)
