import json

import pandas as pd
import pytest

from ocrjury import Estimate, RatingTable, Scale
from ocrjury.agreement import measure_agreement
from ocrjury.bias.findings import BiasFinding
from ocrjury.report.assembly.bodies import (
    DIVIDED_SHOWN,
    dimension_agreement,
    divided_items,
    means_over,
    pair_kappas,
    profiles,
    together,
)
from ocrjury.report.evidence import ItemRating
from ocrjury.report.measured import agreement_body, composite_body, dimensions_body

LIKERT = Scale.likert(1, 5)
FRAME = pd.DataFrame(
    [
        (f"d{n}", rater, dimension, 1 + (n + shift + extra) % 5)
        for n in range(30)
        for dimension, extra in (("meaning", 0), ("layout", 1))
        for rater, shift in (("R01", 0), ("R02", n % 7 == 0), ("R03", n % 11 == 0))
    ],
    columns=["item", "rater", "dimension", "rating"],
).astype({"rating": int})


def stored(body):
    """Return what a database gives back."""
    return json.loads(json.dumps(body, allow_nan=False))


@pytest.fixture
def bodies():
    tables = {
        str(name): RatingTable.from_long(of, scale=LIKERT)
        for name, of in FRAME.groupby("dimension", sort=False)
    }
    measured = {name: measure_agreement(table) for name, table in tables.items()}
    found = {name: agreement_body(table, measured[name]) for name, table in tables.items()}
    return stored({**found, "*": dimensions_body(FRAME, measured, scale=LIKERT)})


def test_what_was_kept_is_what_is_printed(bodies):
    found = dimension_agreement("meaning", bodies["meaning"])

    assert (
        found.get("krippendorff_alpha").value
        == (bodies["meaning"]["estimates"]["krippendorff_alpha"]["value"])
    )
    assert found.pair_summary.n == 3
    assert found.disagreement.n == bodies["meaning"]["disagreements"]["n"] > 0
    assert sum(found.item_means) == 30
    assert len(pair_kappas(bodies["meaning"], method="kappa")) == 3
    assert means_over(bodies["*"])["icc"].n == 2
    (meaning, _) = profiles({name: bodies[name] for name in ("meaning", "layout")})
    assert meaning.dimension == "meaning"
    assert sum(row.count for row in meaning.rows) == 90


def test_a_body_of_an_older_version_lacks_nothing_that_matters(bodies):
    old = {key: bodies["meaning"][key] for key in ("estimates", "pairs", "severity")}

    found = dimension_agreement("meaning", old)

    assert found.get("icc").defined
    assert (found.disagreement, found.pair_summary, found.patterns) == (None, None, ())
    assert profiles({"meaning": old}) == ()
    assert divided_items({"meaning": old}, given=lambda _: (), doc_types={}) == ()
    assert means_over({}) == {}


def test_items_that_divide_raters_are_ordered_over_all_dimensions(bodies):
    asked = []

    def given(item):
        asked.append(item)
        return (ItemRating("R01", {"meaning": 1.0}),)

    named = {name: bodies[name] for name in ("meaning", "layout")}
    rows = divided_items(named, given=given, doc_types={"d4": "bill"})

    assert len(rows) <= DIVIDED_SHOWN
    order = [(-row.widest, -len(row.dimensions), row.item) for row in rows]
    assert order == sorted(order)
    assert asked == [row.item for row in rows]


def estimate(ratings):
    mean = Estimate(float(ratings["rating"].mean()), n_items=30)
    return {"these": mean, "others": mean}


def test_a_score_is_trusted_only_with_all_that_it_uses(bodies):
    composite = stored(
        composite_body(FRAME, weights={"meaning": 1, "layout": 1}, estimate=estimate)
    )
    halo = BiasFinding("halo", None, None, 0.2, "residual correlation")
    other = BiasFinding("halo", "R01", None, 0.2, "residual correlation")

    def read(trusted):
        return together(bodies["*"], composite, findings=[other, halo], trusted=trusted)

    shown, marked = read(lambda _: True), read(lambda name: name != "layout")
    assert [row.trusted for row in shown.composites] == [True] * 3
    assert [row.trusted for row in marked.composites] == [False] * 3
    assert shown.halo is halo
    assert len(shown.correlations) == 1


def test_with_nothing_to_say_there_is_no_section():
    assert together({}, {}, findings=[], trusted=lambda _: True) is None
