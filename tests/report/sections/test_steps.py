import dataclasses

from ocrjury import Estimate
from ocrjury.findings.agreement import Pattern
from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.gate.actions import Diagnosis, suggest_actions
from ocrjury.gate.verdict import Action, DimensionVerdict, Verdict
from ocrjury.language import counted, phrase
from ocrjury.report.html import SENTENCES

say = SENTENCES.steps


def kinds(**shares):
    rows = tuple(
        KindErrors(kind, pool, pool, Estimate(share), exact=True)
        for kind, (pool, share) in shares.items()
    )
    return FieldErrors(dimension="meaning", share=Estimate(0.3), by_kind=rows)


def test_steps_about_the_ocr_come_first_with_size_and_owner(report):
    found = say.steps(report)

    assert [step.head for step in found] == sorted(
        (step.head for step in found), key=["OCR", "Rubric", "Raters"].index
    )
    assert {step.head for step in found} == {"OCR", "Rubric", "Raters"}
    assert say.owner(report, found[0]) == "OCR team"
    assert len(found) <= say.MOST


def test_the_kind_with_most_wrong_fields_is_looked_at_and_not_the_worst_rate(report):
    errors = kinds(code=(10, 0.9), amount=(400, 0.25))

    first = say.steps(dataclasses.replace(report, field_errors=errors))[0]

    assert first.text.startswith("Find out why amount fields are misread")
    assert first.size == "100 of 400 amount fields have a critical error (25.0%)"


def test_without_an_error_nothing_is_to_be_done_about_fields(report):
    none = dataclasses.replace(report, field_errors=kinds(code=(10, 0.0)))

    assert say.most_errors(none) == []
    assert not any("misread" in step.text for step in say.steps(none))


def test_only_types_clearly_below_the_pool_are_named(report):
    value = report.headline.others.value
    rows = [
        dataclasses.replace(row, estimate=Estimate(value - 0.3, value - 0.5, high), pool=pool)
        for row, high, pool in zip(
            report.types, (value + 0.1, value - 0.1, value - 0.2), (900, 50, 70), strict=False
        )
    ]
    estimates = tuple(dataclasses.replace(row, types=tuple(rows)) for row in report.estimates)

    weak = say.weak_types(dataclasses.replace(report, estimates=estimates))

    assert [row.pool for row in weak] == [70, 50]


def test_a_type_is_below_all_where_the_severity_that_makes_its_range_long_cancels(report):
    value = report.headline.others.value
    rows = [
        dataclasses.replace(
            row, estimate=Estimate(value - 0.3, value - 1, value + 1), apart=Estimate(-0.3, *ends)
        )
        for row, ends in zip(report.types, ((-0.5, -0.1), (-0.7, 0.1)), strict=False)
    ]
    estimates = tuple(dataclasses.replace(row, types=tuple(rows)) for row in report.estimates)

    assert say.weak_types(dataclasses.replace(report, estimates=estimates)) == rows[:1]


def test_the_type_that_costs_the_pool_most_points_is_looked_at_first(report):
    value = report.headline.others.value
    rows = [
        dataclasses.replace(row, estimate=Estimate(value - gap, value - 1, value - 0.1), pool=pool)
        for row, gap, pool in zip(report.types, (0.4, 0.7), (76, 74), strict=False)
    ]
    estimates = tuple(dataclasses.replace(row, types=tuple(rows)) for row in report.estimates)

    weak = say.weak_types(dataclasses.replace(report, estimates=estimates))

    assert [row.pool for row in weak] == [74, 76]


def test_ratings_above_the_only_broken_rule_are_not_a_part_of_themselves(report):
    rules = report.sections["rules"]
    one = dataclasses.replace(rules, rows=rules.rows[:1])

    alone = say.steps(dataclasses.replace(report, sections={**report.sections, "rules": one}))

    assert "9 of the 13 ratings that lie above a rule" in [step.size for step in say.steps(report)]
    assert "4 ratings lie above it" in [step.size for step in alone]


def test_a_hidden_headline_names_no_type(report):
    doubted = dataclasses.replace(report.verdict, decision="FAIL", release=None)

    assert say.weak_types(dataclasses.replace(report, verdict=doubted)) == []


def test_a_rater_is_recalibrated_once_on_all_dimensions_with_what_it_would_change(report):
    actions = tuple(
        Action("recalibrate", f"Recalibrate R06 on {name}: ...", name, "R06")
        for name in ("meaning", "layout")
    )
    advised = dataclasses.replace(report.verdict, actions=actions)

    (step,) = [
        step
        for step in say.steps(dataclasses.replace(report, verdict=advised))
        if step.head == "Raters"
    ]

    assert step.text == (
        "Recalibrate R06 on Meaning and Layout, then have this rater’s items rated again."
    )
    assert step.size == "87 ratings; the headline without R06 is 4.12"


def test_the_rule_that_is_broken_most_is_discussed(report):
    (step,) = [step for step in say.steps(report) if "rule" in step.text]

    assert step.head == "Rubric"
    assert " of the " in step.size


def test_a_weak_group_is_a_step_with_its_size(report):
    texts = {step.text: step.size for step in say.steps(report)}

    ((column, group, mean),) = say.weak_groups(report)
    assert (column, group.name) == ("level", "heavy")
    assert texts["Where level is heavy, try other scans or another setting of the engine."] == (
        f"{group.n} documents, mean {mean.estimate.value:.2f}"
    )


