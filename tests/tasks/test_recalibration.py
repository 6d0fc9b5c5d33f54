"""Recalibration: a pilot for some raters, then new items in place of what they had said."""

import re
import zlib
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ocrjury.campaign.decisions import allowed
from ocrjury.errors import InputError, RefusedError
from ocrjury.evaluation import next_rounds, recalibration
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.evidence import evidence_on
from ocrjury.evaluation.pilots import plan_newcomers
from ocrjury.evaluation.rated_sample import main_stages, stage_probabilities
from ocrjury.findings.looks import Looks
from ocrjury.findings.rounds import RoundSummary
from ocrjury.frontends.web.practice import sentences_of
from ocrjury.gate import Action
from ocrjury.pages.catalogues import speaker
from ocrjury.scales import Scale
from ocrjury.store.database import reading
from ocrjury.store.decisions import list_decisions, list_set_aside
from ocrjury.store.documents import list_items
from ocrjury.store.histories import read_standing
from ocrjury.store.links import Link
from ocrjury.store.practice import list_practice
from ocrjury.store.raters import count_set_aside
from ocrjury.store.ratings import list_ratings
from ocrjury.store.results import findings_by_round, latest_results, latest_verdicts
from ocrjury.store.rounds import list_assignments, list_rounds
from tests.tasks.conftest import documents
from tests.tasks.test_pilots import write_gold

FILE = {"rounds": {"frontend": "file", "top_ups": 0}, "sampling": {"n": 60}}
STRICT = {"gate": {"policy": "strict"}}


@pytest.fixture
def wide(small):
    """A small campaign whose pool has room for new items."""
    small.pool = documents(260)
    return small


@pytest.fixture
def with_gold(wide):
    """Gold on every document of the pool, much of it met in passing before it is drawn."""
    wide.pool = documents(200)

    def write(dimensions):
        values = {row["doc_id"]: 1 + zlib.crc32(row["doc_id"].encode()) % 5 for row in wide.pool}
        gold = [(item, name, value, "") for item, value in values.items() for name in dimensions]
        return {"raters": {"file": "raters.csv", "gold_every": 3, **write_gold(wide, gold)}}

    wide.gold_sections = write
    return wide


def agreed(one):
    """A rating of an item that careful raters give."""
    return 1 + zlib.crc32(one.item.encode()) % 5


def drawn(one):
    """A rating that has nothing to do with the item."""
    return 1 + zlib.crc32(f"{one.item}/{one.rater}".encode()) % 5


def failed(small, *, careless=("R03", "R04"), dimensions=("meaning",), **sections):
    """Bring an evaluation to a gate that fails because some raters are careless."""
    small.dimensions = list(dimensions)
    small.write(**{**FILE, **sections}).open()
    small.rate(
        say=lambda one, dimension: (
            drawn(one) if one.rater in careless and dimension == dimensions[-1] else agreed(one)
        )
    )
    held = small.advance()
    assert held.message.startswith("gate_failed"), held.message
    return held


def in_round(small, number):
    return [a for a in small.stored(list_assignments) if a.round == number]


def test_a_recalibration_ends_in_a_pass_on_fresh_items(wide):
    failed(wide)
    before = {one.item for one in wide.stored(list_items) if one.purpose == "sample"}

    waiting = wide.decide("recalibrate", raters=("R03", "R04"))

    assert waiting.message == "0 of 40 assignments"
    pilot = wide.stored(list_rounds)[-1]
    assert (pilot.round, pilot.kind, pilot.attempt) == (2, "pilot", 1)
    assert {a.rater for a in in_round(wide, 2)} == {"R03", "R04"}
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()
    again = wide.stored(list_rounds)[-1]
    assert (again.kind, again.attempt) == ("main", 2)
    fresh = {a.item for a in in_round(wide, 3)}
    assert not fresh & before
    assert {a.rater for a in in_round(wide, 3)} == {"R01", "R02", "R03", "R04"}
    wide.rate(say=lambda one, _: agreed(one))
    end = wide.advance()

    assert wide.stored(latest_verdicts)[0].decision == "PASS"
    assert end.name == "Closed"
    assert " ".join(wide.rows()) == "1 2 4 7 9 15 20 27 9 15 16 9 15 24 29 30"
    the_report_counts_what_was_set_aside(wide)


