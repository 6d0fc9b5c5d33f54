import json
import math

import pytest

from ocrjury import Estimate
from ocrjury.gate import GatePolicy, Verdict, judge
from ocrjury.language import said, speaking
from ocrjury.sentences import in_english

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


def test_a_stored_verdict_is_said_in_another_language():
    verdict = verdict_of("readability")

    again = Verdict.from_json(json.loads(json.dumps(verdict.to_json(), allow_nan=False)))

    with speaking("ko"):
        assert said(again.reasons[0]) == (
            "readability 차원에서 크리펜도르프 알파(α)는 0.200, "
            "단측 95% 상한은 0.232로 기준 0.667에 미치지 못합니다."
        )
        assert said(again.actions[0].text).startswith(
            "readability 차원의 기준 설명을 다시 쓰십시오."
        )


def test_a_verdict_in_plain_words_comes_back_as_they_are():
    body = verdict_of("readability").to_json()

    again = Verdict.from_json(in_english(body))

    assert again == Verdict.from_json(body)
    assert type(again.reasons[0]) is type(again.actions[0].text) is str
