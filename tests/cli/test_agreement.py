import json
import math
import re
from itertools import pairwise
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest

from ocrjury import Estimate, Scale
from ocrjury.bias.findings import DISTANCE_PER_SESSION, RUN, SLOPE_RATIO, BiasFinding
from ocrjury.cli.agreement import EXIT_CODES
from ocrjury.cli.agreement_tables import _bias_row
from ocrjury.cli.coefficient_tables import print_coefficients, value_cell
from ocrjury.findings.agreement import AgreementFinding, Disagreements, Variants
from ocrjury.gate.verdict import GRADED
from ocrjury.pages.bias_rows import bias_rows
from ocrjury.statistics import statistic

DATA = Path(__file__).parent / "data"


def numbers(out):
    """The first number of every line, by the words before it, the first where they recur."""
    found = {}
    for line in out.splitlines():
        cells = [cell for cell in line.split("  ") if cell.strip()]
        if len(cells) > 1:
            found.setdefault(cells[0].strip(), cells[1].strip())
    return found


def test_krippendorff_example_at_all_four_levels(run):
    # Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, examples C and E.
    answer = run("agreement", DATA / "krippendorff.csv", "--scale", "likert:1:5")

    assert answer.code == 3
    values = numbers(answer.out)
    assert values["nominal"] == "0.743"
    assert values["ordinal, the scale's own"] == "0.815"
    assert values["interval"] == "0.849"
    assert values["ratio"] == "0.797"
    assert values["Krippendorff's alpha"] == "0.815"
    assert "12 items, 4 raters, 41 ratings" in answer.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--where", "kind=main", "--where", "kind=pilot"], "kind=main and kind=pilot"),
        (["--dimension-weights", "a=1,b=2,a=3"], "a=1 and a=3"),
        (["--composite", "pca", "--dimension-weights", "a=1,b=2"], "--composite pca is another"),
        (["--composite", "weighted"], "--composite weighted needs --dimension-weights"),
    ],
)
def test_options_that_contradict_each_other_are_refused(run, tmp_path, words, why):
    rows = [f"d{n},{r},main,{1 + n % 3},{1 + n % 2}" for n in range(6) for r in ("R1", "R2")]
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(["item,rater,kind,a,b", *rows]))
    alone = [] if "--where" in words else ["--where", "kind=main"]

    answer = run("agreement", file, "--scale", "likert:1:5", *alone, *words)

    assert answer.code == 2
    assert why in answer.err


def test_names_are_those_of_the_file_in_any_form_of_unicode(run, tmp_path):
    rows = [
        f"문서{n},김,{1 + n % 3},{n % 2},쪽\n문서{n},이,{1 + n % 3},{n % 2},쪽" for n in range(4)
    ]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["문서,평가자,뜻,쓸모,단계", *rows]), encoding="utf-8")
    words = ["--item", "문서", "--rater", "평가자", "--where", "단계=쪽", "--dimension", "쓸모"]
    words += ["--scale", "뜻=likert:1:3", "--scale", "쓸모=binary", "--exit-zero"]

    answer = run("agreement", path, *(normalize("NFD", word) for word in words))

    assert answer.code == 0
    assert "4 items, 2 raters, 8 ratings" in answer.out


def test_a_long_file_with_columns_of_other_names_is_told_how_to_name_them(run, tmp_path):
    path = tmp_path / "potato.csv"
    rows = [f"{who},i{n},{1 + n % 3}" for n in range(4) for who in ("kim", "lee")]
    path.write_text("\n".join(["who,instance_id,quality", *rows]), encoding="utf-8")

    answer = run("agreement", path, "--scale", "likert:1:3")

    options = "--item instance_id --rater who --rating quality"
    assert answer.code == 2
    assert answer.err == (
        f"{path}: cells of the column 'instance_id' stand in several rows, as where each row is "
        "one rating; found the columns 'who', 'instance_id', 'quality'. Say which column is what: "
        f"{options}. If every column is a rater's instead, give each item one row and a name of "
        "its own.\n"
    )
    words = [*options.split(), "--exit-zero"]
    assert run("agreement", path, "--scale", "likert:1:3", *words).code == 0