def the_report_counts_what_was_set_aside(small):
    data, text = small.report()
    aside, held = small.stored(list_set_aside), data.sections["rounds"].rows
    came = data.estimates[0].response

    assert [row.aside for row in held] == [len(aside), 0, 0]
    assert sum(row.assignments for row in held) == sum(row.ratings for row in held) + len(aside)
    assert (came.aside, came.given + came.aside) == (len(aside), came.wanted)
    assert f"; {len(aside)} more ratings were set aside for a recalibration." in text
    assert f"{len(aside)} more ratings on meaning were given and set aside" in text
    assert "2 looks were made. A recalibration begins the looks anew" in text


def test_what_they_had_said_is_set_aside_and_stays_in_the_store(wide):
    failed(wide)
    before = wide.stored(list_ratings)

    wide.decide("recalibrate", raters=("R03", "R04"))

    aside = wide.stored(list_set_aside)
    (decision,) = [d for d in wide.stored(list_decisions) if d.kind == "recalibrate"]
    assert decision.target.raters == ("R03", "R04")
    assert {one[2] for one in aside} == {decision.decision}
    by_them = [one for one in before if one.rater in {"R03", "R04"}]
    assert len(aside) == len(by_them) > 0
    with at_work() as work:
        counts = count_set_aside(work.engine)
        none = count_set_aside(work.engine, dimension="layout")
    of_rater = {rater: counts[rater][wide.evaluation] for rater in ("R03", "R04")}
    assert of_rater == Counter(one.rater for one in by_them)
    assert none == {}
    assert {one.rater for one in wide.stored(list_ratings)} == {"R01", "R02"}
    assert all(a.state == "done" for a in in_round(wide, 1))


def test_fresh_items_are_as_many_as_lost_a_rating(wide):
    failed(wide)
    touched = {a.item for a in in_round(wide, 1) if a.rater in {"R03", "R04"}}

    wide.decide("recalibrate", raters=("R03", "R04"))
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()

    assert len({a.item for a in in_round(wide, 3)}) == max(len(touched), 50)
    sample = [one for one in wide.stored(list_items) if one.purpose == "sample"]
    assert len(sample) == 60 + max(len(touched), 50)


def test_the_advice_of_the_gate_names_whom(wide):
    failed(wide, careless=("R03",))
    advised = {
        action.rater
        for action in wide.stored(latest_verdicts)[0].actions
        if action.kind == "recalibrate"
    } - {None}

    wide.decide("recalibrate")

    (decision,) = wide.stored(list_decisions)
    everybody = ["R01", "R02", "R03", "R04"]
    expected = sorted(advised) if len(advised) > 1 else everybody
    assert decision.target.raters == tuple(expected)
    assert {a.rater for a in in_round(wide, 2)} == set(expected)


def test_one_dimension_is_recalibrated_alone(wide):
    failed(wide, dimensions=("meaning", "layout"))

    wide.decide("recalibrate", raters=("R03", "R04"), dimensions=("layout",))
    wide.dimensions = ["layout"]
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()
    wide.rate(say=lambda one, _: agreed(one))
    end = wide.advance()

    rounds = wide.stored(list_rounds)
    assert [one.dimensions for one in rounds[:3]] == [["meaning", "layout"], ["layout"], ["layout"]]
    assert {one[1] for one in wide.stored(list_set_aside)} == {"layout"}
    meaning = [one for one in wide.stored(list_ratings) if one.dimension == "meaning"]
    assert {one.round for one in meaning} == {1}
    assert {one.rater for one in meaning} == {"R01", "R02", "R03", "R04"}
    assert wide.stored(latest_verdicts)[0].decision == "PASS"
    assert end.name == "Closed"
    assert set(wide.stored(latest_results, "estimate")) == {"meaning", "layout"}
    *_, newest = wide.stored(findings_by_round, Looks, kind="looks").values()
    # Who was recalibrated is judged anew; on the other dimension it is one look more.
    assert {look.dimension: look.look for look in newest.rows} == {"meaning": 2, "layout": 1}


