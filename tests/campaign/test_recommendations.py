import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign import Campaign, RaterEntry, check_campaign
from ocrjury.language import said, speaking
from ocrjury.sampling import sample_size

TEAM = (
    RaterEntry("R01"),
    RaterEntry("R02"),
    RaterEntry("A01", role="adjudicator"),
    RaterEntry("E01", role="expert"),
)
GUIDE = {
    "field_rules": [
        {"rule": "amount", "kind": "amount", "when": "value_differs", "at_most": 4, "sentence": "A"}
    ],
    "boundary_cases": [{"case": "0 or O", "level": 4}],
    "dimensions": [
        {
            "name": "meaning",
            "title": "Meaning",
            "description": "What it says.",
            "anchors": {str(level): "A level." for level in range(1, 6)},
        }
    ],
}


@pytest.fixture(scope="session")
def checked(campaign_body, rubric_body):
    """Recommendations for a campaign that meets all of them, but for the changes."""

    def check(*, team=TEAM, pool_size=None, drawn=None, unit="", items=None, **changes):
        exemplary = {
            "rubric": rubric_body(**GUIDE),
            "sampling": {"n": 385},
            "rounds": {"pilot": {"items": 24}},
        }
        campaign = Campaign.model_validate(campaign_body(**{**exemplary, **changes}))
        rows = check_campaign(
            campaign, team, pool_size=pool_size, drawn=drawn, unit=unit, items=items
        )
        return {row.topic: row for row in rows}

    return check


def test_a_careful_campaign_departs_from_nothing(checked):
    rows = checked().values()

    assert all(row.met for row in rows)
    assert {row.advice for row in rows} == {""}


def test_the_table_holds_every_recommendation_of_the_reference_text(checked):
    assert list(checked()) == [
        "Raters per item",
        "Adjudicator",
        "Expert",
        "Pilot",
        "Rater guide",
        "Agreement before results",
        "Number of items",
        "Order of items",
        "Session length",
        "Items with two or more raters",
        "Agreement in the report",
    ]


@pytest.mark.parametrize(
    ("changes", "advice"),
    [
        (
            {"raters": {"per_item": 1}},
            "Raters per item: Set raters.per_item to 2 or more; one rater cannot disagree.",
        ),
        ({"raters": {"per_item": 3}}, "Raters per item: Name at least 3 raters in raters.csv."),
        (
            {"rounds": {}},
            (
                "Pilot: Set rounds.pilot.items to 20 to 30, so that raters practise on items "
                "outside the sample first."
            ),
        ),
        (
            {"rounds": {"pilot": {"items": 31}}},
            "Pilot: Set rounds.pilot.items to 30; further items teach more in the main round.",
        ),
        (
            {"gate": {"on_fail": "proceed"}},
            (
                "Agreement before results: Set gate.on_fail to hold, so that low agreement stops "
                "the evaluation."
            ),
        ),
        (
            {"sampling": {"n": 199}},
            "Number of items: Set sampling.n to 200 or more, or leave it empty for ±5 points.",
        ),
        (
            {"raters": {"session_minutes": 61}},
            "Session length: Set raters.session_minutes to 60 or less; tired raters err.",
        ),
        (
            {"raters": {"double_rated": 0.19}},
            "Items with two or more raters: Set raters.double_rated to 0.2 or more.",
        ),
        (
            {"simulation": {"raters": {"R09": {}}}},
            "Simulated raters: Correct simulation.raters, or add R09 to raters.csv.",
        ),
    ],
)
def test_a_departure_comes_with_advice(checked, changes, advice):
    rows = checked(**changes).values()

    assert advice in {f"{row.topic}: {row.advice}" for row in rows if not row.met}


@pytest.mark.parametrize(("role", "topic"), [("adjudicator", "Adjudicator"), ("expert", "Expert")])
def test_nobody_with_a_role_is_a_departure(checked, role, topic):
    row = checked(team=[entry for entry in TEAM if entry.role != role])[topic]

    assert (row.met, row.actual) == (False, "none")
    assert row.advice == f"Give a person the role {role} in the rater registry."


def test_a_rubric_without_guidance_says_what_is_absent(checked, rubric_body):
    row = checked(rubric=rubric_body())["Rater guide"]

    assert row.actual == (
        "without a meaning for every level of Meaning and Layout, field rules and boundary cases"
    )
    title = {"title": {"en": "Meaning", "ko": "의미"}, "description": "What it says."}
    titled = rubric_body(dimensions=[{"name": "meaning", **title}])
    with speaking("ko"):  # of the reader, not of the campaign
        assert "의미의 등급별" in said(checked(rubric=titled)["Rater guide"].actual)


def test_one_rater_per_item_rates_nothing_twice(checked):
    row = checked(raters={"per_item": 1})["Items with two or more raters"]

    assert (row.actual, row.advice) == ("0%: 0 items", "Set raters.per_item to 2 or more.")


