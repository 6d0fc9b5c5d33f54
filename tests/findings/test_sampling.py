"""Designs of samples, as they are stored."""

import json
from dataclasses import replace

from ocrjury.findings.sampling import RiskReason, SampleDesign

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


def test_a_stored_design_comes_back_with_its_reasons():
    reasons = (RiskReason("near", "cer or confidence", 0.5), RiskReason("judge", "fluency"))
    design = replace(DESIGN, reasons=reasons)

    stored = json.loads(json.dumps(design.to_json()))

    assert SampleDesign.from_json(stored).reasons == reasons
