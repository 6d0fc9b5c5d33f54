import ast
import math
import subprocess
import sys
from pathlib import Path

import pytest

from ocrjury import InputError, RatingTable, Scale, agreement
from ocrjury.agreement import icc, measure_agreement
from ocrjury.estimate import UNDEFINED
from ocrjury.grades import COMMON
from ocrjury.statistic_kinds import NOTHING_TO_COMPARE
from ocrjury.statistics import STATISTICS, grade
from tests.test_house import LIBRARY, ROOT, nodes, python_files

GLOSSARY = Path(__file__).parents[1] / "docs" / "glossary.md"
GRADED = [key for key, row in STATISTICS.items() if row.grades]


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        # Landis and Koch (1977), table on page 165.
        ("fleiss_kappa", 0.85, "almost perfect"),
        ("cohen_kappa", 0.81, "almost perfect"),
        ("cohen_kappa", 0.80, "substantial"),
        ("cohen_kappa", 0.41, "moderate"),
        ("cohen_kappa", 0.40, "fair"),
        ("gwet_ac", 0.20, "slight"),
        ("cohen_kappa", 0.0, "slight"),
        ("cohen_kappa", -0.1, "poor"),
        # Krippendorff (2004), page 241.
        ("krippendorff_alpha", 0.8, "reliable"),
        ("krippendorff_alpha", 0.7999, "tentative"),
        ("krippendorff_alpha", 0.667, "tentative"),
        ("krippendorff_alpha", 0.666, "unreliable"),
        # The human agreement specification.
        ("human_agreement", 0.9, "excellent"),
        ("human_agreement", 0.812, "good"),
        ("exact_agreement", 0.75, "good"),
        ("human_agreement", 0.6, "moderate"),
        ("human_agreement", 0.5, "fair"),
        ("human_agreement", 0.49, "poor"),
        # Koo and Li (2016), page 161.
        ("icc", 0.91, "excellent"),
        ("icc", 0.89, "good"),
        ("icc", 0.5, "moderate"),
        ("icc", 0.49, "poor"),
    ],
)
def test_bands_put_words_on_values(name, value, word):
    assert grade(name, value).word == word


@pytest.mark.parametrize(
    ("value", "word"), [(0.2051, "fair"), (0.204, "slight"), (0.806, "almost perfect")]
)
def test_values_between_two_bands_of_two_digits_are_rounded(value, word):
    assert grade("mean_pairwise_kappa", value).word == word


@pytest.mark.parametrize("key", GRADED)
def test_levels_never_rise_as_the_value_falls(key):
    levels = [grade(key, value / 100).level for value in range(100, -101, -1)]

    assert levels == sorted(levels, reverse=True)
    assert levels[0] >= 3
    assert levels[-1] == 0
    assert grade(key, -math.inf).level == 0


def test_undefined_values_and_what_nobody_grades_have_no_grade():
    assert grade("krippendorff_alpha", math.nan) is None
    assert grade("modal_share", 0.5) is None


def test_an_unknown_statistic_is_named():
    with pytest.raises(InputError, match="no statistic 'kripendorf'"):
        grade("kripendorf", 0.5)


def test_every_statistic_that_is_measured_has_an_entry():
    table = RatingTable.from_matrix([[1, 2], [2, 2]], scale=Scale.likert(1, 5))

    assert set(measure_agreement(table)) <= set(STATISTICS)


def test_no_two_statistics_share_a_label():
    for name in ("label", "short_label", "question"):
        values = [getattr(row, name) for row in STATISTICS.values()]
        assert len(set(values)) == len(values)


def test_a_share_begins_at_zero_and_all_but_a_difference_and_a_mean_ends_at_one():
    assert all(row.low == 0 for row in STATISTICS.values() if row.is_share)
    assert {key: row.high for key, row in STATISTICS.items() if row.high != 1} == {
        "alpha_gain": 2,
        "rater_mean": math.inf,
        "mean_absolute_error": math.inf,
    }


def test_every_word_of_a_source_has_one_level_and_the_words_of_levels_are_five():
    tables = {row.grades for row in STATISTICS.values() if row.grades}
    grades = {grade for table in tables for _, grade in table.steps}

    assert len({grade.word for grade in grades}) == len(grades)
    assert {(grade.level, grade.common) for grade in grades} == set(enumerate(COMMON))


def glossary_rows():
    """Draw the table of the glossary: name, question, range, grades."""
    sources = list(dict.fromkeys(row.grades for row in STATISTICS.values() if row.grades))
    ends = {-math.inf: "any", -2: "−2", -1: "−1", 0: "0", 1: "1", 2: "2"}
    rows = [
        f"| `{key}` | {row.label} | {row.question} | {row.unit} | "
        f"{_range(row, ends)} | "
        f"{_undefined(row)} | {'ABCD'[sources.index(row.grades)] if row.grades else '–'} |"
        for key, row in STATISTICS.items()
    ]
    grades = [
        f"* {'ABCD'[number]}: {', '.join(_step(*step) for step in found.steps)}. {found.source}."
        for number, found in enumerate(sources)
    ]
    heads = [
        "| key | name | question it answers | unit | range | no value where | grades |",
        "|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*heads, *rows, "", *grades])


def _range(row, ends):
    if row.unit == "points":
        return "that of the scale" if row.low else "0 to the length of the scale"
    return f"{ends[row.low]} to {ends[row.high]}"


def _undefined(row):
    own = [UNDEFINED[why] for why in row.undefined if why not in NOTHING_TO_COMPARE]
    return "; ".join(own) or "–"


def _step(lowest, found):
    return found.word + (" below" if lowest == -math.inf else f" from {lowest:g}")


def test_the_glossary_holds_the_table(request):
    start, end = "<!-- statistics: written by make golden -->\n", "\n<!-- /statistics -->"
    text = GLOSSARY.read_text("utf-8")
    before, _, rest = text.partition(start)
    table, _, after = rest.partition(end)

    if request.config.getoption("--regen-golden"):
        GLOSSARY.write_text(before + start + glossary_rows() + end + after, "utf-8")
    else:
        assert table == glossary_rows()


def test_no_other_table_lists_statistics():
    lists = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files(*LIBRARY)
        if path.name not in {"statistics.py", "rater_statistics.py", "__init__.py"}
        for node in nodes(path)
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict)
        for parts in [node.keys if isinstance(node, ast.Dict) else node.elts]
        if sum(isinstance(part, ast.Constant) and part.value in STATISTICS for part in parts) > 2
    }

    assert lists == set()


@pytest.mark.parametrize("key", [key for key, row in STATISTICS.items() if row.weighted])
def test_a_statistic_that_takes_weights_is_exported_with_them(key):
    table = RatingTable.from_matrix([[1, 2], [2, 2], [3, 1]], scale=Scale.likert(1, 3))

    assert getattr(agreement, key)(table, weights="linear").defined
    assert STATISTICS[key].weighted in STATISTICS


def test_pages_can_read_the_table_without_loading_anything_heavy():
    code = (
        "import sys, ocrjury.statistics; "
        "print(*[name for name in ('numpy', 'pandas', 'scipy') if name in sys.modules])"
    )

    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )

    assert out.stdout.strip() == ""


def test_an_estimate_above_one_is_not_called_excellent():
    opposed = RatingTable.from_matrix([[1, 5], [2, 4], [5, 1], [4, 2]], scale=Scale.likert(1, 5))
    value = icc(opposed, form="ICC(2,k)").value

    assert value == pytest.approx(4)
    assert grade("icc", value).word == "undefined"
    assert grade("icc", 1 + 1e-12).word == "excellent"
