"""Gold and second ratings among the items of a main round: nobody can tell, and nothing is lost."""

import csv
import io
import re
import zlib

import pandas as pd
import pytest

from ocrjury.campaign.delivery_sections import Webhook
from ocrjury.cli import main
from ocrjury.delivery.announcements import Announcement, body_for
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.evidence import evidence_on
from ocrjury.findings.cover import Cover
from ocrjury.frontends.sheets.assignment_sheet import read_open_assignments, write_sheet
from ocrjury.pages.headline_words import headline_text
from ocrjury.pages.numbers import estimate_text
from ocrjury.ratings.sheets import row_code
from ocrjury.report import build_report
from ocrjury.report.cover_record import cover_of
from ocrjury.store.documents import list_items
from ocrjury.store.ratings import list_ratings
from ocrjury.store.results import latest_results, latest_truths, results_by_round
from ocrjury.store.rounds import list_assignments
from tests.tasks.conftest import QUICK, closed, documents
from tests.tasks.test_pilots import write_gold

FILE = {"rounds": {"frontend": "file", "top_ups": 0}}


def level_of(row):
    """What is right about a document: how much of it was read."""
    wrong = sum(a != b for a, b in zip(row["reference"], row["hypothesis"], strict=True))
    return max(5 - wrong // 3, 1)


@pytest.fixture
def known(small):
    """A campaign with gold on 60 of 200 documents, of which every fifth turn is one."""
    small.pool = documents(200)
    small.levels = {row["doc_id"]: level_of(row) for row in small.pool}
    gold = [(row["doc_id"], "meaning", small.levels[row["doc_id"]], "") for row in small.pool[:60]]
    small.raters = {**write_gold(small, gold), "gold_every": 5, "repeats": 0.2}
    small.sections = {"sampling": {"n": 80}, "raters": {"file": "raters.csv", **small.raters}}
    return small


def answer(small, *, off=0):
    """What raters say who are right but for a mistake now and then."""

    def say(one, _dimension):
        slip = zlib.crc32(f"{one.item}/{one.rater}/{one.repeat}".encode()) % 8 == 0
        return min(max(small.levels[one.item] + off - slip, 1), 5)

    return say


def asked(small, reason):
    return [a for a in small.stored(list_assignments) if a.round == 1 and a.reason == reason]


def test_gold_and_repeats_are_among_the_items_of_the_main_round(known):
    known.write(**known.sections).open_only()
    known.monkeypatch.setattr(
        "ocrjury.flows.advance_evaluation.rate_by_simulation", lambda _: False
    )
    known.advance()

    purpose = {one.item: one.purpose for one in known.stored(list_items)}
    own, gold, again = (asked(known, reason) for reason in ("design", "gold", "repeat"))
    assert len(own) == 160
    assert 35 <= len(gold) <= 52
    assert len(again) == 32
    assert {purpose[a.item] for a in gold} == {"gold"}
    assert {purpose[a.item] for a in own} == {"sample"}
    assert {(a.item, a.rater) for a in again} < {(a.item, a.rater) for a in own}
    assert {a.repeat for a in again} == {1}
    assert {a.repeat for a in (*own, *gold)} == {0}
    for rater in ("R01", "R02", "R03", "R04"):
        queue = [a.position for a in known.stored(list_assignments) if a.rater == rater]
        assert sorted(queue) == list(range(1, len(queue) + 1))


def test_they_count_for_the_raters_and_not_for_the_sample(known):
    end = known.write(**known.sections).open()
    end = known.decide("proceed") if end.name == "Held" else end

    assert end.name == "Closed"
    sample = {one.item for one in known.stored(list_items) if one.purpose == "sample"}
    rows = known.stored(list_ratings)
    assert {row.item for row in rows if row.round_kind == "main"} <= sample
    assert not {row.item for row in rows if row.round_kind == "gold"} & sample
    assert {row.round_kind for row in rows if row.repeat} == {"repeat"}
    assert {truth.item for truth in known.stored(latest_truths)} == sample
    with at_work() as work:
        data = build_report(work.store, known.evaluation)
    assert sum(row.n_ratings for row in data.sections["raters"].rows) == 160
    (estimate,) = known.stored(latest_results, "estimate").values()
    assert estimate["others"]["n_items"] == 80
    assert estimate["others"]["n_ratings"] == 160


def test_gold_tells_how_accurate_a_rater_is_and_repeats_how_steady(known):
    known.write(**known.sections | FILE).open()
    say = answer(known)
    known.rate(
        say=lambda one, _: (
            1 + zlib.crc32(f"{one}".encode()) % 5 if one.rater == "R04" else say(one, _)
        )
    )
    known.advance()

    control = known.stored(latest_results, "control")["meaning"]

    gold, second = control["gold"], control["second"]
    n_gold = sum(row.round_kind == "gold" for row in known.stored(list_ratings))
    assert gold["overall"]["n"] >= n_gold
    assert gold["raters"]["R01"]["share_equal"]["value"] > 0.7
    assert gold["raters"]["R04"]["share_equal"]["value"] < 0.5
    assert second["overall"]["n"] == 32
    careful = [second["raters"][who]["share_equal"]["value"] for who in ("R01", "R02", "R03")]
    assert sum(careful) / 3 > 0.6
    assert second["raters"]["R04"]["share_equal"]["value"] < 0.6


def test_the_level_of_the_raters_is_corrected_by_gold(known):
    known.write(**known.sections | FILE).open()
    known.rate(say=answer(known, off=-1))
    end = known.advance()
    end = known.decide("proceed") if end.name == "Held" else end
    while end.name == "WaitingForRatings":
        known.rate(say=answer(known, off=-1))
        end = known.advance()

    (body,) = known.stored(latest_results, "estimate").values()

    truth = sum(known.levels.values()) / len(known.levels)
    plain = body["gold"]["uncorrected"]
    assert body["gold"]["n_items"] >= 30
    rated, items = known.stored(list_ratings), known.stored(list_items)
    in_passing = {row.item for row in rated if row.round_kind == "gold"}
    in_sample = {item.item for item in items if item.purpose == "sample"}
    assert body["gold"]["n_items"] - body["gold"]["n_sampled"] == len(in_passing - in_sample)
    assert "gold-corrected" in body["others"]["method"]
    assert plain["value"] < truth - 0.6
    assert abs(body["others"]["value"] - truth) < 0.35
    assert body["others"]["low"] < truth < body["others"]["high"]
    usable = sum(level >= 4 for level in known.levels.values()) / len(known.levels)
    assert abs(body["usable"]["value"] - usable) < 0.2
    assert body["others"]["high"] - body["others"]["low"] < 1.0
    file = known.exported_mean()
    assert [file.low, file.value, file.high] == pytest.approx(
        [body["others"][end] for end in ("low", "value", "high")]
    )
    a_corrected_number_is_called_that_everywhere(known, body)
    the_export_has_each_corrected_number_beside_the_one_without(known, body)


def the_export_has_each_corrected_number_beside_the_one_without(known, body):
    folder = known.path.with_name("exported")
    main(["export", known.evaluation, "--out", str(folder)])
    rows = pd.read_csv(folder / "estimates.csv")
    of_pool = rows[rows["group"] == "pool"].set_index(["statistic", "basis"])["value"]

    for statistic, name in (("usable_share", "usable"), ("lowest_share", "unusable")):
        plain = body["gold"][name]
        assert plain["value"] != body[name]["value"]
        assert of_pool[statistic, "others"] == pytest.approx(body[name]["value"])
        assert of_pool[statistic, "uncorrected"] == pytest.approx(plain["value"])
    assert of_pool["median", "these"] == pytest.approx(body["quartiles"][1]["value"])


def a_corrected_number_is_called_that_everywhere(known, body):
    """On the report's pages, its cover's record, emails, messages and what a command prints."""
    corrected = Estimate.from_json(body["others"])
    plain = Estimate.from_json(body["gold"]["uncorrected"])
    said = f"{estimate_text(corrected)}, corrected by gold; without gold {estimate_text(plain)}"
    data, text = known.report()
    cover = cover_of(data)

    assert headline_text(cover.headline) == said
    assert Cover.from_json(cover.to_json()) == cover
    told = Announcement(campaign="small", evaluation="small-p", period="p", version=1, cover=cover)
    assert any(said in fact for fact in told.facts.values())
    hook = Webhook(name="team", kind="json", url_env="HOOK")
    assert body_for(hook, told)["headline"]["without_gold"]["value"] == plain.value
    assert (
        text.count("Corrected by gold, as the headline is.") == 2
    )  # types, and groups of the pool


def test_a_share_that_gold_would_move_beyond_100_percent_is_printed_without_it(small):
    small.pool = documents(120)
    worst = sorted(small.pool, key=lambda row: row["confidence"])[:30]
    gold = [(row["doc_id"], "meaning", 4, "") for row in worst]
    raters = {"file": "raters.csv", "gold_every": 5, **write_gold(small, gold)}
    target = {"dimension": "meaning", "share_at_least": 4, "share": 0.5}

    _, text = closed(small, **QUICK, raters=raters, report={"target": target})

    body = small.stored(latest_results, "estimate")["meaning"]
    share = Estimate.from_json(body["target_share"]["others"])
    assert "gold-corrected" in body["others"]["method"]
    assert "gold-corrected" not in share.method
    assert body["target_share"]["uncorrected"] is None
    assert body["gold"]["usable"] is None
    assert body["usable"]["value"] == share.value
    assert "gold" not in body["target_share"]["sources"]["variance"]
    assert "95% range, other raters like these, not corrected by gold" in text
    assert "Corrected by gold, this share would be above 100%, so gold was not used" in text
    assert f"{estimate_text(share, share=True)}, not corrected by gold" in text


def of_source(small, source, *, left=0):
    """Write the gold anew as if it were promoted, all but the last few lines."""
    path = small.path.with_name("gold.csv")
    head, *lines = path.read_text("utf-8").splitlines()
    promoted = len(lines) - left
    ends = [source] * promoted + [""] * left
    rows = [f"{line},{end}" for line, end in zip(lines, ends, strict=True)]
    path.write_text("\n".join([f"{head},source", *rows]), "utf-8")
    return {line.split(",")[0] for line in lines[promoted:]}


# Raters agree more easily where they are right and wrong together, and fall out on the hard items.
@pytest.mark.parametrize("source", ["file", "consensus"])
def test_gold_that_was_promoted_leaves_the_level_of_the_raters_alone(known, source):
    of_source(known, source)
    known.write(**known.sections | FILE, adaptive={"max_rounds": 0, "decisions": 0}).open()
    plan = known.stored(latest_results, "plan")["meaning"]
    known.rate(say=answer(known, off=-1))
    end = known.advance()
    end = known.decide("proceed") if end.name == "Held" else end

    assert end.name == "Closed"
    body = known.stored(latest_results, "estimate")["meaning"]
    corrected = source == "file"
    assert (body["gold"] is not None) == corrected
    assert ("gold-corrected" in body["others"]["method"]) == corrected
    truth = sum(known.levels.values()) / len(known.levels)
    assert (abs(body["others"]["value"] - truth) < 0.35) == corrected
    assert (plan["widths"]["others"] < 2 * plan["widths"]["these"]) == corrected
    # It still tells how accurate each rater is.
    assert plan["gold_ratings"] > 30
    assert known.stored(latest_results, "control")["meaning"]["gold"]["overall"]["n"] > 30


@pytest.mark.parametrize("n", [9, 10, 16])
def test_a_plan_counts_on_gold_that_will_correct(known, n):
    of_source(known, "consensus", left=n)

    known.write(**known.sections | FILE).open()

    # Each rater meets a part: together about eight of ten, and 13 of 16.
    widths = known.stored(latest_results, "plan")["meaning"]["widths"]
    assert (widths["others"] < 0.8) == (n > 10)
    assert (widths["share"] > 0.4) == (n > 10)  # what they leave open is more than raters differ


def test_of_mixed_gold_only_what_was_written_corrects(known):
    written = of_source(known, "consensus", left=25)
    known.write(**known.sections | FILE).open()
    known.rate(say=answer(known, off=-1))
    known.advance()

    with at_work() as work:
        case = work.case(known.evaluation)
        evidence = evidence_on(case, "meaning")

    assert len(case.gold["meaning"]) == 60
    assert set(evidence.gold["item"]) == written
    assert evidence.in_passing["item"].nunique() > 0
    assert set(evidence.in_passing["item"]) <= written


def test_confidence_is_checked_against_gold(known):
    known.write(**known.sections | FILE).open()
    known.rate(say=answer(known))
    known.advance()

    calibration = known.stored(latest_results, "calibration")["meaning"]

    assert calibration["n_items"] >= 30
    assert 0 <= calibration["error_before"]["value"] <= 1
    assert calibration["curve_before"]
    truth = known.stored(results_by_round, "truth")[1]["dimensions"]["meaning"]
    assert truth["calibrated"] is True
    assert truth["temperature"] == calibration["temperature"]
    row = known.stored(results_by_round, "round")[1]
    assert row["calibrated"] is True
    assert 0.5 < row["confidence"] <= 1


def test_sampled_documents_that_are_gold_are_certain(known):
    known.write(**known.sections | FILE).open()
    known.rate(say=answer(known))
    known.advance()

    of_gold = [truth for truth in known.stored(latest_truths) if truth.item in known_items(known)]

    assert of_gold
    assert {truth.confidence for truth in of_gold} == {1.0}
    assert all(truth.label == known.levels[truth.item] for truth in of_gold)


def known_items(small):
    with small.path.with_name("gold.csv").open(encoding="utf-8") as file:
        return {row["doc_id"] for row in csv.DictReader(file)}


def test_without_gold_confidence_is_the_models(small):
    small.write().open()

    assert small.stored(latest_results, "calibration") == {}
    rows = small.stored(results_by_round, "round")
    assert {row["calibrated"] for row in rows.values()} == {False}
    assert rows[1]["items"] == 40
    assert (rows[1]["assignments"], rows[1]["ratings"], rows[1]["cost"]) == (80, 80, 80)


def test_a_document_of_gold_that_a_top_up_draws_keeps_the_ratings_it_has(known):
    sections = known.sections | {"sampling": {"n": 30}, "rounds": {"top_ups": 0}}
    assert known.write(**sections).open().message.startswith("inconclusive")
    known.decide("extend", items=60)

    before = {(a.item, a.rater) for a in asked(known, "gold")}
    drawn = {one.item for one in known.stored(list_items) if one.purpose == "sample"}
    promoted = {item for item, _ in before} & drawn
    assert promoted
    main = [a for a in known.stored(list_assignments) if a.item in promoted and not a.repeat]
    later = [a for a in main if a.round == 2]
    assert not {(a.item, a.rater) for a in later} & before
    per_item = {item: sum(a.item == item and a.round <= 2 for a in main) for item in promoted}
    assert min(per_item.values()) >= 2
    counted = [r for r in known.stored(list_ratings) if (r.item, r.rater) in before]
    assert {r.round_kind for r in counted if r.item in promoted} == {"main"}


def test_a_late_raters_gold_and_repeats_go_to_nobody(known):
    known.write(**known.sections | FILE).open()
    known.rate(["R01", "R02", "R03"], say=answer(known))
    late = [a for a in known.stored(list_assignments) if a.rater == "R04"]

    known.at(29).advance()

    taken = [a for a in known.stored(list_assignments) if a.reason == "takes over"]
    assert {a.item for a in taken} == {a.item for a in late if a.reason == "design"}
    assert all(a.repeat == 0 for a in taken)


def test_a_round_is_not_held_up_by_gold_and_repeats(known):
    known.write(**known.sections | FILE).open()
    wanted = [a for a in known.stored(list_assignments) if a.reason == "design"]
    known.hand_in(sheet(known, wanted))

    known.at(29).advance()

    assert known.rows()[4:6] == ["11", "15"]


def sheet(small, assignments):
    path = small.path.with_name("sheet.csv")
    lines = [f"small-p,{a.item},{a.rater},{small.levels[a.item]}" for a in assignments]
    path.write_text("\n".join(["evaluation,item,rater,meaning", *lines]), "utf-8")
    return path


def test_no_row_of_a_sheet_tells_gold_or_a_second_time(known):
    known.write(**known.sections | FILE).open()
    with at_work() as work:
        rows = read_open_assignments(work.store, known.evaluation).rows

    names = [row.item for row in rows]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("i[0-9a-f]{10}", name) for name in names)
    for rater in ("R01", "R02"):
        own = [row for row in rows if row.rater == rater]
        assert [row.position for row in own] == list(range(1, len(own) + 1))