def test_two_recalibrations_on_one_dimension_each_end_in_a_round_on_both(wide):
    wide.dimensions = three = ["meaning", "layout", "figures"]
    failed(wide, dimensions=three)
    wide.decide("recalibrate", raters=("R03", "R04"), dimensions=("figures",))
    wide.dimensions = ["figures"]
    wide.rate(say=lambda one, _: 1 if one.rater == "R03" else 5)
    assert wide.advance().message.startswith("pilot: R03 missed the criterion on figures")
    wide.decide("recalibrate", raters=("R03", "R04"), dimensions=("meaning",))
    wide.dimensions = ["meaning"]
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()

    fresh = wide.stored(list_rounds)[-1]
    assert (fresh.kind, fresh.dimensions) == ("main", ["meaning", "figures"])
    assert {one[1] for one in wide.stored(list_set_aside)} == {"meaning", "figures"}


def test_gold_in_passing_that_is_set_aside_asks_for_no_fresh_item(with_gold):
    small = with_gold
    everybody = ("R01", "R02", "R03", "R04")
    failed(small, careless=everybody, **small.gold_sections(["meaning"]))
    small.decide("recalibrate")
    small.rate(say=lambda one, _: agreed(one))
    small.advance()

    aside = {assignment for assignment, _, _ in small.stored(list_set_aside)}
    gold = [a for a in in_round(small, 1) if a.assignment in aside and a.reason == "gold"]
    assert len({a.item for a in gold}) > 20
    assert sum(one.purpose == "sample" for one in small.stored(list_items)) == 120


def test_who_misses_the_pilot_again_may_practise_again_on_other_documents(wide):
    failed(wide)
    wide.decide("recalibrate", raters=("R03", "R04"))
    wide.rate(say=lambda one, _: 1 if one.rater == "R03" else 5)
    held = wide.advance()
    assert held.message.startswith("pilot: R03 missed the criterion on meaning")

    wide.decide("recalibrate")

    first, second = in_round(wide, 2), in_round(wide, 3)
    assert {a.rater for a in second} == {"R03", "R04"}
    assert not {a.item for a in first} & {a.item for a in second}
    wide.rate(say=lambda one, _: agreed(one))
    assert wide.advance().name == "WaitingForRatings"
    assert wide.rows()[-5:] == ["17", "27", "9", "15", "16"]
    assert len({a.item for a in in_round(wide, 4)}) >= 50


def test_a_pilot_before_the_first_main_round_may_be_repeated(wide):
    wide.write(**FILE | {"rounds": {"frontend": "file", "pilot": {"items": 20}}}).open()
    wide.rate(say=lambda one, _: 1 if one.rater == "R03" else 5)
    assert wide.advance().message.startswith("pilot")

    wide.decide("recalibrate", raters=("R03", "R04"), dimensions=("meaning",))
    wide.rate(say=lambda one, _: 4)
    waiting = wide.advance()

    assert waiting.message == "0 of 120 assignments"
    assert [one.kind for one in wide.stored(list_rounds)] == ["pilot", "pilot", "main"]
    assert wide.stored(list_set_aside) == []


def test_a_rater_alone_practises_against_gold(wide):
    gold = [(row["doc_id"], "meaning", 3, "") for row in wide.pool[::-1][:60]]
    pilot = {"rounds": {"frontend": "file", "pilot": {"items": 20}}}
    wide.write(**FILE | pilot | {"raters": write_gold(wide, gold)}).open()
    wide.rate(say=lambda one, _: 1 if one.rater == "R03" else 3)
    assert wide.advance().message.startswith("pilot: R03 missed the criterion on meaning")

    wide.decide("recalibrate")
    wide.rate(say=lambda *_: 3)
    wide.advance()

    assert {(a.rater, a.repeat) for a in in_round(wide, 1)} == {("R03", 0)}  # a file tells nobody
    verdict = wide.stored(latest_verdicts)[0]
    assert verdict.decision == "PASS"
    assert verdict.reasons == ["R03 met the criterion of the pilot."]


