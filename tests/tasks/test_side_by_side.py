"""A round in which the outputs of two systems for a page are rated side by side."""

import json
from collections import defaultdict
from dataclasses import replace

import pytest
from openpyxl import load_workbook

from ocrjury.agreement import krippendorff_alpha
from ocrjury.cli import main
from ocrjury.estimate import Estimate
from ocrjury.evaluation import system_comparison, trends
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.draws import sampling_draw
from ocrjury.evaluation.field_errors import field_errors
from ocrjury.evaluation.inference import first_pass_tables
from ocrjury.evaluation.pool_estimates import pool_estimates
from ocrjury.evaluation.rated_sample import rated_sample
from ocrjury.evaluation.system_comparison import compare_systems_on
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.frontends.sheets import SheetSource, export_sheets
from ocrjury.step_parts import Parts, unwatched
from ocrjury.store.database import writing
from ocrjury.store.decisions import set_ratings_aside
from ocrjury.store.documents import list_items
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.exclusions import NewExclusion, add_exclusion
from ocrjury.store.links import Link
from ocrjury.store.results import latest_findings, latest_results
from ocrjury.store.rounds import list_assignments, list_rounds
from ocrjury.store.visits import close_visit, find_visit, open_visit
from tests.tasks.conftest import QUIET, closed, opinion
from tests.tasks.test_estimates import RULES
from tests.tasks.test_system_comparison import two_systems

BESIDE = {"systems": "side_by_side"}
ROUND = {"frontend": "simulated", "page": BESIDE, "top_ups": 0}
SHORT = {"rounds": ROUND, **QUIET}
DRAWN = {"sampling": {"n": 80, "floor": 0}, "rounds": {**ROUND, "frontend": "file"}}
"""Sections of a campaign that is drawn and handed out, and not rated."""


def items_by_page(small):
    """The sampled items of every page, in draw order."""
    found = defaultdict(list)
    for one in small.stored(list_items):
        if one.purpose == "sample":
            found[one.page_id].append(one)
    return dict(found)


def queues(small, kind="main"):
    """The open or done items of every rater in the rounds of a kind, in turn."""
    rounds = {one.round for one in small.stored(list_rounds) if one.kind == kind}
    found = defaultdict(list)
    for one in sorted(small.stored(list_assignments), key=lambda one: one.position):
        if one.round in rounds:
            found[one.rater, one.round].append(one)
    return found


def test_all_outputs_of_a_page_are_drawn_with_its_probability(small):
    small.pool = two_systems(100)
    small.write(**DRAWN).open()

    pages = items_by_page(small)
    assert len(pages) == 40
    for items in pages.values():
        assert sorted(item.system for item in items) == ["<b>", "tess"]
        assert len({item.inclusion_probability for item in items}) == 1
        assert len({(item.draw_number, item.reason, item.stratum) for item in items}) == 1
    with at_work() as work:
        case = work.case(small.evaluation)
        probabilities = sampling_draw(case, case.pool()).probabilities(40)
    assert probabilities.sum() == pytest.approx(80)
    stored = {item.doc_id: item.inclusion_probability for items in pages.values() for item in items}
    assert stored == pytest.approx(probabilities[list(stored)].to_dict())
    assert small.stored(read_evaluation).design.pages == 100
    note = str(small.stored(read_evaluation).design.note)
    assert (
        "All outputs of a page are drawn together, with the probability of the page: 40 of 100"
        in note
    )


def test_each_rater_has_both_outputs_next_to_each_other(small):
    small.pool = two_systems(100)
    small.write(**DRAWN).open()

    system = {one.item: one.system for one in small.stored(list_items)}
    page = {one.item: one.page_id for one in small.stored(list_items)}
    first = []
    for queue in queues(small).values():
        assert [one.position for one in queue] == list(range(1, len(queue) + 1))
        for a, b in zip(queue[::2], queue[1::2], strict=True):
            assert page[a.item] == page[b.item]
            assert system[a.item] != system[b.item]
            assert a.session == b.session
            first.append(system[a.item])
    assert 0.3 < first.count("tess") / len(first) < 0.7


def test_pairs_are_compared_page_by_page(small):
    small.pool = two_systems(120)
    data, text = closed(small, **SHORT, sampling={"n": 120, "floor": 0})

    body = small.stored(latest_results, "systems")["meaning"]
    found = Estimate.from_json(body["differences"][0]["estimate"])
    bad, good = (Estimate.from_json(system["estimate"]) for system in body["systems"])
    assert body["differences"][0]["paired"]
    assert body["differences"][0]["both"] == found.n_items == 60
    assert "paired difference" in found.method
    assert found.value == pytest.approx(bad.value - good.value, abs=0.3)
    assert found.high < 0
    assert found.se < (bad.se**2 + good.se**2) ** 0.5
    others = Estimate.from_json(body["differences"][0]["others"])
    assert others.value == found.value
    assert others.low < found.low < found.high < others.high
    assert data.systems[0].differences[0].paired
    assert "The difference is taken page by page" in text
    assert "were drawn separately" not in text