def test_a_filled_sheet_completes_the_round(known):
    known.write(**known.sections | FILE).open()
    path = known.path.with_name("filled.csv")
    with at_work() as work:
        sheet = read_open_assignments(work.store, known.evaluation)
    with path.open("w", encoding="utf-8", newline="") as file:
        write_sheet(file, sheet)
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "meaning": 4} for row in rows)

    done = known.hand_in(path)

    assert done.complete
    assert done.assignments == len(rows)
    assert done.assignments > 160


def test_the_name_of_an_item_and_the_code_of_its_row_are_one_rating(known):
    known.write(**known.sections | FILE).open()
    one = asked(known, "design")[0]
    path = known.path.with_name("twice.csv")
    names = (one.item, row_code(one.assignment))
    lines = [f"small-p,{name},{one.rater},{n}" for n, name in enumerate(names, 4)]
    path.write_text("\n".join(["evaluation,item,rater,meaning", *lines]), "utf-8")

    with pytest.raises(InputError, match=r"row 3: a second rating of item .*; row 2 has"):
        known.hand_in(path)


def test_in_a_round_without_checks_rows_bear_the_names_of_items(small):
    small.write(**FILE).open()

    with at_work() as work:
        rows = read_open_assignments(work.store, small.evaluation).rows

    assert {row.item for row in rows} == {one.item for one in small.stored(list_items)}