def test_a_word_in_a_wide_file_is_told_by_its_row(run, tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,note,kim\na,3,3\nb,good,3\n", encoding="utf-8")

    answer = run("agreement", path, "--scale", "likert:1:3")

    assert answer.err.startswith(
        f"{path}, row 3: 'good' in the column 'note', for item 'b', is not on the scale (likert 1 "
        "to 3). The file was read as wide, with a row for each item and a column for each rater."
    )


def test_a_long_file_that_names_its_raters_is_read_and_said_to_be_long(run, tmp_path):
    path = tmp_path / "potato.csv"
    rows = [f"{rater},i{n},{1 + n % 3}" for n in range(4) for rater in ("kim", "lee")]
    path.write_text("\n".join(["annotator,instance_id,quality", *rows]), encoding="utf-8")

    answer = run("agreement", path, "--scale", "likert:1:3", "--exit-zero")

    assert answer.code == 0
    assert (
        "long, one row for each rating; items are 'instance_id', raters 'annotator'" in answer.out
    )
    assert "4 items, 2 raters, 8 ratings" in answer.out


def test_a_column_without_ratings_is_named(run, tmp_path):
    path = tmp_path / "ratings.csv"
    rows = [f"i{n},{who},{1 + n % 3},{n * 'good'}" for n in range(4) for who in ("kim", "lee")]
    path.write_text("\n".join(["item,rater,meaning,remark", *rows]), encoding="utf-8")

    answer = run("agreement", path, "--scale", "likert:1:3")

    assert f"{path}, row 4: 'good' in the column 'remark', for item 'i1', is not" in answer.err
    assert "name one that does with --dimension" in answer.err
    words = ["--dimension", "meaning", "--exit-zero"]
    assert run("agreement", path, "--scale", "likert:1:3", *words).code == 0


@pytest.mark.parametrize(
    ("name", "body", "sentence"),
    [
        ("tasks.json", b'[{"id": 1, "annotations": []}]', "is JSON; ratings are read from CSV"),
        ("ratings.jsonl", b'{"item": "a"}\n', "is JSON; ratings are read from CSV"),
        ("ratings.xlsx", b"PK\x03\x04\x14\x00\x06\x00\xff", "save its sheet as CSV in UTF-8"),
    ],
)
def test_a_file_that_is_no_csv_is_told_what_it_is(run, tmp_path, name, body, sentence):
    path = tmp_path / name
    path.write_bytes(body)

    answer = run("agreement", path, "--scale", "likert:1:3")

    assert answer.code == 2
    assert sentence in answer.err


def test_cohen_example_of_the_reference_text(run):
    answer = run("agreement", DATA / "cohen.csv", "--scale", "binary")

    assert numbers(answer.out)["Cohen's kappa"] == "0.400"
    assert "fair" in answer.out


def test_fleiss_example_of_the_reference_text(run):
    answer = run("agreement", DATA / "fleiss.csv", "--scale", "nominal:1,2,3,4,5")

    values = numbers(answer.out)
    assert values["Fleiss' kappa"] == "0.210"
    assert values["percent agreement"] == "37.8%"
    line = next(line for line in answer.out.splitlines() if line.startswith("Fleiss"))
    assert line.endswith("fair")  # .2099 is printed .210, and judged as printed
    assert "plain mean" not in answer.out


def test_the_plain_mean_speaks_of_these_items_only(run):
    # Item means 5, 2 and 4: mean 11/3, half width t(2) * s / sqrt(3) = 4.303 * 1.528 / 1.732.
    words = ["agreement", DATA / "dimensions.csv", "--scale", "interval:-5:9"]
    answer = run(*words, "--dimension", "meaning")

    assert "plain mean  3.667  −0.128 to 7.461  these items only" in answer.out


def test_an_interval_is_printed_no_longer_than_its_statistic_and_kept_whole_in_json(capsys):
    wide = {
        "percent_agreement": Estimate(0.5, -5.853, 6.853),
        "gwet_ac": Estimate(0.4, -7.1, 7.9),
        "human_agreement_corrected": Estimate(-0.5, -4.2, 3.1),
    }
    finding = AgreementFinding(
        dimension="rating",
        n_items=2,
        n_raters=2,
        n_ratings=2,
        estimates=wide,
        disagreements=Disagreements(threshold=2, n_items=0, n=0, rate=math.nan),
        variants=Variants(
            estimates={},
            alpha={},
            icc={},
            weighted={},
            pairs=(),
            prevalence=None,
            plain_mean=Estimate(2.0, 1.5, 2.5),
        ),
    )

    print_coefficients(finding, Scale.likert(1, 5))

    out = capsys.readouterr().out
    printed = re.findall(r"(\S+) to (\S+)", out)
    assert sorted(printed) == sorted(
        [("0.0%", "100.0%"), ("−1.000", "1.000"), ("−4.200", "1.000"), ("1.500", "2.500")]
    )
    assert out.endswith(
        "Intervals are cut where their statistic ends; --json has them as computed.\n"
    )
    body = finding.to_json()
    assert body["estimates"]["percent_agreement"]["low"] == -5.853


def test_a_plain_mean_ends_with_its_scale(run, tmp_path):
    path = tmp_path / "ratings.csv"
    rows = [f"i{item},R{rater},{1 + (item == 0)}" for item in range(4) for rater in range(2)]
    path.write_text("\n".join(["item,rater,rating", *rows]), "utf-8")

    body = json.loads(run("agreement", path, "--scale", "likert:1:5", "--json", "--exit-zero").out)

    mean = body["dimensions"]["rating"]["variants"]["plain_mean"]
    assert (mean["value"], mean["low"]) == (1.25, 1.0)


@pytest.mark.parametrize("policy", ["gdpval", "strict", "default"])
def test_the_exit_code_is_that_of_the_verdict(run, rated, policy):
    words = ["agreement", rated, "--scale", "likert:1:5", "--policy", policy, "--json"]
    answer, quiet = run(*words), run(*words, "--exit-zero")

    verdict = json.loads(answer.out)["verdict"]["decision"]
    assert answer.code == EXIT_CODES[verdict]
    assert quiet == (0, answer.out, answer.err)


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
    lines = answer.err.splitlines()
    assert (
        lines[0] == f"{DATA / 'krippendorff.csv'} has 3 ratings outside the scale (likert 1 to 4):"
    )
    assert lines[1] == "- row 11: B gave item '10' '5'"
    assert lines[4] == (
        "The file was read as wide, 4 raters, items named by 'item'. Correct the ratings, or "
        "declare their scale with --scale."
    )


def test_ratings_outside_their_scales_are_told_by_row_and_dimension(run, tmp_path):
    path = tmp_path / "ratings.csv"
    rows = [f"i{n},{who},{n},{n % 2}" for n in range(1, 15) for who in ("kim", "lee")]
    path.write_text("\n".join(["item,rater,meaning,usable", *rows]), encoding="utf-8")
    scales = ("--scale", "likert:1:14", "--scale", "usable=binary")
    assert run("agreement", path, *scales, "--exit-zero").code == 0
    text = path.read_text("utf-8")

    path.write_text(text.replace("i3,lee,3,1", "i3,lee,3,2"), encoding="utf-8")
    one = run("agreement", path, *scales)
    path.write_text(text.replace(",1\n", ",2\n"), encoding="utf-8")
    many = run("agreement", path, *scales)

    assert one.code == 2
    assert one.err == (
        f"{path}, row 7: lee gave item 'i3' '2' on usable, which is outside the scale (binary 0 to "
        "1). The file was read as long, with 2 columns of ratings. Correct the rating, or declare "
        "its scale with --scale.\n"
    )
    assert many.err.startswith(
        f"{path} has 14 ratings outside the scale (binary 0 to 1):\n- row 2: "
    )
    assert "\n- and 4 more\n" in many.err


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap", "none"])
def test_json_holds_every_coefficient_and_no_nan(run, ci):
    answer = run(
        "agreement", DATA / "cohen.csv", "--scale", "binary", "--ci", ci, "--json", "--seed", 1
    )

    body = json.loads(answer.out)
    found = body["dimensions"]["rating"]
    assert found["variants"]["estimates"]["cohen_kappa"]["value"] == pytest.approx(0.4)
    assert (found["estimates"]["human_agreement"]["low"] is None) == (ci == "none")
    assert found["estimates"]["krippendorff_alpha"]["low"] is not None
    assert set(found["variants"]["alpha"]) == {"nominal", "ordinal", "interval", "ratio"}
    assert found["variants"]["plain_mean"]["value"] == pytest.approx(0.55)


def test_an_undefined_coefficient_gives_its_reason(run, tmp_path):
    file = tmp_path / "equal.csv"
    file.write_text("item,A,B\na,3,3\nb,3,3\n", encoding="utf-8")

    answer = run("agreement", file, "--scale", "likert:1:5")

    assert answer.code == 3
    line = next(line for line in answer.out.splitlines() if line.startswith("Krippendorff"))
    assert line.endswith("undefined: all ratings are equal")
    assert " 0.000 " not in line


def test_a_continuous_scale_has_no_kappas_but_alpha(run, tmp_path):
    file = tmp_path / "continuous.csv"
    file.write_text("item,A,B\na,10.5,12\nb,80,77.25\nc,50,55\n", encoding="utf-8")

    answer = run("agreement", file, "--scale", "interval:0:100")

    assert answer.code == 3
    assert "Krippendorff's alpha" in answer.out
    assert "kappa" not in answer.out


def test_a_scale_below_zero_has_no_ratio_level(run, tmp_path):
    file = tmp_path / "signed.csv"
    file.write_text("item,A,B\na,-2,-1\nb,1,2\nc,0,0\n", encoding="utf-8")

    answer = run("agreement", file, "--scale", "likert:-2:2")

    assert answer.code == 3
    assert "ratio" not in answer.out


# More than coefficients


@pytest.fixture
def rated(tmp_path):
    """Two dimensions, three raters and two judges on 60 items."""
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 60)
    lines = ["item,rater,dimension,rating,llm,w"]
    for dimension, noise in (("meaning", 0.3), ("layout", 0.9)):
        for rater in ("R01", "R02", "R03", "gpt"):
            for item in range(60):
                value = int(np.clip(round(truth[item] + rng.normal(0, noise)), 1, 5))
                score = 3 if item else "NA"
                lines.append(f"d{item},{rater},{dimension},{value},{score},{1 + item % 2}")
    path = tmp_path / "rated.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def sections(out):
    """The lines below each heading."""
    found = {}
    for before, line in pairwise(["", *out.splitlines()]):
        if not before and line and not line[0].isspace() and "  " not in line:
            found[line] = []
        elif found:
            found[next(reversed(found))].append(line)
    return {heading: "\n".join(lines) for heading, lines in found.items()}


