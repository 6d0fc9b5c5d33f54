"""What `ocrjury agreement --json` holds: the library's own answers, complete and documented."""

import dataclasses
import json
from pathlib import Path
from typing import get_args

import numpy as np
import pandas as pd
import pytest

from ocrjury import RatingTable, Scale, agreement
from ocrjury.agreement import (
    find_disagreements,
    gain_without_raters,
    icc,
    judge_alignment,
    krippendorff_alpha,
    measure_agreement,
    pairwise_kappa,
    prevalence,
)
from ocrjury.bias import measure_bias, rater_profiles
from ocrjury.cli.agreement_questions import COMPOSITES
from ocrjury.dimensions import Method, composite_score, dimension_correlation
from ocrjury.findings.measurement.ratings import Question, measure_ratings
from ocrjury.findings.ratings import RatingsFinding

FIVE = Scale.likert(1, 5)
DOCS = Path(__file__).resolve().parents[2] / "docs" / "agreement.md"
RATERS = ("R01", "R02", "R03")


def examine(frame, scale=FIVE, **options):
    weight = "item_weight" if "item_weight" in frame.columns else None
    tables = {
        name: RatingTable.from_long(rows, scale=scale, item_weight=weight)
        for name, rows in frame.groupby("dimension", sort=False)
    }
    return measure_ratings(frame, tables, scale=scale, question=Question(**options))