def test_what_is_practised_again_says_what_moved_and_nothing_else(wide):
    gold = [(row["doc_id"], "meaning", 3, "") for row in wide.pool[::-1][:60]]
    pilot = {"rounds": {"frontend": "web", "pilot": {"items": 20}}}
    wide.write(**FILE | pilot | {"raters": write_gold(wide, gold)}).open()
    wide.rate(say=lambda one, _: 1 if one.rater == "R03" else 3)
    wide.advance()
    wide.decide("recalibrate", raters=("R03", "R04"))

    new, again = ([a for a in in_round(wide, 1) if a.repeat is n] for n in (0, 1))
    assert Counter(a.rater for a in new) == {"R03": 20, "R04": 20}
    assert Counter(a.rater for a in again) == {"R03": 4, "R04": 4}
    before = {(a.item, a.rater) for a in in_round(wide, 0)}
    assert {(a.item, a.rater) for a in again} <= before
    assert not {(a.item, a.rater) for a in new} & before
    with at_work() as work:
        joined = plan_newcomers(work.case(wide.evaluation), leaving=())
    assert {a.item for a in joined} == {a.item for a in new}
    wide.rate(say=lambda one, _: 5 if one.repeat else 3)
    assert wide.advance().name == "WaitingForRatings"
    assert wide.stored(latest_verdicts)[0].decision == "PASS"
    summary = wide.stored(findings_by_round, RoundSummary, kind="round")[1]
    assert (summary.items, summary.ratings, summary.second_ratings) == (20, 40, 8)
    with at_work() as work, reading(work.engine) as connection:
        answers = list_practice(connection, Link("", "R03", wide.evaluation, None))
    said = sentences_of(answers, Scale.likert(1, 5), say=speaker("rating", "en"))
    assert said[-1] == "On items that you practised again (4), 4.0 higher than the first time"


def test_on_fail_recalibrate_happens_once_without_a_lead(wide):
    wide.dimensions = ["meaning"]
    sections = {**FILE, "gate": {"on_fail": "recalibrate"}}
    wide.write(**sections).open()
    wide.rate(say=lambda one, _: drawn(one))

    waiting = wide.advance()

    assert waiting.name == "WaitingForRatings"
    assert wide.rows()[-2:] == ["15", "27"]
    (decision,) = wide.stored(list_decisions)
    assert (decision.kind, decision.actor) == ("recalibrate", "flow")
    assert decision.reason == "gate.on_fail of the campaign is recalibrate"
    assert len(wide.stored(list_set_aside)) == 120
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()
    wide.rate(say=lambda one, _: drawn(one))

    held = wide.advance()

    assert held.message.startswith("gate_failed")
    assert wide.rows()[-1] == "20"


def test_a_repeated_first_pilot_leaves_the_one_recalibration_of_the_campaign(wide):
    wide.dimensions = ["meaning"]
    rounds = {"frontend": "file", "top_ups": 0, "pilot": {"items": 20}}
    wide.write(**{**FILE, "rounds": rounds, "gate": {"on_fail": "recalibrate"}}).open()
    wide.rate(say=lambda one, _: 1 if one.rater == "R03" else 5)
    wide.advance()
    wide.decide("recalibrate")
    wide.rate(say=lambda one, _: 4)
    assert wide.advance().message == "0 of 120 assignments"
    wide.rate(say=lambda one, _: drawn(one))

    wide.advance()

    assert wide.rows()[-2:] == ["15", "27"]


