"""Published tables of counts on the command line."""

import json
from itertools import product
from pathlib import Path

import pytest

from ocrjury import RatingTable, Scale
from ocrjury.agreement import measure_agreement, measure_counts
from ocrjury.ratings.published_counts import read_counts
from tests.cli.test_agreement import numbers

DATA = Path(__file__).parent / "data"
PAIR, FLEISS = DATA / "diagnoses.csv", DATA / "fleiss-1971.csv"


def test_the_cross_table_of_two_psychiatrists(run):
    # Fleiss (1981), Statistical Methods for Rates and Proportions, table 13.1: kappa .68.
    answer = run("agreement", PAIR, "--table", "crosstab", "--scale", "nominal:p,n,o")

    values = numbers(answer.out)
    assert "cross table of two raters, 100 items" in answer.out
    assert (values["Cohen's kappa"], values["percent agreement"]) == ("0.676", "89.0%")
    assert answer.code == 3


def test_the_thirty_patients_of_fleiss(run):
    # Fleiss (1971), Psychological Bulletin 76(5), 378-382: kappa .430, agreement .556.
    options = "--table counts --scale nominal --item patient"
    answer = run("agreement", FLEISS, *options.split())

    values = numbers(answer.out)
    assert (values["Fleiss' kappa"], values["percent agreement"]) == ("0.430", "55.6%")
    assert "30 items, 6 raters, 180 ratings" in answer.out
    assert "Nothing was tested: nobody knows who rated." in answer.out
    assert "pairwise" not in answer.out
    assert answer.code == 1


@pytest.mark.parametrize("scale", ["nominal", "nominal:yes,no,n/a"])
def test_a_counted_category_may_be_called_as_a_cell_without_a_rating(run, tmp_path, scale):
    file = tmp_path / "counts.csv"
    file.write_text("item,yes,no,n/a\na,2,1,0\nb,3,0,0\nc,0,1,2\n")

    answer = run("agreement", file, "--table", "counts", "--scale", scale, "--exit-zero")

    assert "counts, 3 items by 3 categories" in answer.out


def test_a_cross_table_gives_the_numbers_of_the_library(run):
    answer = run("agreement", PAIR, "--table", "crosstab", "--scale", "nominal:p,n,o", "--json")

    table = RatingTable.from_crosstab(
        read_counts(PAIR).numbers, scale=Scale.nominal(["p", "n", "o"])
    )
    found = json.loads(answer.out)["dimensions"]["rating"]["estimates"]
    for key, estimate in measure_agreement(table).items():
        assert found[key]["value"] == pytest.approx(estimate.value, nan_ok=True) or (
            found[key]["value"] is None and not estimate.defined
        )


def test_counts_on_a_likert_scale_have_weights_and_levels(run, tmp_path):
    file = tmp_path / "counts.csv"
    file.write_text("item;3;2;1\na;2;1;0\nb;0;0;3\nc;0;2;1\n")

    answer = run(
        "agreement", file, "--table", "counts", "--scale", "likert:1:3", "--full", "--exit-zero"
    )

    counts = [[0, 1, 2], [3, 0, 0], [1, 2, 0]]  # columns in the order of the scale
    estimates = measure_counts(RatingTable.from_counts(counts, scale=Scale.likert(1, 3)))
    values = numbers(answer.out)
    assert values["Krippendorff's alpha"] == f"{estimates['krippendorff_alpha'].value:.3f}"
    assert values["Gwet's AC2"]
    assert "nominal" in values
    assert answer.code == 0


def test_a_category_without_a_column_counts_nothing(run, tmp_path):
    file = tmp_path / "counts.csv"
    file.write_text("item,0\na,2\nb,2\n")

    answer = run("agreement", file, "--table", "counts", "--scale", "binary", "--json")

    assert json.loads(answer.out)["dimensions"]["rating"]["estimates"]["gwet_ac"]["value"] == 1