def test_means_of_the_same_pages_are_compared_as_such(small, monkeypatch):
    small.pool = two_systems(120)
    closed(small, **SHORT, sampling={"n": 120, "floor": 0})
    monkeypatch.setattr(system_comparison, "BY_THE_SAME", 2)  # as if others had judged them

    def difference():
        with at_work() as work:
            case = work.case(small.evaluation)
            samples = {"meaning": rated_sample(case, case.pool(), ["meaning"])}
            (systems,) = compare_systems_on(case, case.pool(), samples)
        (difference,) = systems.differences
        assert not difference.paired
        return difference.estimate

    found = difference()
    monkeypatch.setattr(system_comparison, "SIDE_BY_SIDE", "")
    apart = difference()

    assert "difference, 60 documents in both" in found.method
    assert found.value == pytest.approx(apart.value)
    assert found.se < apart.se


@pytest.mark.parametrize(("later", "together"), [(BESIDE, True), ({"systems": "apart"}, False)])
def test_a_trend_compares_pages_with_the_same_pages_only(small, monkeypatch, later, together):
    small.pool = two_systems(60)
    sampling = {"n": 60, "floor": 0}
    small.rated_by_people("p", **SHORT, sampling=sampling)
    asked = []
    trend = trends.trend

    def noted(samples, *, coordinated, drifts):
        if len(samples) > 1:
            asked.append(coordinated)
        return trend(samples, coordinated=coordinated, drifts=drifts)

    monkeypatch.setattr(trends, "trend", noted)
    small.at(27)
    rounds = {"rounds": {**ROUND, "page": later}}
    small.reread().rated_by_people("q", severity=1, **{**SHORT, **rounds}, sampling=sampling)

    assert asked
    assert set(asked) == {together}


def level_of(name):
    """A level that all outputs of a page share."""
    return 1 + int(name[1:4]) * 7 % 5


def test_outputs_of_a_page_count_as_one_draw_in_every_estimate(small):
    small.pool = two_systems(120)
    for row in small.pool:
        right, wrong = "112₩", "912"  # as far from the reference, so that no CER tells them apart
        row |= {"kind": "amount", "reference": "112"}
        row["hypothesis"] = wrong if level_of(row["page_id"]) < 3 else right
    rounds = {"frontend": "file", "page": BESIDE}
    small.write(
        **{**SHORT, "rounds": rounds},
        sampling={"n": 120, "floor": 0},
        rubric={"field_rules": RULES},
    ).open()
    small.rate(say=lambda one, _: level_of(one.item))
    end = small.advance()
    if end.name == "Held":
        end = small.decide("proceed")
    assert end.name == "Closed", end.message
    stored = small.stored(latest_results, "estimate")["meaning"]

    with at_work() as work:
        case = work.case(small.evaluation)
        sample = rated_sample(case, case.pool(), ["meaning"])
        alone = sample._replace(items=sample.items.assign(cluster=range(len(sample.items))))
        found = [
            pool_estimates(case, {"meaning": one}, Parts(unwatched, 2))[0]
            for one in (sample, alone)
        ]
        pool = case.pool()  # a third of the pages without references: else all fields are counted
        pool.loc[pool["page_id"].isin(sorted(set(pool["page_id"]))[::3]), "reference"] = None
        apart = pool.assign(page_id=range(len(pool)))
        wrong, wrong_alone = (field_errors(case, of, "meaning").share for of in (pool, apart))

    together, each = found
    assert together.to_json() == stored
    for way in (lambda row: row.inferred, lambda row: row.others):
        assert way(together).value == pytest.approx(way(each).value)
        assert way(together).se > way(each).se
    widths = [sum(quartile.high - quartile.low for quartile in row.quartiles) for row in found]
    assert widths[0] > widths[1]
    assert wrong.value == pytest.approx(wrong_alone.value)
    assert wrong.se > wrong_alone.se


