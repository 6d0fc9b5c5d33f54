import pytest
from pydantic import ValidationError

from ocrjury.campaign import Campaign
from ocrjury.campaign.rating_sections import RatingPage


def test_outputs_of_several_systems_are_rated_apart_unless_asked():
    assert (RatingPage().systems, RatingPage().preference) == ("apart", False)


def test_a_preference_is_asked_where_both_are_seen():
    assert RatingPage(systems="side_by_side", preference=True).preference

    with pytest.raises(
        ValidationError, match="take systems: side_by_side, or leave preference out"
    ):
        RatingPage(preference=True)


def test_another_way_to_show_them_is_refused():
    with pytest.raises(ValidationError):
        RatingPage(systems="together")


def test_pages_of_all_systems_are_no_strata_by_system(campaign_body):
    body = campaign_body(
        rounds={"page": {"systems": "side_by_side"}}, sampling={"stratum": "system"}
    )

    with pytest.raises(ValidationError, match="every system has the same number already"):
        Campaign.model_validate(body)
    apart = campaign_body(sampling={"stratum": "system"})
    assert Campaign.model_validate(apart).sampling.stratum == "system"
