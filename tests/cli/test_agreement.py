import json
import re
from pathlib import Path

import pandas as pd
import pytest

from ocrjury import Estimate, RatingTable, Scale
from ocrjury.cli.coefficients import Coefficients, print_coefficients

DATA = Path(__file__).parent / "data"


def numbers(out):
    """Return the first number of every line, by the words before it."""
    found = {}
    for line in out.splitlines():
        cells = [cell for cell in line.split("  ") if cell.strip()]
        if len(cells) > 1:
            found[cells[0].strip()] = cells[1].strip()
    return found


def test_krippendorff_example_at_all_four_levels(run):
    # Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, examples C and E.
    answer = run("agreement", DATA / "krippendorff.csv", "--scale", "likert:1:5")

    assert answer.code == 0
    values = numbers(answer.out)
    assert values["nominal"] == "0.743"
    assert values["ordinal, the scale's own"] == "0.815"
    assert values["interval"] == "0.849"
    assert values["ratio"] == "0.797"
    assert values["Krippendorff's alpha"] == "0.815"
    assert "12 items, 4 raters, 41 ratings" in answer.out


def test_cohen_example_of_the_reference_text(run):
    answer = run("agreement", DATA / "cohen.csv", "--scale", "binary")

    assert numbers(answer.out)["Cohen's kappa"] == "0.400"
    assert "fair" in answer.out


def test_fleiss_example_of_the_reference_text(run):
    answer = run("agreement", DATA / "fleiss.csv", "--scale", "nominal:1,2,3,4,5")

    values = numbers(answer.out)
    assert values["Fleiss' kappa"] == "0.210"
    assert values["percent agreement"] == "0.378"
    line = next(line for line in answer.out.splitlines() if line.startswith("Fleiss"))
    assert line.endswith("fair")  # .2099 is printed .210, and judged as printed
    assert "plain mean" not in answer.out


def test_the_plain_mean_speaks_of_these_items_only(run):
    # Item means 5, 2 and 4: mean 11/3, half width t(2) * s / sqrt(3) = 4.303 * 1.528 / 1.732.
    words = ["agreement", DATA / "dimensions.csv", "--scale", "interval:-5:9"]
    answer = run(*words, "--dimension", "meaning")

    assert "plain mean  3.667  −0.128 to 7.461  these items only" in answer.out


def test_an_interval_is_printed_no_longer_than_its_statistic_and_kept_whole_in_json(capsys):
    ratings = RatingTable.from_long(
        pd.DataFrame({"item": ["a", "b"], "rater": ["A", "B"], "rating": [1, 3]}),
        scale=Scale.likert(1, 5),
    )
    wide = {
        "percent_agreement": Estimate(0.5, -5.853, 6.853),
        "gwet_ac": Estimate(0.4, -7.1, 7.9),
        "human_agreement_corrected": Estimate(-0.5, -4.2, 3.1),
    }
    found = Coefficients(ratings, wide, {}, Estimate(2.0, -3.0, 7.0))

    print_coefficients(found)

    out = capsys.readouterr().out
    printed = re.findall(r"(\S+) to (\S+)", out)
    assert printed == [
        ("0.000", "1.000"),
        ("−1.000", "1.000"),
        ("−4.200", "1.000"),
        ("1.000", "5.000"),
    ]
    assert out.endswith(
        "Intervals are cut where their statistic ends; --json has them as computed.\n"
    )
    body = found.to_json()
    assert body["coefficients"]["percent_agreement"]["low"] == -5.853
    assert body["plain_mean"]["high"] == 7.0


def test_nothing_is_said_of_cut_intervals_where_none_is_cut(run):
    answer = run("agreement", DATA / "krippendorff.csv", "--scale", "likert:1:5", "--ci", "none")

    assert "cut" not in answer.out


def test_every_dimension_has_its_own_tables(run):
    answer = run("agreement", DATA / "dimensions.csv", "--scale", "likert:1:5")

    assert answer.out.index("meaning\n") < answer.out.index("layout\n")
    assert "3 items, 2 raters, 6 ratings" in answer.out
    assert "3 items, 2 raters, 5 ratings" in answer.out


def test_a_dimension_that_is_not_there_is_refused(run):
    answer = run("agreement", DATA / "dimensions.csv", "--scale", "likert:1:5", "--dimension", "x")

    assert answer == (2, "", "there is no dimension 'x' in the file; there is meaning, layout.\n")


def test_without_a_scale_the_values_give_a_hint(run):
    answer = run("agreement", DATA / "cohen.csv")

    assert answer == (
        2,
        "",
        "Declare the scale with --scale; only 0 and 1 found: use --scale binary.\n",
    )


def test_a_rating_outside_the_scale_is_named(run):
    answer = run("agreement", DATA / "krippendorff.csv", "--scale", "likert:1:4")

    assert answer.code == 2
    assert "3 rating(s) outside the scale (likert 1 to 4)" in answer.err
    assert "5 for item '10' by rater 'B'" in answer.err


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap", "none"])
def test_json_holds_every_coefficient_and_no_nan(run, ci):
    answer = run(
        "agreement", DATA / "cohen.csv", "--scale", "binary", "--ci", ci, "--json", "--seed", 1
    )

    body = json.loads(answer.out)
    found = body["dimensions"]["rating"]
    assert found["coefficients"]["cohen_kappa"]["value"] == pytest.approx(0.4)
    assert (found["coefficients"]["krippendorff_alpha"]["low"] is None) == (ci == "none")
    assert set(found["alpha_by_level"]) == {"nominal", "ordinal", "interval", "ratio"}
    assert found["plain_mean"]["value"] == pytest.approx(0.55)


def test_an_undefined_coefficient_gives_its_reason(run, tmp_path):
    file = tmp_path / "equal.csv"
    file.write_text("item,A,B\na,3,3\nb,3,3\n", encoding="utf-8")

    answer = run("agreement", file, "--scale", "likert:1:5")

    assert answer.code == 0
    line = next(line for line in answer.out.splitlines() if line.startswith("Krippendorff"))
    assert line.endswith("undefined: all ratings are equal")
    assert " 0.000 " not in line


def test_a_slider_has_no_kappas_but_alpha(run, tmp_path):
    file = tmp_path / "slider.csv"
    file.write_text("item,A,B\na,10.5,12\nb,80,77.25\nc,50,55\n", encoding="utf-8")

    answer = run("agreement", file, "--scale", "interval:0:100")

    assert answer.code == 0
    assert "Krippendorff's alpha" in answer.out
    assert "kappa" not in answer.out


def test_a_scale_below_zero_has_no_ratio_level(run, tmp_path):
    file = tmp_path / "signed.csv"
    file.write_text("item,A,B\na,-2,-1\nb,1,2\nc,0,0\n", encoding="utf-8")

    answer = run("agreement", file, "--scale", "likert:-2:2")

    assert answer.code == 0
    assert "ratio" not in answer.out
