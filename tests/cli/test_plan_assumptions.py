from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError, Scale
from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.history import Step
from ocrjury.evaluation.case import Work
from ocrjury.evaluation.plans import assumptions
from ocrjury.planner import usual_spreads
from ocrjury.store.documents import add_items
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.ratings import Submission
from ocrjury.store.rounds import NewAssignment, RoundPlan, list_assignments, open_round
from tests.cli.conftest import EXAMPLE, NOW, an_item
from tests.store_calls import add_submissions, write_snapshot

SEVERITY = {"R01": -0.4, "R02": 0.0, "R03": 0.4}


@pytest.fixture
def campaign():
    """The bundled campaign as one of people."""
    campaign = read_campaign(EXAMPLE / "campaign.yaml")
    return changed(campaign, rounds=campaign.rounds.model_copy(update={"frontend": "file"}))


def changed(campaign, **update):
    copy = campaign.model_copy(update=update)
    copy._source = campaign.source
    return copy


@pytest.fixture
def assumed(store):
    """A function that tells what a plan assumes with this store."""

    def call(campaign):
        return assumptions(campaign, None, work=Work(store, NOW))

    return call


@pytest.fixture
def rated(store, opened):
    """A function that lets raters rate some documents, and ends the evaluation."""

    def rate(n, *, raters=("R01", "R02", "R03"), state="estimated"):
        items = [an_item(f"d{place}") for place in range(1, n + 1)]
        pool = pd.DataFrame(
            {
                "doc_id": [item.doc_id for item in items],
                "hypothesis": "",
                "cer": 0.1,
                "doc_type": "form",
            }
        )
        address = write_snapshot(store.files, pool)
        plan = RoundPlan(
            kind="main",
            rule="the sample",
            dimensions=("meaning",),
            frontend="file",
            deadline=NOW + timedelta(days=7),
            assignments=tuple(
                NewAssignment(one.item, rater, place)
                for rater in raters
                for place, one in enumerate(items, start=1)
            ),
        )
        where, step = Position(opened, "opened", 1), Step("7", "collecting", "main")
        with moving(
            store.engine, where, step, mover=Mover(NOW), pool_hash=address, pool_size=n
        ) as connection:
            add_items(connection, opened, items)
            open_round(connection, opened, plan, now=NOW)
        rng = np.random.default_rng(1)
        scores = dict(zip([item.item for item in items], rng.normal(3, 1, n), strict=True))
        add_submissions(
            store.engine,
            opened,
            [
                Submission(
                    assignment.assignment,
                    {
                        "meaning": scores[assignment.item]
                        + SEVERITY[assignment.rater]
                        + 0.3 * rng.normal()
                    },
                    event_id=assignment.assignment,
                    rubric_hash="x",
                    source="file",
                )
                for assignment in list_assignments(store.engine, opened)
            ],
            now=NOW,
        )
        if state != "collecting":
            where, step = Position(opened, "collecting", 2), Step("10", state, None)
            with moving(store.engine, where, step, mover=Mover(NOW)):
                pass

    return rate


def test_without_an_earlier_evaluation_the_usual_is_assumed(campaign):
    found = assumptions(campaign, None, work=None)

    assert found.spreads == usual_spreads(Scale.likert(1, 5), references=1.0, confidences=0.0)
    assert (found.population, found.n_raters, found.dimension) == (1525, 6, "meaning")
    assert found.cost_rating == 1
    assert found.minutes == pytest.approx((1 + 0.8 + 1.2 + 1 + 1 + 0.6) / 6)
    assert found.source == "assumed; no earlier evaluation shows them"


def test_looking_for_an_earlier_evaluation_makes_no_store(run, home):
    assert run("plan", EXAMPLE / "campaign.yaml").code == 0

    assert not home.exists()


def test_the_spreads_of_an_earlier_evaluation_are_measured(campaign, rated, assumed):
    rated(60)

    found = assumed(campaign)

    assert found.source == "measured in korean-claims-2026w47"
    assert found.spreads["rater_sd"] == pytest.approx(0.4, abs=0.1)
    assert found.spreads["noise_sd"] == pytest.approx(0.3, abs=0.06)
    assert found.spreads["score_sd"] == pytest.approx(1.0, abs=0.25)


@pytest.mark.parametrize(("n", "raters"), [(10, ("R01", "R02")), (30, ("R01",))])
def test_an_evaluation_that_cannot_tell_is_passed_over(campaign, rated, assumed, n, raters):
    rated(n, raters=raters)

    assert assumed(campaign).source.startswith("assumed")


def test_an_evaluation_without_estimates_is_passed_over(campaign, rated, assumed):
    rated(40, state="collecting")

    assert assumed(campaign).source.startswith("assumed")


def test_an_evaluation_of_another_campaign_says_nothing(campaign, rated, assumed):
    rated(40)

    assert assumed(changed(campaign, name="other-claims")).source.startswith("assumed")


def test_ratings_of_people_say_nothing_about_a_rehearsal(campaign, rated, assumed):
    rated(40)
    simulated = campaign.rounds.model_copy(update={"frontend": "simulated"})

    assert assumed(changed(campaign, rounds=simulated)).source.startswith("assumed")


def test_an_evaluation_on_another_scale_says_nothing(campaign, rated, assumed):
    rated(40)
    rubric = campaign.rubric.model_copy(
        update={"scales": dict.fromkeys(campaign.rubric.scales, Scale.likert(1, 7))}
    )

    assert assumed(changed(campaign, rubric=rubric)).source.startswith("assumed")


def test_what_is_given_by_hand_is_named(campaign):
    found = assumptions(campaign, None, work=None).with_given({"rater_sd": 0.1})

    assert found.spreads["rater_sd"] == 0.1
    assert found.source.endswith("; given: rater sd")


def test_a_dimension_of_the_rubric_may_be_chosen(campaign):
    names = [dimension.name for dimension in campaign.rubric.dimensions]

    assert assumptions(campaign, names[-1], work=None).dimension == names[-1]
    with pytest.raises(InputError, match=f"has no dimension 'beauty'; it has {names[0]}"):
        assumptions(campaign, "beauty", work=None)


def test_references_in_a_folder_of_their_own_are_counted(campaign, tmp_path):
    for folder, ending in (("ocr", "txt"), ("right", "gt.txt")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"p1.{ending}").write_text("금액 1,200원", encoding="utf-8")

    def saved(**pool):
        found = campaign.pool.model_copy(
            update={"path": str(tmp_path / "ocr"), "format": None, **pool}
        )
        assumed = assumptions(campaign.model_copy(update={"pool": found}), None, work=None)
        return assumed.spreads["r_squared"]

    assert saved(reference=str(tmp_path / "right")) > saved()
