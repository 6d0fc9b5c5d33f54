"""What one evaluation shows of a pair of raters, and of an automatic judge."""

import math
import re

import lxml.html
import pytest

from ocrjury.pages.environment import typeset
from ocrjury.pages.numbers import bounded, decimal, interval_text
from ocrjury.statistics import grade, statistic


def the_pairs_are_alike(findings, *, dimension, html, printed, exported):
    """Check every pair's kappa: by name, cut and grade the same wherever it is shown."""
    pairs = findings[dimension].pairs
    key = pairs.statistic
    cells = lxml.html.fromstring(html).xpath("//figure[@id='differences-pairs']")[0]
    assert str(typeset(statistic(key).short_label)) in html
    section = printed.partition(f"\n{dimension}\n")[2].partition(f"{statistic(key).label} of ")[2]
    lines = section.partition("\n\n")[0]
    assert pairs.rows
    for pair in pairs.rows:
        cut, graded = bounded(key, pair.estimate), grade(key, pair.estimate.value)
        names = sorted([pair.rater_a, pair.rater_b], reverse=True)
        mark = f"{' and '.join(names)}: {decimal(cut.value)} ({interval_text(cut)})"
        [cell] = cells.xpath(f".//*[@data-value='{mark}']")
        assert cell.get("class") == f"f-level-{graded.level}"

        ends = f"{decimal(cut.low, 3)} to {decimal(cut.high, 3)}"
        interval = "—" if math.isnan(cut.low) else ends
        words = (f"{pair.rater_a}, {pair.rater_b}", decimal(cut.value, 3), interval)
        line = " +".join(map(re.escape, (*words, str(cut.n_items), graded.common)))
        assert re.search(f"^{line}$", lines, re.MULTILINE), line

        [row] = [
            row
            for row in exported
            if (row["dimension"], row["rater"], row["other_rater"])
            == (dimension, pair.rater_a, pair.rater_b)
        ]
        assert (row["statistic"], row["weights"]) == (key, pairs.weights)
        is_of_the_table(row, pair.estimate)


def the_judge_is_alike(findings, *, dimension, html, page, exported):
    """Check a judge and its ceiling: names, values and intervals wherever they are shown."""
    [judge] = findings[dimension].judges
    keys = {"judge_alignment": judge.alignment, "judge_ceiling": judge.ceiling}
    [table] = lxml.html.fromstring(html).xpath("//table[@id='judges']")
    heads = [cell.text_content() for cell in table.xpath("thead//th")]
    [cells] = [
        [cell.text_content() for cell in row.xpath("th|td")] for row in table.xpath("tbody/tr")
    ]
    of_judge = page.partition("## Automatic judges")[2].splitlines()
    [head, _, line] = [row.split(" | ") for row in of_judge if row.startswith("|")]
    for key, measured in keys.items():
        cut, label = bounded(key, measured), statistic(key).short_label
        place = heads.index(label.replace("^", ""))
        assert cells[place : place + 2] == [decimal(cut.value), interval_text(cut)]
        assert line[head.index(label)] == f"{decimal(cut.value)} ({interval_text(cut)})"
        [row] = [row for row in exported if (row["judge"], row["statistic"]) == (judge.judge, key)]
        assert row["dimension"] == dimension
        is_of_the_table(row, measured)


def is_of_the_table(row, measured):
    """Check what programs read: name, unit and grade of the table of statistics, and the value."""
    key = row["statistic"]
    graded = grade(key, measured.value)
    assert (row["label"], row["unit"]) == (statistic(key).label, statistic(key).unit)
    assert row["grade"] == (graded.common if graded else None)
    for column in ("value", "low", "high"):
        number = getattr(measured, column)
        assert row[column] == (None if math.isnan(number) else pytest.approx(number))