@pytest.mark.parametrize(
    ("table", "text", "options", "message"),
    [
        ("counts", "item,0,1\na,1,x\n", "--scale binary", "row 2, column '1': 'x' is no count"),
        ("counts", "item,0,1\na,1,-1\n", "--scale binary", "'-1' is no count"),
        ("counts", "who,0,1\na,1,1\n", "--scale nominal", "If 'who' names the items, say so"),
        ("counts", "item,0,2\na,1,1\n", "--scale binary", "'2' is no category of the scale"),
        ("counts", "item,0,1\n", "--scale binary", "at least one row of counts"),
        ("counts", "item,1,1.0\na,1,1\n", "--scale binary", "two columns for one category"),
        ("counts", "item,0,1\na,1,1\n", "", "only 0 and 1 found: use --scale binary"),
        ("counts", "item,0,1\na,1,1\n", "--scale binary --policy kappa", "mean pairwise kappa"),
        ("counts", "item,0,1\na,1,1\n", "--scale binary --judge m", "leave out --judge"),
        ("counts", "item,0,1\n0,2,1\n1,1,2\n", "--scale binary", "Use --table crosstab"),
        ("crosstab", ",0,1\n0,1,1\n0,1,1\n", "--scale binary", "'0' has two rows"),
        ("crosstab", ",0,1\n0,0,0\n1,0,0\n", "--scale binary", "counts 0 items"),
        ("crosstab", ",0,1\n0,9999999,0\n1,0,0\n", "--scale binary", "has 1 to 1,000,000"),
        ("crosstab", ",0,1\n2,1,0\n1,0,0\n", "--scale binary", "'2' is no category"),
        ("crosstab", ",0,1\n0,1,0\n1,0,1\n", "--scale interval:0:1", "'0', '1' is no category"),
    ],
)
def test_a_table_that_is_none_says_what_to_do(run, tmp_path, table, text, options, message):
    file = tmp_path / "table.csv"
    file.write_text(text)

    answer = run("agreement", file, "--table", table, *options.split())

    assert answer.code == 2
    assert message in answer.err


def test_rows_and_columns_of_a_cross_table_may_come_in_any_order(run, tmp_path):
    cells = dict(zip(product("pno", repeat=2), [75, 1, 4, 5, 4, 1, 0, 0, 10], strict=True))
    lines = [",".join(["", *"onp"])]
    lines += [",".join([row, *(str(cells[row, column]) for column in "onp")]) for row in "npo"]
    file = tmp_path / "turned.csv"
    file.write_text("\n".join(lines))

    answer = run("agreement", file, "--table", "crosstab", "--scale", "nominal")

    assert numbers(answer.out)["Cohen's kappa"] == "0.676"


@pytest.mark.parametrize(
    ("table", "text", "what"),
    [
        ("crosstab", ",p,n,sum\np,75,1,76\nn,5,4,9\nsum,80,5,85\n", "column, 'sum', holds"),
        ("crosstab", ",p,n\np,75,1\nn,5,4\nsum,80,5\n", "the last row holds"),
        ("counts", "item,yes,no,n\na,2,1,3\nb,0,3,3\n", "column, 'n', holds the sums"),
    ],
)
@pytest.mark.parametrize("scale", [[], ["--scale", "nominal"]])
def test_totals_are_no_category_unless_they_are_named(run, tmp_path, table, text, what, scale):
    file = tmp_path / "table.csv"
    file.write_text(text)

    answer = run("agreement", file, "--table", table, *scale)

    assert what in answer.err
    assert "Leave totals out" in answer.err
    assert answer.code == 2
    names = "nominal:p,n,sum" if table == "crosstab" else "nominal:yes,no,n"
    assert run("agreement", file, "--table", table, "--scale", names).code in {0, 1, 3}


def test_numbers_of_the_items_are_no_category_unless_it_is_named(run, tmp_path):
    file = tmp_path / "counts.csv"
    file.write_text("patient,yes,no\n1,3,0\n2,2,1\n3,0,3\n")

    answer = run("agreement", file, "--table", "counts", "--scale", "nominal")

    assert "the first column, 'patient', numbers the rows" in answer.err
    assert "--item 'patient'" in answer.err
    assert answer.code == 2
    file.write_text("yes,no\n0,3\n1,2\n2,1\n")
    answer = run("agreement", file, "--table", "counts", "--scale", "nominal")
    assert "counts, 3 items by 2 categories" in answer.out