def ratings(*, n_items=60, seed=2):
    """Draw two dimensions: raters agree on meaning, less on layout."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, n_items)
    rows = []
    for dimension, noise in (("meaning", 0.3), ("layout", 0.9)):
        for rater in RATERS:
            order = rng.permutation(n_items)
            for position, item in enumerate(order, start=1):
                value = int(np.clip(round(truth[item] + rng.normal(0, noise)), 1, 5))
                if rng.random() < 0.85:
                    rows.append((f"d{item}", rater, dimension, value, rater, position))
    columns = ["item", "rater", "dimension", "rating", "session", "position"]
    return pd.DataFrame(rows, columns=columns).drop_duplicates(["item", "rater", "dimension"])


@pytest.fixture(scope="module")
def frame():
    found = ratings()
    position = found.groupby(["rater", "item"])["position"].transform("first")
    return found.assign(position=position).drop(columns=["session", "position"])


@pytest.fixture(scope="module")
def judge():
    return {"meaning": {f"d{item}": 3.5 for item in range(60)}, "layout": {"d0": 2}}


@pytest.fixture(scope="module")
def finding(frame, judge):
    return examine(
        frame,
        policy="strict",
        methods=("pca",),
        judges={"llm": judge},
        variants=True,
        divided_kept=None,
    )


@pytest.fixture(scope="module")
def meaning(frame):
    return RatingTable.from_long(frame[frame["dimension"] == "meaning"], scale=FIVE)


def test_a_finding_survives_strict_json(finding):
    text = json.dumps(finding.to_json(), allow_nan=False)

    assert RatingsFinding.from_json(json.loads(text)).to_json() == json.loads(text)


def test_coefficients_are_the_librarys(finding, meaning):
    (row, _) = finding.dimensions

    assert row.estimates == measure_agreement(meaning)
    assert set(row.variants.estimates) == {"conger_kappa", "brennan_prediger"}


def test_every_level_form_and_weight_is_there(finding, meaning):
    variants = finding.dimensions[0].variants

    assert set(variants.alpha) == {"nominal", "ordinal", "interval", "ratio"}
    assert variants.alpha["ratio"] == krippendorff_alpha(meaning, level="ratio", ci="jackknife")
    assert len(variants.icc) == 6
    assert variants.icc["ICC(3,k)"] == icc(meaning, form="ICC(3,k)", missing="mixed")
    quadratic = agreement.gwet_ac(meaning, weights="quadratic", ci="jackknife")
    assert variants.weighted["quadratic"]["gwet_ac"] == quadratic
    assert set(variants.weighted) == {"linear", "quadratic"}


def test_pairs_come_with_their_spread(finding, meaning):
    pairs = {row.weights: row for row in finding.dimensions[0].variants.pairs}

    assert set(pairs) == {"none", "linear", "quadratic"}
    assert pairs["quadratic"] == finding.dimensions[0].pairs
    frame = pairwise_kappa(meaning, weights="quadratic")
    assert [row.estimate.value for row in pairs["quadratic"].rows] == frame["value"].tolist()
    assert pairs["quadratic"].spread.median == frame.attrs["median"]
    assert pairs["none"].spread.n == 3


def test_disagreements_raters_and_judges_are_the_librarys(finding, frame, meaning, judge):
    row = finding.dimensions[0]

    expected = find_disagreements(meaning)
    assert row.disagreements.n == len(expected) == len(row.disagreements.rows)
    assert row.disagreements.rate == expected.attrs["rate"]
    assert sum(row.item_means) == meaning.n_items
    assert finding.bias.gains["meaning"]["R02"] == gain_without_raters(meaning)["R02"]
    assert row.judges[0].alignment == judge_alignment(meaning, judge["meaning"])
    profiles = rater_profiles(frame, scale=FIVE)
    means = [profile.mean.value for row in finding.dimensions for profile in row.profiles]
    assert sorted(means) == sorted(profiles["mean"])


def test_the_verdict_is_that_of_the_worst_dimension_with_the_mean_beside_it(finding):
    verdict = finding.verdict
    alphas = [row.get("krippendorff_alpha").value for row in finding.dimensions]

    assert verdict.worst == "layout"
    assert verdict.decision == verdict.by_dimension["layout"].decision != "PASS"
    assert verdict.by_dimension["meaning"].decision == "PASS"
    assert finding.together.means["krippendorff_alpha"].value == pytest.approx(np.mean(alphas))
    assert any("0.8 is required" in reason for reason in verdict.reasons)


def test_bias_and_several_dimensions_are_the_librarys(finding, frame):
    expected = [test.to_json() for test in measure_bias(frame, scale=FIVE)]
    assert [test.to_json() for test in finding.bias.findings] == expected
    assert finding.order_refused is None

    (correlation,) = finding.together.correlations
    assert correlation.estimate.value == dimension_correlation(frame)["value"].iloc[0]
    (row,) = finding.composites.rows
    composite = composite_score(frame, method="pca")
    assert row.loadings == composite.attrs["loadings"]
    by_item = composite.groupby("item")["score"].mean()
    assert row.scores["d0"] == by_item["d0"]
    assert row.these.value == pytest.approx(by_item.mean())


def test_a_foolish_order_is_not_used_and_not_hidden(frame):
    twice = frame.assign(position=1)

    found = examine(twice)

    assert "position 1 occurs twice" in found.order_refused
    assert {finding.reason for finding in found.bias.findings if finding.kind == "anchoring"} == {
        "no_order"
    }


def test_the_order_of_the_ratings_is_used_where_it_makes_sense(frame):
    place = frame.groupby("rater")["item"].transform(lambda items: pd.factorize(items)[0] + 1)
    ordered = frame.assign(position=place)

    found = examine(ordered)

    assert found.order_refused is None
    assert "no_order" not in {finding.reason for finding in found.bias.findings}


def test_weights_reach_the_coefficients(frame, meaning):
    weight = frame["item"].map(lambda item: 1 + int(item[1:]) % 3).astype(float)
    weighted = frame.assign(item_weight=weight)

    found = examine(weighted, ci=None).dimensions[0]

    table = RatingTable.from_long(
        frame[frame["dimension"] == "meaning"],
        scale=FIVE,
        item_weight=dict(zip(frame["item"], weight, strict=True)),
    )
    alpha = found.get("krippendorff_alpha").value
    assert alpha == krippendorff_alpha(table).value
    assert alpha != krippendorff_alpha(meaning).value


def test_the_gate_has_errors_where_none_are_printed(frame):
    bare = examine(frame, ci=None)
    full = examine(frame)

    assert bare.verdict == full.verdict
    assert np.isnan(bare.dimensions[0].get("human_agreement").se)


def test_two_binary_raters_have_indices(frame):
    rows = [
        ("a", "A", 1),
        ("a", "B", 1),
        ("b", "A", 0),
        ("b", "B", 1),
        ("c", "A", 0),
        ("c", "B", 0),
    ]
    binary = pd.DataFrame(rows, columns=["item", "rater", "rating"]).assign(dimension="rating")

    found = examine(binary, Scale.binary(), variants=True)

    table = RatingTable.from_long(binary, scale=Scale.binary())
    variants = found.dimensions[0].variants
    assert variants.prevalence.pabak == prevalence(table).pabak
    assert variants.weighted == {}
    assert found.together.correlations == found.composites.rows == ()


@pytest.mark.parametrize(
    ("scale", "values"),
    [
        (Scale.nominal(["x", "y"]), ["x", "y", "x", "x"]),
        (Scale.interval(0, 100), [1.5, 2, 80, 70]),
        (FIVE, [3, 3, 3, 3]),
    ],
)
def test_every_scale_gives_strict_json(scale, values):
    rows = [("a", "A"), ("a", "B"), ("b", "A"), ("b", "B")]
    long = pd.DataFrame(rows, columns=["item", "rater"]).assign(
        dimension="rating", rating=pd.Series(values, dtype=object)
    )

    found = examine(long, scale, variants=True)

    assert json.dumps(found.to_json(), allow_nan=False)
    assert found.dimensions[0].variants.prevalence is None


def test_options_of_the_command_line_are_those_of_the_library():
    assert get_args(Method) == COMPOSITES


# docs/agreement.md


def test_the_docs_name_every_key(finding):
    text = DOCS.read_text("utf-8")
    records = [
        finding,
        finding.together,
        finding.composites.rows[0],
        finding.bias,
        finding.verdict,
        finding.dimensions[0],
        finding.dimensions[0].disagreements,
        finding.dimensions[0].variants,
        finding.dimensions[0].pairs,
        finding.dimensions[0].pairs.spread,
        finding.dimensions[0].profiles[0],
    ]
    keys = {field.name for record in records for field in dataclasses.fields(record)}
    keys |= {"file", "shape", "scale", "ci", "seed", "grades", "worst_dimension"}
    keys |= {"cohen_kappa", "cohen_kappa_quadratic", *finding.dimensions[0].variants.estimates}

    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []


def test_the_docs_name_every_public_function_and_reason():
    from ocrjury.estimate import Reason

    text = DOCS.read_text("utf-8")
    names = {name for name in agreement.__all__ if name[0].islower()}

    assert [name for name in sorted({*names, *get_args(Reason)}) if name not in text] == []


def test_the_example_of_the_docs_prints_what_it_says(capsys):
    code = DOCS.read_text("utf-8").partition("```python\n")[2].partition("```")[0]

    exec(code, {})

    said = [line.rpartition("# ")[2] for line in code.splitlines() if "  # " in line]
    assert capsys.readouterr().out.split() == said