def test_the_verdict_comes_first_with_the_worst_dimension_and_the_mean(run, rated):
    out = run("agreement", rated, "--scale", "likert:1:5", "--judge", "gpt").out

    verdict = sections(out)["Verdict under the policy default"]
    assert re.search(r"meaning +PASS +excellent +Krippendorff's alpha +0\.9", verdict)
    assert re.search(r"layout +(FAIL|INCONCLUSIVE)", verdict)
    assert re.search(r"overall +(FAIL|INCONCLUSIVE) +as layout, the worst", verdict)
    assert re.search(
        r"Mean over 2 dimensions: Krippendorff's alpha 0\.\d{3}, mean pairwise kappa 0\.\d{3}, ",
        verdict,
    )
    assert "Advice only: nothing is known about how these items were chosen." in verdict
    assert out.index("What to do") < out.index("\nmeaning\n")


@pytest.mark.parametrize("policy", ["default", "strict", "kappa", "gdpval", "anytime"])
def test_every_policy_can_be_asked(run, rated, policy):
    answer = run("agreement", rated, "--scale", "likert:1:5", "--policy", policy)

    assert answer.code in EXIT_CODES.values()
    assert f"Verdict under the policy {policy}" in answer.out


def test_pairs_raters_items_and_advice_are_printed(run, rated):
    out = run("agreement", rated, "--scale", "likert:1:5", "--judge", "gpt").out

    layout = out.partition("\nlayout\n")[2].partition("\nDimensions together")[0]
    assert re.search(
        r"pairs of raters +pairs +mean +sd +lowest +median +highest\nCohen's kappa +3 ", layout
    )
    assert re.search(r"Ratings 2 or more apart: \d+ items of 60 with two or more", layout)
    assert re.search(r"and \d+ more: --full", layout)
    assert re.search(r"Item means, halves rounded up  1: \d+, 2: \d+", layout)
    assert "rater, strictest first" in layout
    assert "R01" in layout
    assert "gpt" not in layout.partition("rater, strictest first")[2]


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize(
    "words",
    [
        ["--policy", "gdpval"],
        ["--policy", "strict", "--where", "dimension=layout"],
        ["--policy", "gdpval", "--judge", "gpt", "--item-weight", "w", "--dimension", "meaning"],
    ],
)
def test_a_report_is_asked_what_agreement_is_asked(run, rated, tmp_path, words):
    words = [rated, "--scale", "likert:1:5", *words]
    agreement = run("agreement", *words, "--json")
    report = run("report", "--ratings", *words, "--out", tmp_path / "out")

    found = json.loads(agreement.out)
    page = Path(report.out.splitlines()[0]).read_text(encoding="utf-8")
    alpha = found["dimensions"].popitem()[1]["estimates"]["krippendorff_alpha"]["value"]
    assert report.code == agreement.code
    assert f"{alpha:.2f}" in page
    assert ('id="judges"' in page) is ("--judge" in words)
    assert ("rows with dimension=layout" in page) is ("--where" in words)


