"""The design of a sample as a lead writes it."""

import pytest
from pydantic import ValidationError

from ocrjury import InputError
from ocrjury.campaign.sections import DEFAULT_SHARES, Borderline, Sampling


def test_the_default_is_the_mixture_by_whatever_is_known():
    section = Sampling()

    assert (section.design, section.risk, section.borderline) == ("mixture", "auto", None)
    assert section.shares == DEFAULT_SHARES


@pytest.mark.parametrize("design", ["stratified", "target"])
def test_another_design_has_shares_of_its_own(design):
    assert Sampling.model_validate({"design": design}).design == design
    with pytest.raises(ValidationError, match="shares belong to the design mixture; the design "):
        Sampling.model_validate({"design": design, "shares": {"random": 1.0}})


def test_a_stratified_draw_has_no_use_for_a_risk():
    with pytest.raises(ValidationError, match="draws every document alike and has no use for a"):
        Sampling.model_validate({"design": "stratified", "risk": "cer"})


def test_a_borderline_belongs_to_its_risk():
    assert Sampling.model_validate({"risk": "borderline"}).borderline is None
    section = Sampling.model_validate(
        {"risk": "borderline", "borderline": {"score": "wer", "threshold": 0.1}}
    )
    assert section.borderline == Borderline(score="wer", threshold=0.1)
    combined = Sampling.model_validate({"risk": "combined", "borderline": {"threshold": 0.1}})
    assert combined.borderline == Borderline(score="cer", threshold=0.1)
    with pytest.raises(ValidationError, match="this belongs to risk: borderline or combined"):
        Sampling.model_validate({"borderline": {}})


@pytest.mark.parametrize(
    ("keys", "kind"), [({"design": "miture"}, "literal_error"), ({"risk": "none"}, "literal_error")]
)
def test_other_words_are_refused(keys, kind):
    with pytest.raises(ValidationError) as refused:
        Sampling.model_validate(keys)

    assert refused.value.errors()[0]["type"] == kind


@pytest.mark.parametrize(
    ("sampling", "message"),
    [
        ({"design": "miture"}, r"sampling\.design is 'miture'; .* Did you mean 'mixture'\?"),
        (
            {"design": "target", "shares": {"random": 1.0}},
            r"sampling\.shares: shares belong to the design mixture; the design target has its own",
        ),
        (
            {"risk": "cer", "borderline": {"score": "cer"}},
            r"sampling\.borderline: this belongs to risk: borderline or combined; the risk is cer",
        ),
    ],
)
def test_a_campaign_names_the_key_and_what_is_allowed(campaign_from, sampling, message):
    with pytest.raises(InputError, match=message):
        campaign_from(sampling=sampling)