def test_where_everybody_starts_anew_only_fresh_items_count_with_their_own_probabilities(wide):
    failed(wide, careless=("R01", "R02", "R03", "R04"))
    wide.decide("recalibrate")
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()
    wide.rate(say=lambda one, _: agreed(one))
    assert wide.advance().name == "Closed"

    body = wide.stored(latest_results, "estimate")["meaning"]

    fresh = {a.item for a in in_round(wide, 3)}
    assert body["others"]["n_items"] == len(fresh)
    # The weights of the fresh part alone speak for the whole pool.
    assert not any("have no rating" in text for text in body["others"]["warnings"])
    assert 1 < body["others"]["low"] < body["others"]["high"] < 5


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ({"raters": ("R09",)}, "small-p has no rater R09 who could be recalibrated; there are"),
        ({"raters": ("A01",)}, r"small-p has no rater A01 \(an adjudicator\) who could be recal"),
        ({"dimensions": ("mood",)}, "the rubric has no dimension 'mood'; it has meaning"),
        ({"raters": ("R03",)}, "R03 alone has nobody to be compared with, and only 0 gold items"),
    ],
)
def test_a_recalibration_that_cannot_be_is_refused_in_words(wide, target, sentence):
    failed(wide)

    with pytest.raises(InputError, match=sentence):
        wide.decide("recalibrate", **target)

    assert wide.rows()[-1] == "20"


def test_without_fresh_documents_there_is_no_recalibration(small):
    small.pool = documents(80)
    failed(small, sampling={"n": 60}, rounds={"frontend": "file", "top_ups": 0})
    small.decide("recalibrate")
    small.rate(say=lambda one, _: agreed(one))
    waiting = small.advance()

    # What was practised on is drawn as well where nothing else is left.
    assert waiting.message == "0 of 40 assignments"
    small.rate(say=lambda one, _: drawn(one))
    assert small.advance().message.startswith("gate_failed")
    with pytest.raises(RefusedError, match="the whole pool is in the sample already"):
        small.decide("recalibrate")


def test_a_campaign_that_recalibrates_holds_where_the_sample_is_the_whole_pool(small):
    sections = {"sampling": {"n": 60}, "gate": {"on_fail": "recalibrate"}}

    held = failed(small, **sections)

    assert small.rows()[-1] == "20"
    assert held.message.startswith("gate_failed")


def test_a_campaign_that_recalibrates_asks_a_lead_where_too_little_is_left_to_practise_on(small):
    small.pool = documents(70)
    small.write(**FILE, gate={"on_fail": "recalibrate"}).open()
    small.rate(say=lambda one, _: drawn(one))

    held = small.advance()

    assert held.message.startswith("gate_failed: ")
    assert small.rows()[-1] == "20"
    advised = [action.kind for action in small.stored(latest_verdicts)[0].actions]
    assert "rewrite_anchors" in advised
    assert "recalibrate" not in advised
    assert "recalibrate" not in allowed(small.stored(read_standing, now=datetime.now(UTC)).history)
    with pytest.raises(InputError, match=r"outside the sample only 0 gold items and \d+ other"):
        small.decide("recalibrate")
    assert small.decide("proceed").name != "Held"


def test_neither_the_gate_nor_a_list_counts_gold_of_the_pool_as_other_documents_too(small):
    """Fifteen documents are outside the sample, and all are gold: twenty are to practise on."""
    small.pool = documents(75)
    gold = [(row["doc_id"], "meaning", 4, "") for row in small.pool]

    failed(small, careless=("R01", "R02", "R03", "R04"), raters=write_gold(small, gold))

    advised = [action.kind for action in small.stored(latest_verdicts)[0].actions]
    assert "recalibrate" not in advised
    with at_work() as work:
        (listed,) = work.cases([work.case(small.evaluation).row])
    assert "recalibrate" not in allowed(listed.standing.history)
    with pytest.raises(InputError, match=r"outside the sample only \d+ gold items and 0 other"):
        small.decide("recalibrate")


def test_a_recalibration_fits_only_the_gate_and_a_pilot(wide):
    wide.write(**FILE).open()

    with pytest.raises(RefusedError, match="'recalibrate' does not fit an evaluation that is"):
        wide.decide("recalibrate")


