"""The bundled campaign: what it says is read, is complete in all languages, and fits its pool."""

from pathlib import Path

import pytest

from ocrjury.campaign import FieldFacts, check_campaign, max_level, read_campaign, read_raters

FOLDER = Path(__file__).parents[2] / "examples" / "korean-claims"
LANGUAGES = {"en", "ko", "zh"}


@pytest.fixture(scope="module")
def campaign():
    return read_campaign(FOLDER / "campaign.yaml")


@pytest.fixture(scope="module")
def raters(campaign):
    return read_raters(campaign.raters_path)


def test_it_is_a_rehearsal_of_two_hundred_items_with_two_raters(campaign):
    assert campaign.simulated
    assert (campaign.sampling.n, campaign.raters.per_item) == (200, 2)
    assert campaign.report.target.dimension == "meaning"
    assert campaign.report.recipients == ()
    assert campaign.report.mail is None


def test_one_simulated_rater_is_severe_and_one_careless(campaign):
    assert campaign.simulation.rater("R03").severity < 0
    assert campaign.simulation.rater("R06").careless >= 0.3
    assert campaign.simulation.rater("R01") == campaign.simulation.default


def test_the_team_has_raters_an_adjudicator_and_an_expert(raters):
    roles = [entry.role for entry in raters]

    assert [roles.count(role) for role in ("rater", "adjudicator", "expert")] == [6, 1, 1]
    assert all(entry.email.endswith("@example.org") for entry in raters)


def test_it_departs_from_recommendations_only_in_having_no_pilot(campaign, raters):
    rows = check_campaign(campaign, raters, pool_size=1525)

    assert [row.topic for row in rows if not row.met] == ["Pilot"]


def test_every_text_of_the_rubric_stands_in_all_languages(campaign):
    lacking = [texts for texts in texts_of(campaign.rubric.to_json()) if set(texts) != LANGUAGES]

    assert lacking == []


def test_every_level_of_every_dimension_has_an_anchor(campaign):
    names = [dimension.name for dimension in campaign.rubric.dimensions]

    assert names == ["meaning", "layout", "readability"]
    for dimension in campaign.rubric.dimensions:
        assert sorted(dimension.anchors) == ["1", "2", "3", "4", "5"]
    assert sum(dimension.weight for dimension in campaign.rubric.dimensions) == 1.0


@pytest.mark.parametrize(
    ("facts", "level"),
    [
        ({"kind": "amount", "same_value": False}, 4),
        ({"kind": "code", "same_value": False}, 3),
        ({"kind": "date", "same_value": False}, 2),
        ({"kind": "date", "same_format": False}, 5),
        ({"kind": "text", "ned": 0.0}, 5),
        ({"kind": "text", "ned": 0.05}, 4),
        ({"kind": "text", "ned": 0.20}, 3),
        ({"kind": "text", "ned": 0.50}, 2),
        ({"kind": "text", "ned": 0.51}, 1),
    ],
)
def test_its_field_rules_are_those_of_the_reference_text(campaign, facts, level):
    others = {"same_value": True, "exact": False, "same_format": True, "ned": 0.3}

    assert (
        max_level(campaign.rubric, "meaning", FieldFacts(**{**others, **facts})).max_level == level
    )


def test_a_space_in_a_code_breaks_no_rule(campaign):
    same = FieldFacts(kind="code", same_value=True, exact=False, same_format=True, ned=0.0)

    assert max_level(campaign.rubric, "meaning", same) is None


def test_its_boundary_cases_hold_those_of_the_reference_text(campaign):
    levels = [case.level for case in campaign.rubric.boundary_cases]

    assert levels[:3] == [4, 4, 5]


def test_its_conflicts_name_document_types_of_the_pool(campaign, raters):
    text = (FOLDER / campaign.pool.path).read_text("utf-8")

    assert all(f'"{name}"' in text for entry in raters for name in entry.conflicts)


def texts_of(body):
    """Yield every mapping from languages to texts."""
    if isinstance(body, list):
        body = dict(enumerate(body))
    for value in body.values():
        if isinstance(value, dict) and set(value) & (LANGUAGES | {"und"}):
            yield value
        elif isinstance(value, dict | list):
            yield from texts_of(value)
