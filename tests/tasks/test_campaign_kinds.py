"""Whole evaluations of every kind of campaign: scales, pools, raters, methods."""

import re
import zlib

import pytest

from ocrjury.errors import InputError
from ocrjury.store.results import latest_results, latest_truths, latest_verdicts
from ocrjury.store.rounds import list_rounds
from tests.tasks.conftest import QUICK, closed, ended

FILE = {"rounds": {"frontend": "file"}}
CONTINUOUS = {"kind": "interval", "low": 0, "high": 100}
NAMES = {"kind": "nominal", "categories": ["fine", "wrong", "lost"]}
CARELESS = {"simulation": {"default": {"careless": 0.9}}}


@pytest.mark.parametrize(
    ("scale", "usable"),
    [
        ({"kind": "binary"}, 1),
        ({"kind": "likert", "low": 1, "high": 7}, 6),
        ({"kind": "likert", "low": 0, "high": 1}, 1),
    ],
)
def test_a_scale_in_order_leads_to_a_report(small, scale, usable):
    small.scale = scale

    data, text = closed(small, **QUICK, sampling={"n": 58})

    (estimate,) = data.estimates
    assert estimate.usable_level == usable
    assert estimate.others.low <= estimate.others.value <= estimate.others.high
    assert f"Share ≥ {usable}" in text


def test_a_continuous_scale_leads_to_a_report_without_talk_of_labels(small):
    small.scale = CONTINUOUS

    data, text = closed(small, truth={"method": "mean_rating"})

    assert {round_.kind for round_ in small.stored(list_rounds)} == {"main"}
    assert data.estimates[0].usable_level == 75
    assert data.sections["agreement"].pairs == ()
    assert data.sections["differences"].disagreements is None
    equal = [row.equal_to_label for row in data.sections["raters"].rows]
    assert [(share.defined, share.reason) for share in equal] == [(False, "scale_mismatch")] * 4
    assert {row.uncertain for row in data.sections["rounds"].rows} == {None}
    assert "Uncertain items after the last round" not in text


def test_names_lead_to_agreement_and_counts_and_to_no_mean(small):
    small.scale = NAMES

    def say(one, _dimension):
        mistaken = zlib.crc32(f"{one.item}/{one.rater}".encode()) % 12 == 0
        return NAMES["categories"][(zlib.crc32(one.item.encode()) + mistaken) % 3]

    end = small.write(**FILE).open()
    while end.name == "WaitingForRatings":
        small.rate(say=say)
        end = small.advance()
        if end.name == "Held":
            end = small.decide("proceed")
    data, text = small.report()

    assert end.name == "Closed"
    assert (data.headline, data.estimates, data.items.rows) == (None, (), ())
    assert data.scale.anchors == ("fine", "wrong", "lost")
    assert sum(data.counts[0].counts) == 80
    assert all(row.equal_to_label.value > 0.5 for row in data.sections["raters"].rows)
    assert all(pair.estimate.method == "Cohen's kappa" for pair in data.sections["agreement"].pairs)
    assert {truth.label for truth in small.stored(latest_truths)} <= set(NAMES["categories"])
    assert "nan" not in text.split()
    page = small.report_page()
    assert not re.search(
        r'="nan"|NaN\b', page.partition("<script")[0]
    )  # the rest of a PDF's page was lost
    assert not re.search('id="raters-(severity|means)"', page)
    assert "The categories have no order, so that nothing but their shares is given." in text
    assert "Decide from the shares of the categories whether the OCR is good enough" in text
    assert "Set a target" not in text
    assert re.search(
        "([0-9]+) of \\1 drawn items have a rating; ([0-9]+) of \\2 assignments of the main", text
    )
    assert "0 fine" not in page
    assert "Bars are centred" not in text


@pytest.mark.parametrize(
    ("scale", "method", "frontend", "sentence"),
    [
        (CONTINUOUS, "dawid_skene", "file", "Set it to mean_rating or median_rating"),
        (NAMES, "mean_rating", "file", "Set it to majority_vote or dawid_skene or one_coin"),
        (NAMES, "majority_vote", "simulated", "simulated raters need an ordered scale"),
    ],
)
def test_what_a_scale_cannot_have_is_refused_before_anybody_rates(
    small, scale, method, frontend, sentence
):
    small.scale = scale
    small.write(truth={"method": method}, rounds={"frontend": frontend})

    with pytest.raises(InputError, match=sentence):
        small.open()


@pytest.mark.parametrize("policy", ["kappa", "gdpval"])
def test_a_continuous_scale_is_not_judged_by_categories(small, policy):
    small.scale = CONTINUOUS
    small.write(truth={"method": "mean_rating"}, gate={"policy": policy})

    with pytest.raises(InputError, match=r"which compares categories; .* Set it to default"):
        small.open()


def test_eight_dimensions_lead_to_a_report(small):
    small.dimensions = [f"part{number}" for number in range(8)]

    data, _ = closed(small, **QUICK, sampling={"n": 20})

    assert [row.dimension for row in data.estimates] == small.dimensions


# A method that counts is told afterwards what was settled; one that fits raters, while it does.
@pytest.mark.parametrize("method", ["median_rating", "dawid_skene"])
def test_what_an_adjudicator_settles_is_certain_by_methods_of_both_kinds(small, method):
    small.people = ["R01,rater", "R02,rater", "A01,adjudicator", "E01,expert"]
    data, _ = closed(
        small,
        truth={"method": method},
        **QUICK | {"adaptive": {"cap": 2}},
        simulation={"default": {"careless": 0.15}},
    )

    settled = {row.item for row in small.stored(latest_truths) if row.n_ratings > 2}
    sure = {row.item for row in small.stored(latest_truths) if row.confidence == 1}
    assert settled
    assert settled <= sure
    assert data.sections["rounds"].truth_method == method


@pytest.mark.parametrize("policy", ["strict", "kappa", "gdpval"])
def test_every_policy_decides(small, policy):
    small.write(gate={"policy": policy}, rounds=QUICK["rounds"]).open()

    overall = small.stored(latest_verdicts)[0]

    assert overall.decision in {"PASS", "FAIL", "INCONCLUSIVE"}
    assert overall.reasons


@pytest.mark.parametrize(
    "adaptive", [{"budget": 0}, {"max_rounds": 0}, {"cap": 2}, {"explore": 1.0}]
)
def test_without_room_no_adaptive_round_opens(small, adaptive):
    room = {"max_rounds": 1, "budget": 5, "decisions": 0}
    ended(small, **QUICK | {"adaptive": room | adaptive})

    kinds = [round_.kind for round_ in small.stored(list_rounds)]
    assert ("adaptive" in kinds) == (adaptive == {"explore": 1.0})


def test_a_target_by_share_is_the_headline(small):
    target = {"dimension": "meaning", "share_at_least": 4.0, "share": 0.8}

    data, text = closed(small, **QUICK, report={"target": target})

    assert data.headline.is_share
    assert 0 <= data.headline.others.value <= 1
    assert data.outcome is not None
    assert "rated 4 or better" in text


def test_all_estimates_stand_on_the_scale(small):
    small.dimensions = ["meaning", "layout"]

    closed(small, **QUICK, **CARELESS)

    for body in small.stored(latest_results, "estimate").values():
        assert 1 <= body["others"]["value"] <= 5
        assert 0 <= body["unusable"]["value"] <= body["usable"]["value"] + 1 <= 2