def test_few_items_that_are_all_rated_twice_are_a_departure(checked):
    row = checked(sampling={"n": 30}, pool_size=400)["Items with two or more raters"]

    assert (row.met, row.actual) == (False, "100%: 30 items")
    assert row.advice == "Set sampling.n to 77 or more."


def test_no_more_items_are_recommended_than_a_small_pool_has(checked):
    row = checked(sampling={"n": 44}, pool_size=60)["Items with two or more raters"]

    assert (row.met, row.recommended) == (False, "at least 20%, and 60 items")
    assert row.advice == "Set sampling.n to 60: all of so small a pool."


def test_a_small_pool_that_is_all_rated_twice_departs_from_nothing(checked):
    assert checked(drawn=30, pool_size=30)["Items with two or more raters"].met


@pytest.mark.parametrize(("items", "met"), [(60, False), (90, True)])
def test_of_whole_pages_the_outputs_rated_twice_are_counted(checked, items, met):
    row = checked(drawn=30, pool_size=400, unit="pages", items=items)[
        "Items with two or more raters"
    ]

    assert (row.met, row.actual) == (met, f"100%: {items} items")


def test_the_number_of_items_is_printed_with_its_margin(checked):
    row = checked()["Number of items"]

    assert row.recommended == "at least 200; 385 for a share within ±5 points"
    assert row.actual == "385: a share within ±5.0 points at 95%"


def test_a_pool_of_known_size_needs_fewer_items(checked):
    row = checked(sampling={"n": 308}, pool_size=1525)["Number of items"]

    assert row.recommended == "at least 200; 308 of 1,525 for a share within ±5 points"
    assert row.actual == "308 of 1,525: a share within ±5.0 points at 95%"


def test_items_that_a_top_up_added_count(checked):
    row = checked(sampling={"n": 200}, pool_size=1525, drawn=277)["Number of items"]

    assert row.actual == "277 of 1,525: a share within ±5.3 points at 95%"


def test_a_pool_of_one_document_is_known_exactly(checked):
    row = checked(sampling={}, pool_size=1)["Number of items"]

    assert row.actual == "1 of 1: a share within ±0.0 points at 95%"


def test_without_a_number_as_many_are_drawn_as_five_points_need(checked):
    assert (
        checked(sampling={})["Number of items"].actual == "385: a share within ±5.0 points at 95%"
    )


@pytest.mark.parametrize("pool_size", [1, 30, 80, 417, 1525, 100_000])
def test_what_is_drawn_without_a_number_is_always_enough(checked, pool_size):
    row = checked(sampling={}, pool_size=pool_size)["Number of items"]
    n = sample_size(population=pool_size)

    assert row.met
    assert row.actual.startswith(f"{n} of {pool_size:,}: ")
    assert row.recommended == (
        f"at least {min(n, 200)}; {n} of {pool_size:,} for a share within ±5 points"
    )


def test_a_small_pool_asks_for_what_five_points_need_there(checked):
    row = checked(sampling={"n": 66}, pool_size=80)["Number of items"]

    assert row.recommended == "at least 67; 67 of 80 for a share within ±5 points"
    assert (row.met, row.advice) == (
        False,
        "Set sampling.n to 67 or more, or leave it empty for ±5 points.",
    )


def test_all_of_a_small_pool_is_enough(checked):
    row = checked(sampling={"n": 72}, pool_size=72)["Number of items"]

    assert row.met
    assert row.actual == "72 of 72: a share within ±0.0 points at 95%"


def test_more_items_than_the_pool_has_is_a_departure(checked):
    row = checked(sampling={"n": 200}, pool_size=72)["Number of items"]

    assert not row.met
    assert row.advice == "The pool has 72 outputs; set sampling.n to 72 or less."


@given(n=st.integers(1, 5000), pool_size=st.none() | st.integers(1, 5000))
def test_advice_is_given_exactly_where_a_recommendation_is_not_met(checked, n, pool_size):
    for row in checked(sampling={"n": n}, pool_size=pool_size).values():
        assert row.met == (row.advice == "")


def test_pages_that_were_drawn_whole_are_counted_and_not_their_outputs(checked):
    row = checked(pool_size=600, drawn=120, unit="pages")["Number of items"]

    assert row.actual == "120 of 600 pages: a share within ±8.0 points at 95%"
    assert not row.met


def test_outputs_of_a_page_that_are_drawn_together_are_not_taken_for_independent(checked):
    page = {"rounds": {"page": {"systems": "side_by_side"}}}

    row = checked(sampling={"n": 240}, **page)["Number of items"]

    assert row.actual == (
        "240: a share within ±6.3 points at 95% if outputs of a page have nothing in common, ±8.9 "
        "or more if they are alike"
    )
    drawn = checked(sampling={"n": 240}, pool_size=600, drawn=120, unit="pages", **page)
    assert drawn["Number of items"].actual.endswith("±8.0 points at 95%")