def test_without_an_empty_output_there_is_no_such_step(report):
    none = dataclasses.replace(report.sections["metrics"], n_empty=0)
    full = dataclasses.replace(report, sections={**report.sections, "metrics": none})
    some = dataclasses.replace(none, n_empty=3)
    three = dataclasses.replace(report, sections={**report.sections, "metrics": some})

    assert not any("empty" in step.text for step in say.steps(full))
    assert any(step.size.startswith("3 of ") for step in say.steps(three))


def test_groups_are_named_only_where_a_headline_is_printed(report):
    doubted = dataclasses.replace(report.verdict, decision="FAIL", release=None)

    assert say.weak_groups(dataclasses.replace(report, verdict=doubted)) == []


def second_rater(dimension):
    text = phrase(
        "Give the items of {dimension} to a second rater, and check that the declared scale fits "
        "the ratings: agreement cannot be computed from the present ratings.",
        dimension=dimension,
    )
    return Action("fix_data", text, dimension)


def collected(dimension, items):
    text = phrase(
        "Collect {items} with two ratings each on {dimension}; then judge again.",
        items=counted(items, "more randomly drawn item"),
        dimension=dimension,
    )
    return Action("collect_items", text, dimension, items=items)


def of_raters(report, *actions):
    advised = dataclasses.replace(report.verdict, actions=actions)
    found = say.steps(dataclasses.replace(report, verdict=advised))
    return [(step.text, step.size) for step in found if step.head == "Raters"]


def test_what_holds_for_several_dimensions_is_one_step_with_its_size(report):
    steps = of_raters(report, *map(second_rater, ("meaning", "layout", "readability")))

    [(text, size)] = steps
    assert text.startswith("Give the items of Meaning, Layout and Readability to a second rater")
    assert size == "200 items"


def test_items_that_several_dimensions_need_are_collected_once(report):
    steps = of_raters(report, collected("meaning", 20), collected("layout", 64))

    [(text, size)] = steps
    assert text == (
        "Collect 64 more randomly drawn items with two ratings each on Meaning and Layout; "
        "then judge again."
    )
    assert size == "64 items"


def divided(n, dimension):
    sentence = phrase(
        "The ratings of {n} of {all} items are {least} or more points apart.",
        n=n,
        all=100,
        least="4",
    )
    return {dimension: [Pattern("wide_range", tuple(map(str, range(n))), sentence)]}


def test_items_that_divide_raters_on_several_dimensions_are_read_in_one_step(report):
    doubted = DimensionVerdict("FAIL", None, (), None, "krippendorff_alpha", 0.8)
    patterns = divided(12, "meaning") | divided(8, "layout") | divided(13, "readability")
    verdict = Verdict("FAIL", None, dict.fromkeys(patterns, doubted), ())
    actions = suggest_actions(Diagnosis(patterns=patterns), verdict)
    signs = [action for action in actions if action.kind == "discuss"]

    [(text, size)] = of_raters(report, *signs)
    assert text == (
        "On Meaning, Layout and Readability: The ratings of up to 13 of 100 items are 4 or more "
        "points apart. Read these items together before anything else."
    )
    assert size == "up to 13 items per dimension"
    [(alone, own)] = of_raters(report, signs[1])
    assert alone.startswith("On Layout: The ratings of 8 of 100 items are 4 or more points apart.")
    assert own == "8 items"


def test_advice_on_a_rater_and_on_a_dimension_has_its_size(report):
    habit = Action("discuss", "R03 rates lower: compare.", None, "R03")
    shared = Action("discuss", "The average rater lets one dimension colour the others.")
    third = Action("third_rater", phrase("Add to {dimension}.", dimension="layout"), "layout")

    sizes = [size for _, size in of_raters(report, habit, shared, third)]

    assert sizes == ["67 ratings", "400 ratings", "raters lie far apart on 17 of 200 items"]


def test_where_no_item_divides_raters_a_step_is_about_all_that_two_rated(report):
    third = Action("third_rater", phrase("Add to {dimension}.", dimension="layout"), "layout")
    agreement = report.sections["agreement"]
    rows = tuple(
        dataclasses.replace(row, disagreements=dataclasses.replace(row.disagreements, n=0))
        for row in agreement.dimensions
    )
    sections = {**report.sections, "agreement": dataclasses.replace(agreement, dimensions=rows)}

    [(_, size)] = of_raters(dataclasses.replace(report, sections=sections), third)

    assert size == "200 items"


def test_a_rater_who_cannot_practise_alone_is_one_step_on_all_dimensions(report):
    gains = {"meaning": Estimate(0.14, low=0.08), "layout": Estimate(0.08, low=0.03)}
    passed = DimensionVerdict("PASS", None, (), None, "krippendorff_alpha", 0.8)
    diagnosis = Diagnosis(
        without_rater={name: {"R06": gain} for name, gain in gains.items()},
        never_alone=[("R06", name) for name in gains],
    )

    actions = suggest_actions(diagnosis, Verdict("PASS", None, dict.fromkeys(gains, passed), ()))

    [(text, size)] = of_raters(report, *actions)
    assert text.startswith("Recalibrate all raters on Meaning and Layout, R06 above all")
    # Of both dimensions together there are more: some items divide raters on one of them only.
    assert size == "raters lie far apart on up to 17 of 200 items per dimension"