def test_the_probabilities_of_a_stage_speak_for_the_whole_pool(wide):
    failed(wide, careless=("R01", "R02", "R03", "R04"))
    wide.decide("recalibrate")
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()

    with at_work() as work:
        case = work.case(wide.evaluation)
        pool = case.pool()
        first, fresh = main_stages(case)
        probabilities = stage_probabilities(case, pool, ["meaning"])

    assert (first.first, first.last, first.dimensions) == (1, 60, frozenset())
    assert (fresh.first, fresh.last, fresh.dimensions) == (61, 120, {"meaning"})
    assert set(probabilities) == {a.item for a in in_round(wide, 3)}
    assert sum(1 / pi for pi in probabilities.values()) == pytest.approx(260, rel=0.15)
    assert all(0 < pi <= 1 for pi in probabilities.values())


def test_everything_at_once_on_postgresql(wide, postgres_url, monkeypatch):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", postgres_url)
    wide.dimensions = ["meaning", "layout"]
    gold = [
        (row["doc_id"], name, 5 if row["confidence"] > 0.8 else 3, "because")
        for row in wide.pool[:70]
        for name in wide.dimensions
    ]
    wide.write(
        raters={**write_gold(wide, gold), "gold_every": 5, "repeats": 0.1},
        rounds={"pilot": {"items": 20, "criterion": {"limit": 0.05}}},
        gate={"on_fail": "recalibrate"},
        simulation={"default": {"careless": 0.9}},
    )

    held = wide.open()
    end = wide.decide("proceed")

    assert held.message.startswith("gate_failed")
    rows = " ".join(wide.rows())
    assert rows.startswith("1 2 4 6 9 15 16 9 15 27 9 15 16 9 15 20 25 21 9 15 22")
    assert rows.endswith("24 29 30")
    assert end.name == "Closed"
    kinds = [one.kind for one in wide.stored(list_rounds)]
    assert kinds[:5] == ["pilot", "main", "pilot", "main", "adaptive"]
    given = {one.round_kind for one in wide.stored(list_ratings)}
    assert given >= {"pilot", "main", "gold", "repeat", "adaptive", "adjudication"}
    estimates = wide.stored(latest_results, "estimate")
    assert all(body["gold"]["n_items"] > 10 for body in estimates.values())
    assert all("gold-corrected" in body["others"]["method"] for body in estimates.values())
    data, text = wide.report()
    assert [row.kind for row in data.sections["rounds"].rows] == kinds
    assert not re.search(r"\bnan\b|\bNaN\b|\bNone\b(?! of|[.:])|\binf\b", text)


def test_the_main_round_after_a_recalibration_is_no_top_up(wide, monkeypatch):
    failed(wide, rounds={"frontend": "file", "top_ups": 1})
    wide.decide("recalibrate", raters=("R03", "R04"))
    wide.rate(say=lambda one, _: agreed(one))
    wide.advance()
    wide.rate(say=lambda one, _: agreed(one))
    monkeypatch.setattr(next_rounds, "needed_items", lambda _: 5)

    with at_work() as work:
        case = work.case(wide.evaluation)
        judged = replace(case.standing.history, state="judged", verdict="INCONCLUSIVE")
        topped = replace(judged, rounds=(*judged.rounds, judged.rounds[-1]))

        assert [one.kind for one in judged.rounds] == ["main", "pilot", "main"]
        foreseen = [
            next_rounds.foresee(replace(case, standing=case.standing._replace(history=one)))
            for one in (judged, topped)
        ]

    assert [one.history.can_top_up for one in foreseen] == [True, False]


def passing(small, fresh):
    """The pairs of the first round in which new items were gold."""
    return {(a.item, a.rater) for a in in_round(small, 1) if a.reason == "gold"} & {
        (item, rater) for item in fresh for rater in ("R01", "R02", "R03", "R04")
    }


