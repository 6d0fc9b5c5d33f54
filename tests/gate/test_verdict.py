import json
import math

import pytest

from ocrjury import Estimate
from ocrjury.gate import GatePolicy, Verdict, judge

ESTIMATES = {
    "meaning": Estimate(0.75, se=0.06, n_items=80, n_raters=3),
    "layout": Estimate(math.nan, reason="no_variation"),
    "readability": Estimate(0.2, se=0.02, n_items=80, n_raters=3),
}


def verdict_of(*dimensions):
    chosen = {name: {"krippendorff_alpha": ESTIMATES[name]} for name in dimensions}
    return judge(chosen, GatePolicy())


@pytest.mark.parametrize("dimensions", [["meaning"], ["readability"], ["meaning", "readability"]])
def test_a_verdict_survives_strict_json(dimensions):
    verdict = verdict_of(*dimensions)

    text = json.dumps(verdict.to_json(), allow_nan=False)

    assert Verdict.from_json(json.loads(text)) == verdict


def test_an_undefined_value_is_null_in_json():
    verdict = verdict_of("layout")

    body = verdict.to_json()
    again = Verdict.from_json(json.loads(json.dumps(body, allow_nan=False)))

    assert body["by_dimension"]["layout"]["value"] is None
    assert math.isnan(again.by_dimension["layout"].value)
    assert again.reasons == verdict.reasons