def test_outputs_of_a_page_count_as_one_draw_where_agreement_is_measured(small, capsys, tmp_path):
    small.pool = two_systems(120)
    data, _ = closed(small, **SHORT, sampling={"n": 120, "floor": 0})
    file = tmp_path / "exported.csv"

    finding = small.stored(latest_findings, AgreementFinding, kind="agreement")["meaning"]
    assert main(["ratings", "export", small.evaluation, "--out", str(file)]) == 0
    capsys.readouterr()
    words = ["agreement", str(file), "--scale", "likert:1:5", "--json", "--exit-zero"]
    assert main(words) == 0
    exported = json.loads(capsys.readouterr().out)["dimensions"]["meaning"]

    alpha = finding.get("krippendorff_alpha")
    with at_work() as work:
        table = first_pass_tables(work.case(small.evaluation))["meaning"]
    alone = krippendorff_alpha(replace(table, cluster=None), ci="jackknife")
    assert (alpha.n_clusters, alpha.n_items) == (60, 120)
    assert alpha.value == pytest.approx(alone.value)
    assert alpha.se != pytest.approx(alone.se, rel=0.01)
    assert exported["estimates"]["krippendorff_alpha"]["low"] == pytest.approx(alpha.low)
    severities = [rater["severity"]["se"] for rater in exported["profiles"]]
    assert severities == pytest.approx([row.severity.se for row in finding.profiles])
    assert data.sections["agreement"].dimensions[0].get("krippendorff_alpha").n_clusters == 60


def rate_with_preferences(small):
    """Open an evaluation side by side, prefer one system on most pages, and rate."""
    small.pool = two_systems(60)
    small.write(
        **{**SHORT, "rounds": {"frontend": "file", "page": {**BESIDE, "preference": True}}},
        sampling={"n": 80, "floor": 0},
    ).open()
    prefer(small, best="tess", but_every=5)
    small.rate(say=lambda one, _: 4 if "tess" in one.item else 2)


def test_preferences_are_told_with_their_share(small):
    rate_with_preferences(small)
    end = small.advance()
    if end.name == "Held":
        end = small.decide("proceed")
    assert end.name == "Closed", end.message

    body = small.stored(latest_results, "preferences")["*"]
    shares = {system["system"]: system["estimate"]["value"] for system in body["systems"]}
    assert (body["pages"], body["answers"]) == (40, 80)
    assert shares["<b>"] == 0
    assert 0.6 < shares["tess"] < 0.95
    assert shares["tess"] + body["same"]["value"] == pytest.approx(1)
    assert body["p_value"] < 0.001
    data, text = small.report()
    assert data.preferences.pages == 40
    assert "saw all outputs of 40 pages side by side prefer <b> on 0" in text
    assert "unlikely to be chance (sign test, p < 0.001)" in text


def test_answers_about_what_counts_no_more_are_no_preferences(small):
    rate_with_preferences(small)
    raters = sorted({one.rater for one in small.stored(list_assignments)})
    of_first = sum(one.rater == raters[0] for one in small.stored(list_assignments)) // 2

    counted = [preferences(small)]
    with at_work() as work, writing(work.engine) as connection:
        set_ratings_aside(connection, small.evaluation, raters=raters[:1], decision="x")
    counted.append(preferences(small))
    (left, *_) = [
        one.item
        for one in small.stored(list_assignments)
        if one.rater in raters[1:] and "tess" in one.item
    ]
    with at_work() as work, writing(work.engine) as connection:
        out = NewExclusion(left, excluded=True, category="other", reason="blank", actor="lead")
        add_exclusion(connection, small.evaluation, out, after_verdict=False, now=work.now)
    after = preferences(small)

    assert [found.answers for found in counted] == [80, 80 - of_first]
    assert counted[1].raters == len(raters) - 1
    assert after.answers < counted[1].answers
    assert after.pages == counted[1].pages - 1


def preferences(small):
    with at_work() as work:
        case = work.case(small.evaluation)
        return system_comparison.measure_preferences(case, case.pool())


