"""Designs of samples, as this and earlier releases stored them."""

import pytest

from ocrjury.findings.sampling import RiskReason, SampleDesign

CER, UNSURE = RiskReason("cer"), RiskReason("confidence")
DESIGN = SampleDesign(
    n=20,
    pool_size=1525,
    design="mixture",
    seed=1,
    frame=None,
    shares={"random": 0.5, "stratified": 0.3, "error_focused": 0.2},
    floor=2,
    stratum=None,
    risk="cer",
    spread=None,
    spread_from=None,
    note=None,
    pool_strata={"all": 1525},
    sample_strata={},
    balance=(),
    weight_min=1.0,
    weight_max=90.0,
)


@pytest.mark.parametrize(
    ("words", "reasons"),
    [
        (None, (CER,)),
        ("none", ()),
        ("cer", (CER,)),
        ("confidence", (UNSURE,)),
        ("cer and confidence", (RiskReason("cer and confidence"),)),
        ("expected spread", (RiskReason("spread"),)),
        ("judge fluency", (RiskReason("judge", "fluency"),)),
        ("judge close to 0.8", (RiskReason("near", "judge", 0.8),)),
        ("confidence close to 0.5", (RiskReason("near", "confidence", 0.5),)),
        ("cer or confidence", (CER, UNSURE)),
        ("cer or a or b close to 1e-05", (CER, RiskReason("near", "a or b", 1e-05))),
        (
            "cer or cer close to 0.05 or confidence",
            (CER, RiskReason("near", "cer", 0.05), UNSURE),
        ),
    ],
)
def test_a_design_of_an_earlier_release_tells_its_reasons_by_the_words_of_its_rule(words, reasons):
    stored = {**DESIGN.to_json(), "risk": words}
    del stored["reasons"]

    assert SampleDesign.from_json(stored).reasons == reasons


def test_a_stored_reason_goes_before_the_words():
    near = RiskReason("near", "cer or confidence", 0.5)
    stored = {**DESIGN.to_json(), "risk": "cer", "reasons": [near.to_json()]}

    assert SampleDesign.from_json(stored).reasons == (near,)