def test_judges_are_printed_below_their_ceiling(run, rated):
    out = run("agreement", rated, "--scale", "likert:1:5", "--judge", "gpt", "--judge", "llm").out

    judges = out.partition("A^HA of automatic judges")[2].partition("\n\n")[0]
    assert re.search(r"\ngpt +0\.\d{3} .* 60 ", judges)
    assert re.search(r"\nllm +0\.\d{3} .* 59 ", judges)  # NA for one item
    assert re.search(r"\ngpt: ceiling A\^HH on the judge's items +0\.\d{3} .* 60 +\w+", judges)
    assert re.search(r"May gpt take a rater's seat\? (yes|no): of \d of 3 raters\.", out)


def test_dimensions_together_and_bias_are_printed(run, rated):
    out = run("agreement", rated, "--scale", "likert:1:5", "--composite", "pca").out

    together = sections(out)["Dimensions together"]
    assert re.search(r"layout, meaning +0\.\d\d", together)
    assert re.search(r"composite score +pca \(layout 0\.50, meaning 0\.50\)", out)
    assert "of the variance" in out
    bias = sections(out)["Bias"]
    assert re.search(
        r"\d+ tests, (none|\d+) flagged after adjusting for the tests of each kind, "
        r"(none|\d+) after adjusting for all of them\.",
        " ".join(bias.split()),
    )
    assert "Anchoring (the order of the ratings is not known)" in bias
    assert "Straight-lining (the order of the ratings is not known)" in bias