def prefer(small, *, best, but_every):
    """Store what raters said who saw both outputs, as the rating page does."""
    rated = queues(small)
    with at_work() as work, writing(work.engine) as connection:
        for queue in rated.values():
            for number, one in enumerate(queue):
                same = (number // 2) % but_every == 0
                said = 0 if same else 1 if best in one.item else -1
                visit = open_visit(
                    connection, one.assignment, session_hash="x", client="desktop", now=work.now
                )
                link = Link("x", one.rater, small.evaluation, None)
                close_visit(
                    connection,
                    find_visit(connection, link, visit),
                    active_ms=0,
                    conditions={"preference": said},
                    now=work.now,
                )


def test_a_top_up_draws_pages_too(small):
    small.pool = two_systems(120)
    topped = {**SHORT, "rounds": {**ROUND, "top_ups": 1}, "gate": {"on_fail": "proceed"}}
    end = small.write(**topped, sampling={"n": 30}).open()
    if end.name == "Held":
        end = small.decide("proceed")
    assert end.name == "Closed", end.message

    assert small.rows().count("18") == 1
    pages = items_by_page(small)
    assert len(pages) > 15
    note = f"with the probability of the page: {len(pages)} of 120 pages."
    assert note in str(small.stored(read_evaluation).design.note)
    assert {len(items) for items in pages.values()} == {2}
    assert sum(1 / items[0].inclusion_probability for items in pages.values()) == pytest.approx(
        120, rel=0.2
    )


def test_somebody_who_drops_out_leaves_whole_pages(small):
    small.pool = two_systems(60)
    small.write(sampling={"n": 40, "floor": 0}, rounds={"frontend": "file", "page": BESIDE}).open()
    small.decide("drop", raters=["R02"])

    page = {one.item: one.page_id for one in small.stored(list_items)}
    for (rater, _), queue in queues(small).items():
        own = [page[one.item] for one in queue if one.state == "open"]
        assert not own or rater != "R02"
        assert all(a == b for a, b in zip(own[::2], own[1::2], strict=True))


def test_apart_the_outputs_of_a_page_keep_their_distance(small):
    small.pool = two_systems(60)
    small.write(sampling={"n": 120}, rounds={"frontend": "file"}).open()

    page = {one.item: one.page_id for one in small.stored(list_items)}
    for queue in queues(small).values():
        last = {}
        for turn, one in enumerate(queue):
            assert turn - last.get(page[one.item], -99) > 10
            last[page[one.item]] = turn


def test_gold_comes_in_whole_pages(small):
    small.pool = two_systems(60)
    drawn = drawn_pages(small)
    left = sorted({row["page_id"] for row in small.pool} - drawn)[:12]
    names = [f"{page}:tess" for page in left] + [f"{page}:<b>" for page in left[:8]]
    gold = small.path.with_name("gold.csv")
    lines = "\n".join(f"{name},meaning,4" for name in names)
    gold.write_text(f"doc_id,dimension,value\n{lines}\n")
    small.write(
        sampling={"n": 40, "floor": 0},
        raters={"file": "raters.csv", "gold": "gold.csv", "gold_every": 3},
        rounds=ROUND,
        adaptive={"max_rounds": 0},
    ).open("q")

    page = {one.item: one.page_id for one in small.stored(list_items)}
    met = [one for queue in queues(small).values() for one in queue if one.reason == "gold"]
    assert len(met) > 8
    assert {page[one.item] for one in met} <= set(left[:8])
    for queue in queues(small).values():
        own = [page[one.item] for one in queue]
        assert own[::2] == own[1::2]


def drawn_pages(small):
    """The pages that the campaign draws, by an evaluation of its own."""
    small.write(sampling={"n": 40, "floor": 0}, rounds=ROUND).open_only()
    small.advance()
    return set(items_by_page(small))


def test_sheets_have_a_row_for_each_output_next_to_each_other(small, tmp_path):
    small.pool = two_systems(60)
    small.write(
        sampling={"n": 40, "floor": 0}, rounds={"frontend": "sheets", "page": BESIDE}
    ).open()
    with at_work() as work:
        source = SheetSource(
            evaluation=small.evaluation,
            rubric=work.case(small.evaluation).campaign.rubric,
            language="en",
        )
        written = export_sheets(work.store, source, tmp_path / "out", now=work.now)
    reference = {one.reference for one in small.stored(list_items)}

    for one in written:
        sheet = load_workbook(one.path)["Ratings"]
        rows = [[cell for cell in row if cell in reference] for row in sheet.values]
        texts = [row[0] for row in rows if row]
        assert len(texts) >= 10
        assert texts[::2] == texts[1::2]
        assert "tess" not in str(list(sheet.values))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"system": "tess"}, "several documents of the system 'tess' for one text"),
        ({"page_id": None}, "has no page that two systems read"),
    ],
)
def test_a_pool_without_pairs_holds_the_plan(small, change, why):
    small.pool = [
        {**row, **{name: value or row["doc_id"] for name, value in change.items()}}
        for row in two_systems(40)
    ]
    held = small.write(sampling={"n": 40}, rounds=ROUND).open()

    assert held.message.startswith("plan: ")
    assert why in held.message


def test_every_output_of_a_page_is_wanted_from_as_many_raters_as_the_design_asks(small):
    small.pool = two_systems(100)
    small.write(
        sampling={"n": 40, "floor": 0}, **{**SHORT, "rounds": {**ROUND, "frontend": "file"}}
    ).open()
    small.rate({"R01", "R02", "R03"}, say=lambda one, _: opinion(one))
    small.decide_only("close")

    if small.advance().name == "Held":
        small.decide("proceed")

    response = small.stored(latest_results, "estimate")["meaning"]["response"]
    missing = [a for a in small.stored(list_assignments) if a.state == "withdrawn"]
    assert {one.rater for one in missing} == {"R04"}
    assert (response["wanted"], response["given"]) == (80, 80 - len(missing))
    assert response["complete"] == 40 - len({one.item for one in missing})
