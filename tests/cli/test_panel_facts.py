"""What `ocrjury agreement --json` holds: the library's own answers, complete and documented."""

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
from ocrjury.cli.agreement import COMPOSITES, POLICIES
from ocrjury.cli.panel_facts import Question, examine
from ocrjury.dimensions import Method, composite_score, dimension_correlation
from ocrjury.gate.policy import PresetName
from ocrjury.statistics import grade

FIVE = Scale.likert(1, 5)
DOCS = Path(__file__).resolve().parents[2] / "docs" / "agreement.md"
RATERS = ("R01", "R02", "R03")


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
def facts(frame, judge):
    question = Question(policy="strict", composite="pca")
    return examine(frame, {"llm": judge}, scale=FIVE, question=question)


@pytest.fixture(scope="module")
def body(facts):
    return json.loads(json.dumps(facts.to_json(), allow_nan=False))


@pytest.fixture(scope="module")
def meaning(frame):
    return RatingTable.from_long(frame[frame["dimension"] == "meaning"], scale=FIVE)


def test_coefficients_are_the_librarys_with_their_bands(body, meaning):
    found = body["dimensions"]["meaning"]["coefficients"]

    for key, estimate in measure_agreement(meaning).items():
        band = found[key].pop("band")
        assert found[key] == estimate.to_json(), key
        assert band is None or band == grade(key, estimate.value).word
    assert {"conger_kappa", "brennan_prediger"} < set(found)


def test_every_level_form_and_weight_is_there(body, meaning):
    found = body["dimensions"]["meaning"]

    assert set(found["alpha_by_level"]) == {"nominal", "ordinal", "interval", "ratio"}
    ratio = krippendorff_alpha(meaning, level="ratio", ci="jackknife")
    assert found["alpha_by_level"]["ratio"]["se"] == pytest.approx(ratio.se)
    assert len(found["icc_by_form"]) == 6
    mixed = icc(meaning, form="ICC(3,k)", missing="mixed")
    assert found["icc_by_form"]["ICC(3,k)"]["value"] == pytest.approx(mixed.value)
    quadratic = agreement.gwet_ac(meaning, weights="quadratic", ci="jackknife")
    assert found["by_weights"]["quadratic"]["gwet_ac"]["value"] == pytest.approx(quadratic.value)
    assert set(found["by_weights"]) == {"linear", "quadratic"}


def test_pairs_come_with_their_spread(body, meaning):
    found = body["dimensions"]["meaning"]["pairwise_kappa"]

    assert set(found) == {"none", "linear", "quadratic"}
    frame = pairwise_kappa(meaning, weights="quadratic")
    assert [pair["value"] for pair in found["quadratic"]["pairs"]] == frame["value"].tolist()
    assert found["quadratic"]["median"] == frame.attrs["median"]
    assert found["none"]["n_pairs"] == 3


def test_disagreements_raters_and_judges_are_the_librarys(body, frame, meaning, judge):
    found = body["dimensions"]["meaning"]

    expected = find_disagreements(meaning)
    assert found["disagreements"]["count"] == len(expected) == len(found["disagreements"]["items"])
    assert found["disagreements"]["rate"] == expected.attrs["rate"]
    assert sum(row["n_items"] for row in found["item_means"]) == meaning.n_items
    gains = gain_without_raters(meaning)
    assert found["gain_without_rater"]["R02"] == gains["R02"].to_json()
    ours = judge_alignment(meaning, judge["meaning"])
    assert found["judges"]["llm"]["value"] == ours.value
    profiles = rater_profiles(frame, scale=FIVE)
    assert [row["mean"] for row in body["raters"]["profiles"]] == profiles["mean"].tolist()
    assert set(body["raters"]["differences"]) == {"meaning", "layout"}


def test_the_verdict_is_that_of_the_worst_dimension_with_the_mean_beside_it(body):
    verdict = body["verdict"]
    alphas = [
        one["coefficients"]["krippendorff_alpha"]["value"] for one in body["dimensions"].values()
    ]

    assert verdict["worst_dimension"] == "layout"
    assert verdict["decision"] == verdict["by_dimension"]["layout"]["decision"] != "PASS"
    assert verdict["by_dimension"]["meaning"]["decision"] == "PASS"
    assert verdict["mean_over_dimensions"]["krippendorff_alpha"] == pytest.approx(np.mean(alphas))
    assert any("0.8 is required" in reason for reason in verdict["reasons"])