def test_gold_met_in_passing_and_set_aside_is_rated_anew_once_it_is_drawn(with_gold):
    small = with_gold
    everybody = ("R01", "R02", "R03", "R04")
    failed(small, careless=everybody, **small.gold_sections(["meaning"]))
    small.decide("recalibrate")
    small.rate(say=lambda one, _: agreed(one))
    small.advance()

    sample = {one.item: one for one in small.stored(list_items) if one.purpose == "sample"}
    fresh = {item for item, one in sample.items() if one.draw_number > 60}
    met = passing(small, fresh)
    asked = [(a.item, a.rater) for a in in_round(small, 3) if a.reason == "design"]

    assert met
    assert Counter(item for item, _ in asked) == dict.fromkeys(fresh, 2)
    # Who met an item in passing is asked again only where too few others are left.
    by_item = Counter(item for item, _ in met)
    assert all(by_item[item] > 2 for item, _ in met & set(asked))
    small.rate(say=lambda one, _: agreed(one))
    small.advance()
    body = small.stored(latest_results, "estimate")["meaning"]
    assert body["others"]["n_items"] == len(fresh)
    assert body["response"]["complete"] == len(fresh)


def test_gold_that_is_drawn_speaks_for_no_dimension_of_which_its_round_asks_nothing(with_gold):
    small = with_gold
    sections = small.gold_sections(["layout"])
    failed(small, dimensions=("meaning", "layout"), **sections)
    small.decide("recalibrate", dimensions=("layout",), raters=("R01", "R02", "R03", "R04"))
    small.dimensions = ["layout"]
    small.rate(say=lambda one, _: agreed(one))
    small.advance()
    small.rate(say=lambda one, _: agreed(one))
    end = small.advance()

    with at_work() as work:
        case = work.case(small.evaluation)
        stages = [(stage.first, set(stage.dimensions)) for stage in main_stages(case)]
        evidence = evidence_on(case, "meaning")
        probabilities = stage_probabilities(case, case.pool(), ["meaning"])
    fresh = {one.item for one in case.sample if one.draw_number > 60}
    of_meaning = case.ratings[case.ratings["dimension"] == "meaning"]
    assert fresh & set(of_meaning["item"])
    assert stages == [(1, {"meaning"}), (61, {"layout"})]
    assert not fresh & set(probabilities)
    assert set(evidence.ratings["item"]) == set(probabilities)
    assert end.name == "Closed", end.message
    bodies = small.stored(latest_results, "estimate")
    assert bodies["meaning"]["others"]["n_items"] == 60
    assert bodies["layout"]["others"]["n_items"] == len(fresh)


def test_gold_of_one_dimension_lets_nobody_practise_another_one_alone(with_gold):
    small = with_gold
    failed(small, dimensions=("layout", "meaning"), **small.gold_sections(["meaning"]))

    refused = "R03 alone has nobody to be compared with, and only 0 gold items"
    with pytest.raises(InputError, match=refused):
        small.decide("recalibrate", raters=("R03",))
    waiting = small.decide("recalibrate", raters=("R03",), dimensions=("meaning",))

    assert waiting.message == "0 of 20 assignments"


def test_whom_the_gate_names_on_another_dimension_is_not_meant(wide, monkeypatch):
    failed(wide, dimensions=("layout", "meaning"))
    named = {"R03": "meaning", "R04": "meaning", "R02": "layout", "R01": "layout"}
    actions = tuple(
        Action("recalibrate", "Recalibrate.", dimension, rater)
        for rater, dimension in named.items()
    )
    verdict = wide.stored(latest_verdicts)[0]._replace(actions=actions)
    monkeypatch.setattr(recalibration, "latest_verdicts", lambda *_: [verdict])

    with at_work() as work:
        case = work.case(wide.evaluation)
        planned = {
            dimensions: recalibration.plan_recalibration(case, dimensions=dimensions).raters
            for dimensions in ((), ("meaning",), ("layout",))
        }

    assert planned == {
        (): ("R01", "R02", "R03", "R04"),
        ("meaning",): ("R03", "R04"),
        ("layout",): ("R01", "R02"),
    }