@pytest.mark.parametrize(
    ("scale", "method", "value"),
    [
        ({"kind": "binary"}, "dawid_skene", lambda level: int(level > 3)),
        ({"kind": "interval", "low": 0, "high": 100}, "mean_rating", lambda level: 20 * level),
        ({"kind": "nominal", "categories": ["fine", "wrong"]}, "one_coin", lambda level: "fine"),
    ],
)
def test_gold_fits_every_scale(known, scale, method, value):
    known.scale = scale
    gold = [(name, "meaning", value(level), "") for name, level in list(known.levels.items())[:60]]
    raters = {**known.sections["raters"], **write_gold(known, gold)}
    say = answer(known)
    end = known.write(**known.sections | FILE | {"raters": raters}, truth={"method": method}).open()
    while end.name != "Closed":
        if end.name == "Held":
            end = known.decide("proceed")
            continue
        known.rate(say=lambda one, dimension: value(say(one, dimension)))
        end = known.advance()

    control = known.stored(latest_results, "control")["meaning"]
    assert control["gold"]["overall"]["n"] > 30
    assert control["second"]["overall"]["n"] == 32
    assert "nan" not in known.report()[1].split()


@pytest.mark.parametrize("double_rated", [0.0, 1.0])
def test_second_ratings_cost_time_and_promise_no_precision(small, double_rated):
    raters = {"file": "raters.csv", "double_rated": double_rated}
    small.write(rounds={"frontend": "file"}, raters=raters).open("once")
    once = small.stored(latest_results, "plan")["meaning"]

    small.write(rounds={"frontend": "file"}, raters={**raters, "repeats": 0.3}).open("again")

    again = small.stored(latest_results, "plan")["meaning"]
    assert again["assignments"] > once["assignments"]
    assert again["hours"] > once["hours"]
    assert again["widths"] == once["widths"]