def test_a_bias_is_named_and_measured_as_in_the_report():
    common = {"p_adjusted": 0.0004, "flagged": True}
    ratio = BiasFinding("central_tendency", "R01", None, 0.39, SLOPE_RATIO, 0.3, 0.5, **common)
    fatigue = BiasFinding("order", "R02", None, 0.2, DISTANCE_PER_SESSION, 0.1, 0.3, **common)
    run = BiasFinding("range_restriction", "R03", None, 40.0, RUN, 35.0, 40.0, **common)

    for test in (ratio, fatigue, run):
        [row], cells = bias_rows([test]), _bias_row(test)
        rater, _, effect = row.effect.partition(" ")
        assert cells[:2] == (row.name, rater)
        assert cells[3:6] == (f"{effect} {row.words.unit}", row.interval, row.p_value)
    assert _bias_row(ratio)[3] == "0.39 ratio"
    assert _bias_row(run)[0] == "Straight-lining"


def test_the_weights_of_dimensions_make_a_weighted_score(run, rated):
    words = ["agreement", rated, "--scale", "likert:1:5", "--dimension-weights"]
    out = run(*words, "meaning=3,layout=1").out

    assert "composite score  weighted (layout 0.25, meaning 0.75)" in out
    assert run(*words, "meaning=3").err == (
        "no weight for 'layout'; weights name 'meaning'. Give 0 to leave a dimension out.\n"
    )
    assert run(*words, "meaning").err == (
        "--dimension-weights NAME=WEIGHT,... has a name and a cell around its equals sign; found "
        "'meaning'.\n"
    )