def test_bias_and_several_dimensions_are_the_librarys(body, frame):
    expected = [finding.to_json() for finding in measure_bias(frame, scale=FIVE)]
    assert body["bias"]["findings"] == json.loads(json.dumps(expected))
    assert body["bias"]["order_refused"] is None

    together = body["together"]
    assert together["correlation"][0]["value"] == dimension_correlation(frame)["value"].iloc[0]
    composite = composite_score(frame, method="pca")
    assert together["composite"]["loadings"] == composite.attrs["loadings"]
    assert together["composite"]["scores"][0]["score"] == composite["score"].iloc[0]
    by_item = composite.groupby("item")["score"].mean()
    assert together["composite"]["plain_mean"]["value"] == pytest.approx(by_item.mean())


def test_a_foolish_order_is_not_used_and_not_hidden(frame):
    twice = frame.assign(position=1)

    bias = examine(twice, {}, scale=FIVE, question=Question()).bias

    assert "position 1 occurs twice" in bias.order_refused
    assert {one.reason for one in bias.findings if one.kind == "anchoring"} == {"no_order"}


def test_the_order_of_the_ratings_is_used_where_it_makes_sense(frame):
    place = frame.groupby("rater")["item"].transform(lambda items: pd.factorize(items)[0] + 1)
    ordered = frame.assign(position=place)

    bias = examine(ordered, {}, scale=FIVE, question=Question()).bias

    assert bias.order_refused is None
    assert "no_order" not in {one.reason for one in bias.findings}


def test_weights_reach_the_coefficients(frame, meaning):
    weight = frame["item"].map(lambda item: 1 + int(item[1:]) % 3).astype(float)
    weighted = frame.assign(item_weight=weight)

    found = examine(weighted, {}, scale=FIVE, question=Question(ci=None)).dimensions["meaning"]

    table = RatingTable.from_long(
        frame[frame["dimension"] == "meaning"],
        scale=FIVE,
        item_weight=dict(zip(frame["item"], weight, strict=True)),
    )
    alpha = found.found.coefficients["krippendorff_alpha"].value
    assert alpha == krippendorff_alpha(table).value
    assert alpha != krippendorff_alpha(meaning).value


def test_the_gate_has_errors_where_none_are_printed(frame):
    bare = examine(frame, {}, scale=FIVE, question=Question(ci=None))
    full = examine(frame, {}, scale=FIVE, question=Question())

    assert bare.verdict == full.verdict
    assert np.isnan(bare.dimensions["meaning"].found.coefficients["krippendorff_alpha"].se)


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

    facts = examine(binary, {}, scale=Scale.binary(), question=Question())
    body = facts.to_json()

    table = RatingTable.from_long(binary, scale=Scale.binary())
    found = body["dimensions"]["rating"]["prevalence"]
    assert found["pabak"] == prevalence(table).pabak
    assert body["together"] is None
    assert body["dimensions"]["rating"]["by_weights"] == {}


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

    body = examine(long, {}, scale=scale, question=Question()).to_json()

    assert json.dumps(body, allow_nan=False)
    assert body["dimensions"]["rating"]["prevalence"] is None


def test_options_of_the_command_line_are_those_of_the_library():
    assert get_args(PresetName) == POLICIES
    assert get_args(Method) == COMPOSITES


# docs/agreement.md


def test_the_docs_name_every_key(body):
    text = DOCS.read_text("utf-8")
    dimension = body["dimensions"]["meaning"]
    keys = {
        *body,
        *dimension,
        *dimension["pairwise_kappa"]["none"],
        *dimension["disagreements"],
        *body["verdict"],
        *body["bias"],
        *body["raters"],
        *body["together"],
        *body["together"]["composite"],
        *dimension["item_means"][0],
        *("file", "shape", "scale", "ci", "policy", "seed"),
        *(set(dimension["coefficients"]) - set(agreement.__all__) - set(MEASURED)),
    }

    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []


MEASURED = measure_agreement(RatingTable.from_matrix([[1, 1]], scale=FIVE))


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
