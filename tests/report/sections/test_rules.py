import dataclasses

import pytest

from ocrjury.report.html import render_html, sections
from ocrjury.report.rule_breaks import RuleBreak, RuleBreaks, RuleRow
from ocrjury.report.sections import rules
from tests.report.test_golden import words_of


def row(when="value_differs", kind="amount", **changes):
    given = {"dimension": "meaning", "rater": "R03", "ratings": 4, "items": 4, "told": 1}
    one = RuleBreak(**{**given, "levels": ((5.0, 4),), **changes})
    return RuleRow(rule="r", kind=kind, when=when, sentence="At most 4.", breaks=(one,))


def test_the_report_says_who_gave_more_than_a_rule_allows(report):
    text = words_of(render_html(report))

    assert "13 of the 391 ratings of fields that a rule is about (3.3%) lie above what" in text
    assert "R03 Meaning 4 4 1 of 4" in " ".join(text.split())
    assert "Rated 5 Rated 4 Rated 3 Items Told R06 Meaning 1 6 0 7 2 of 7" in " ".join(text.split())
    assert "Each is kept as it was given and counts like any other" in text
    assert "Nobody broke date-format." in text


def test_the_rule_broken_most_comes_first(report):
    assert [one.rule for one in rules.broken(report.sections["rules"])] == [
        "text-distance",
        "amount-differs",
    ]
    first = rules.broken(report.sections["rules"])[0]
    assert [one.rater for one in rules.most(first)] == ["R06", "R05"]


def test_the_page_says_which_ratings_it_counts(report):
    counted = report.sections["rules"]
    first_only = dataclasses.replace(counted, checked_by_kind={"main": 391})

    assert counted.checked == first_only.checked == 391
    assert rules.base_text(counted) in words_of(render_html(report))
    assert rules.base_text(counted) == (
        "Every rating given counts here: 320 first-pass in main rounds; others: 10 gold, "
        "41 adaptive and 20 panel."
    )
    assert rules.base_text(first_only) == "All of these are first-pass ratings of the main rounds."


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("value_differs", "items whose code is wrong"),
        ("text_differs", "items whose code is not the same in every character"),
        ("only_format_differs", "items whose code is right but written another way"),
        ("ned", "items whose code differs too much for that"),
    ],
)
def test_every_kind_of_rule_has_its_words(when, words):
    assert rules.counts_text(row(when, "code")) == f"Counts are {words}, rated above the rule."


def test_the_many_values_of_a_continuous_scale_are_only_counted():
    values = tuple((90.0 - step, 1) for step in range(6))

    assert rules.levels(row(items=6, ratings=6, levels=values)) == []
    assert rules.levels(row()) == [5.0]


def broken_by(name, raters, **changes):
    one = row(**changes).breaks[0]
    breaks = tuple(dataclasses.replace(one, rater=f"R{n}", ratings=raters) for n in range(raters))
    return dataclasses.replace(row(), rule=name, breaks=breaks)


def test_narrow_tables_stand_in_two_columns_of_about_the_same_height():
    rows = tuple(broken_by(name, n) for name, n in (("a", 5), ("b", 2), ("c", 1)))

    left, right = rules.columns(RuleBreaks(rows=rows, checked_by_kind={"main": 20}))

    assert [[one.rule for one in column] for column in (left, right)] == [["a"], ["b", "c"]]


def test_a_table_of_many_levels_or_raters_has_the_whole_width():
    long = broken_by("long", 13)
    levels = broken_by("levels", 2, levels=((5.0, 1), (4.0, 2), (3.0, 1)))
    narrow = broken_by("narrow", 12)
    checked = RuleBreaks(
        rows=(long, levels, narrow, broken_by("other", 1)), checked_by_kind={"main": 400}
    )
    alone = RuleBreaks(rows=(long, narrow), checked_by_kind={"main": 400})

    assert {one.rule for one in rules.wide(checked)} == {"long", "levels"}
    columns = rules.columns(checked)
    assert [[one.rule for one in column] for column in columns] == [["narrow"], ["other"]]
    assert (rules.wide(alone), rules.columns(alone)) == ([long, narrow], ([], []))


def test_a_report_without_a_break_says_so_and_prints_no_table(make):
    none = RuleBreaks(rows=(dataclasses.replace(row(), breaks=()),), checked_by_kind={"main": 1})

    text = words_of(render_html(make(rules=none)))

    assert "None of the 1 rating of fields that a rule is about lies above" in text
    assert "rated above the rule" not in text
    assert rules.unbroken_text(none) == "Nobody broke r."


def test_whether_raters_were_told_is_said(make):
    people = dataclasses.replace(make().identity, simulated=False)
    report = make(identity=people)
    untold = RuleBreaks(rows=(row(told=0),), checked_by_kind={"main": 20})

    assert rules.told_text(report, report.sections["rules"]) == (
        "Of 3 the rater was told while rating, and left the rating as it was; only the rating "
        "page tells."
    )
    assert rules.told_text(report, untold).startswith("No rater was told while rating")
    assert "Simulated raters are shown no rules" in rules.told_text(make(), untold)
    assert ">Told</th>" in render_html(report)
    assert ">Told</th>" not in render_html(make(rules=untold))


def test_a_rubric_without_rules_has_no_such_section(make):
    assert "rules" not in [section.anchor for section in sections(make(rules=None))]
    assert "rules" in [section.anchor for section in sections(make())]


def test_the_text_of_a_rule_cannot_change_the_page(make):
    evil = dataclasses.replace(row(), sentence="<script>1</script>", rule="<b>")

    html = render_html(make(rules=RuleBreaks(rows=(evil,), checked_by_kind={"main": 9})))

    assert "<script>1" not in html
    assert "&lt;script&gt;1" in html