def test_details_stand_behind_full(run, rated):
    short = run("agreement", rated, "--scale", "likert:1:5").out
    full = run("agreement", rated, "--scale", "likert:1:5", "--full").out

    details = (
        "\nwith quadratic weights",
        "intraclass correlation by form",
        "ICC(3,k)",
        "with linear weights of",
        "kurtosis",
        "gain without",
    )
    assert [text for text in details if text in short] == []
    assert re.search(
        r"with quadratic weights of +value +95 % interval +items +grade\n\S+, \S+ +0\.\d+ +\S+ to ",
        short,
    )
    assert [text for text in details if text not in full] == []
    assert "More with --full" in short
    assert "More with --full" not in full
    assert "more: --full" not in full


def test_items_can_be_weighed(run, rated):
    words = ["agreement", rated, "--scale", "likert:1:5", "--dimension", "meaning", "--json"]
    plain, weighted = (
        json.loads(run(*words, *more).out)["dimensions"]["meaning"]["estimates"]
        for more in ([], ["--item-weight", "w"])
    )

    assert plain["fleiss_kappa"]["value"] != weighted["fleiss_kappa"]["value"]
    assert run(*words, "--item-weight", "x").err == (
        "there is no column 'x' beside the ratings; there is llm, w.\n"
    )
    assert run(*words, "--item-weight", "llm").err == (
        "row 2: the column 'llm' holds weights, numbers of 0 or more; found 'NA' for item 'd0'.\n"
    )


@pytest.fixture
def unlike(tmp_path):
    """A file with three dimensions: five levels, pass or fail, and a number."""
    file = tmp_path / "unlike.csv"
    rows = [
        f"d{n},R{rater},{1 + (n + rater // 2) % 5},{(n + rater // 3) % 2},{n * 2.5 + rater}"
        for n in range(30)
        for rater in (1, 2, 3)
    ]
    file.write_text("item,rater,meaning,usable,ease\n" + "\n".join(rows))
    return file


def test_every_dimension_may_have_a_scale_of_its_own(run, unlike):
    words = ["agreement", unlike, "--exit-zero", "--scale", "likert:1:5"]
    words += ["--scale", "usable=binary", "--scale", "ease=interval:0:100"]

    printed = run(*words).out
    body = json.loads(run(*words, "--json").out)
    alone = json.loads(
        run(*words[:3], "--dimension", "ease", "--scale", "interval:0:100", "--json").out
    )

    assert "meaning: likert 1 to 5; usable: binary 0 to 1; ease: interval 0 to 100" in printed
    assert body["scale"]["usable"] == "binary 0 to 1"
    found = {name: one["estimates"] for name, one in body["dimensions"].items()}
    assert found["ease"]["fleiss_kappa"]["reason"] == "scale_mismatch"
    assert found["usable"]["adjacent_agreement"]["reason"] == "scale_mismatch"
    assert found["meaning"]["adjacent_agreement"]["value"] > 0
    own = alone["dimensions"]["ease"]["estimates"]["krippendorff_alpha"]
    assert found["ease"]["krippendorff_alpha"] == own
    assert body["composites"]["rows"][0]["stretched"]


def test_a_scale_that_fits_no_dimension_is_refused(run, unlike):
    def refusal(*scales):
        return run(
            "agreement", unlike, *(word for scale in scales for word in ("--scale", scale))
        ).err

    assert refusal("likert:1:5", "layout=binary") == (
        "--scale layout=binary: the file has no dimension 'layout'; it has meaning, usable, ease.\n"
    )
    assert refusal("meaning=likert:1:5", "ease=interval:0:100") == (
        "--scale declares none for usable; write --scale usable=SCALE, or one without a name for "
        "all other dimensions. Only 0 and 1 found: use --scale binary.\n"
    )
    assert refusal("likert:1:5", "binary") == (
        "--scale is given twice for all dimensions: 'likert:1:5' and 'binary'.\n"
    )
    assert refusal("usable=binary", "usable=nominal", "likert:1:5") == (
        "--scale is given twice for the dimension 'usable': 'binary' and 'nominal'.\n"
    )
    assert "--scale must be likert:1:5" in refusal("usable=pass", "likert:1:5")
    counted = run(
        *("agreement", DATA / "diagnoses.csv", "--table", "crosstab"),
        *("--scale", "nominal", "--scale", "a=binary"),
    )
    assert "has one dimension; give one --scale" in counted.err


def test_items_can_be_clustered(run, tmp_path):
    file, by_dimension = tmp_path / "pages.csv", tmp_path / "dimensions.csv"
    file.write_text(
        "item,rater,rating,page\n"
        + "".join(
            f"d{place}{system},R{rater},{1 + (place * 7 + rater * (place % 3)) % 5},p{place}\n"
            for place in range(30)
            for system in "ab"
            for rater in (1, 2, 3)
        )
    )
    by_dimension.write_text(file.read_text().replace("item,rater,rating", "item,rater,meaning"))
    words = ["agreement", file, "--scale", "likert:1:5"]

    plain, clustered = (
        json.loads(run(*words, "--json", *more).out)["dimensions"]["rating"]
        for more in ([], ["--cluster", "page"])
    )

    for key in ("krippendorff_alpha", "fleiss_kappa", "mean_pairwise_kappa", "icc"):
        of_page, alone = clustered["estimates"][key], plain["estimates"][key]
        assert of_page["value"] == pytest.approx(alone["value"], abs=1e-9)
        assert of_page["high"] - of_page["low"] > 1.3 * (alone["high"] - alone["low"])
        assert (of_page["n_items"], of_page["n_clusters"]) == (60, 30)
        assert "n_clusters" not in alone
    mean = [one["variants"]["plain_mean"] for one in (plain, clustered)]
    assert mean[1]["se"] > 1.3 * mean[0]["se"]
    assert "Drawn in 30 clusters" in run(*words, "--cluster", "page").out
    assert "cluster" not in run(*words).out
    wide = run("agreement", by_dimension, "--scale", "likert:1:5", "--cluster", "page", "--json")
    assert list(json.loads(wide.out)["dimensions"]) == ["meaning"]


def test_a_cluster_that_is_no_column_or_varies_is_refused(run, rated):
    words = ["agreement", rated, "--scale", "likert:1:5", "--cluster"]

    assert run(*words, "page").err == (
        "there is no column 'page' beside the ratings; there is llm, w.\n"
    )
    counted = run("agreement", rated, "--table", "crosstab", "--scale", "binary", "--cluster", "w")
    assert "leave out --cluster" in counted.err


def test_rows_can_be_chosen(run, rated):
    words = ["agreement", rated, "--scale", "likert:1:5", "--json"]

    body = json.loads(run(*words, "--where", "rater=R01").out)

    assert body["dimensions"]["meaning"]["n_raters"] == 1
    assert body["verdict"]["decision"] == "INCONCLUSIVE"
    assert run(*words, "--where", "rater=R09").err.endswith("has no row with rater=R09.\n")
    assert run(*words, "--where", "rater").code == 2


def test_a_threshold_can_be_chosen(run, rated):
    words = ["agreement", rated, "--scale", "likert:1:5", "--threshold"]

    assert "Ratings 3 or more apart" in run(*words, "3").out
    assert run(*words, "0").err == "threshold must be above 0 points of the scale; found 0.0.\n"


def test_a_negative_seed_is_refused(run, rated):
    assert run("agreement", rated, "--scale", "likert:1:5", "--seed", "-1").err == (
        "--seed is 0 or more; found -1.\n"
    )


@pytest.mark.parametrize("option", ["--look", "--looks"])
@pytest.mark.parametrize("number", ["0", "-1"])
def test_a_look_before_the_first_is_refused(run, rated, option, number):
    answer = run("agreement", rated, "--scale", "likert:1:5", option, number)

    assert answer == (2, "", f"{option} is 1 or more; found {number}.\n")


def test_names_that_differ_have_no_ends(run):
    out = run("agreement", DATA / "fleiss.csv", "--scale", "nominal:1,2,3,4,5").out

    assert "Ratings that differ: 9 items of 10 with two or more ratings (90.0%" in out
    assert re.search(r"item +ratings +different\n5 +14 +5\n", out)


def test_two_binary_raters_have_indices(run):
    out = run("agreement", DATA / "cohen.csv", "--scale", "binary").out

    values = numbers(out.partition("two raters, two categories")[2])
    assert values["PABAK"] == "0.400"
    assert values["positive agreement"] == "0.727"
    assert "- Raters are split on 15 of 50 items. Items: 21, 22, 23, 24, 25 and 10 more." in out
    assert "- Define what passes and what fails, with examples of both." in out


def test_raters_without_a_pair_have_no_kappa(run, tmp_path):
    file = tmp_path / "few.csv"
    file.write_text("item,A,B\na,3,4\nb,2,2\n", encoding="utf-8")

    out = run("agreement", file, "--scale", "likert:1:5").out

    assert "No pair of raters has a kappa: too few items in common." in out


def test_a_value_shows_digits_enough_to_fit_its_band():
    # .66651 is below .667, though three digits would say .667.
    assert value_cell("krippendorff_alpha", 0.66651) == "0.6665"
    assert value_cell("krippendorff_alpha", 0.6666) == "0.6666"
    assert value_cell("fleiss_kappa", 0.2099) == "0.210"
    assert value_cell("modal_share", 0.12345) == "12.3%"


def test_a_share_is_a_percentage_on_the_whole_screen(run, rated):
    words = ["agreement", rated, "--scale", "likert:1:5", "--policy", "gdpval", "--exit-zero"]

    answer = run(*words)

    label = "exact or adjacent agreement of pairs"
    shares = re.findall(rf"{label} +(\S+%) +\S+% to \S+% ", answer.out)
    assert shares == re.findall(rf"{label}  (\S+)\n", answer.out)
    assert len(shares) == 2
    assert re.search(r"^Mean over 2 .* exact agreement of pairs \S+%,", answer.out, re.MULTILINE)
    assert "; 75% is required" in answer.out


@pytest.mark.parametrize("policy", ["default", "gdpval"])
def test_the_table_of_verdicts_says_what_its_grades_are_of(run, tmp_path, policy):
    file = tmp_path / "alike.csv"
    rows = [f"d{place},{1 + place % 5},{1 + place % 5 + (place == 3)}" for place in range(60)]
    file.write_text("\n".join(["item,A,B", *rows]), encoding="utf-8")

    answer = run("agreement", file, "--scale", "likert:1:5", "--policy", policy)

    alpha = statistic(GRADED).label
    [word] = re.findall(rf"^{alpha} +\S+ +\S+ to \S+ +60 +(\w+)$", answer.out, re.MULTILINE)
    table = answer.out.partition(f" grade of {alpha}  judged by ")[2]
    assert re.match(rf" +value\nrating +PASS +{word} +", table)


def test_an_overall_rating_weighs_the_dimensions(run, tmp_path):
    file = tmp_path / "overall.csv"
    rows = ["item,rater,meaning,layout,overall"]
    for place in range(30):
        meaning, layout = 1 + place % 5, 1 + (place // 5) % 5
        rows += [
            f"d{place},R{k},{meaning},{layout},{0.75 * meaning + 0.25 * layout}" for k in (1, 2)
        ]
    file.write_text("\n".join(rows))
    words = ["agreement", file, "--scale", "interval:1:5", "--exit-zero"]

    answer = run(*words, "--overall", "overall")
    without = run(*words, "--composite", "regression")
    unknown = run(*words, "--overall", "beauty")
    both = run(*words, "--overall", "overall", "--dimension-weights", "meaning=1")
    other = run(*words, "--overall", "overall", "--composite", "pca")

    assert "regression (layout 0.25, meaning 0.75)" in answer.out
    assert "layout 0.00, meaning 0.00" in answer.out
    assert "100 % of the overall rating's variance" in answer.out
    assert "--composite regression needs --overall" in without.err
    assert "'beauty' is one of two or more dimensions" in unknown.err
    assert "each make a score; give one of them" in both.err
    assert "--overall implies --composite regression; --composite pca is another" in other.err
