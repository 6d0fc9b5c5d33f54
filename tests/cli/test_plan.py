import json
import shutil

import pytest
import yaml

from tests.cli.conftest import EXAMPLE

CAMPAIGN = EXAMPLE / "campaign.yaml"


def test_without_an_aim_the_campaigns_own_cost_is_planned_better(run):
    answer = run("plan", CAMPAIGN)

    assert answer.code == 0
    assert "pool       1,525 outputs" in answer.out
    assert answer.out.count("ratings     400") == 2
    written, best = answer.out.partition("The best plan for the same money")[::2]
    assert "items       200, 2 ratings each" in written.partition("as it is written")[2]
    assert "77 of them with 2 ratings, the others with one" in best
    assert "assumed; no earlier evaluation shows them" in answer.out


@pytest.mark.parametrize(("repeats", "ratings"), [(0.1, 442), (3, 418), (1000, 598)])
def test_items_that_raters_get_twice_are_paid_twice(run, tmp_path, repeats, ratings):
    shutil.copytree(EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("pages", "*.py"))
    path = tmp_path / "example" / "campaign.yaml"
    campaign = yaml.safe_load(path.read_text("utf-8"))
    campaign["raters"]["repeats"] = repeats
    path.write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")

    written = run("plan", path).out.partition("The best plan")[0]

    assert f"ratings     {ratings}\ncost        {ratings}.00\n" in written


def test_a_width_is_planned_with_its_picture(run):
    answer = run("plan", CAMPAIGN, "--width", "0.3")

    assert answer.code == 0
    assert "width       0.30 (asked for: 0.30)" in answer.out
    for heading in (
        "What the interval is made of",
        "With other numbers of items",
        "Expected length of 95 % intervals",
    ):
        assert heading in answer.out
    bars = [line for line in answer.out.splitlines() if line.endswith("=")]
    assert bars == sorted(bars, key=len, reverse=True)
    assert [line for line in answer.out.splitlines() if line.endswith("<- plan")]
    assert "Impossible with these raters without gold" in answer.out


def test_a_budget_is_kept(run):
    body = json.loads(run("plan", CAMPAIGN, "--budget", "300", "--json").out)

    assert body["cost"] <= 300
    assert body["possible"] is True
    assert body["target"] is None
    assert body["hours"] == pytest.approx(body["ratings"] * 5.6 / 6 / 60)
    assert body["source"].startswith("assumed")


def test_an_impossible_width_is_bad_news(run):
    answer = run("plan", CAMPAIGN, "--width", "0.1", "--rater-sd", "0.35")

    assert answer.code == 1
    assert "Impossible; this comes closest" in answer.out
    assert "raters instead of 6 would do." in answer.out
    assert "given: rater sd" in answer.out


def test_spreads_given_by_hand_are_used(run):
    arguments = ["--score-sd", "2", "--r-squared", "0.9", "--rater-sd", "0", "--noise-sd", "0.1"]

    body = json.loads(run("plan", CAMPAIGN, "--width", "0.2", "--json", *arguments).out)

    assert body["components"]["score_sd"] == 2
    assert body["components"]["r_squared"] == 0.9
    assert body["gold_items"] == 0


@pytest.mark.parametrize(
    ("raters", "arguments", "width"),
    [(1, ["--budget", "12"], "none"), (6, ["--noise-sd", "0", "--rater-sd", "0"], "0.00")],
)
def test_an_interval_without_a_length_is_drawn_without_a_bar(
    run, tmp_path, raters, arguments, width
):
    folder = shutil.copytree(EXAMPLE, tmp_path / "claims")
    for name, kept in (("raters.csv", 1 + raters), ("fields.jsonl", 10)):
        lines = (folder / name).read_text("utf-8").splitlines()[:kept]
        (folder / name).write_text("\n".join(lines) + "\n", "utf-8")

    answer = run("plan", folder / "campaign.yaml", *arguments)

    assert answer.code == 0
    assert f"width       {width}\n" in answer.out
    assert f"   10   {width}   <- plan" in answer.out


def test_one_rater_is_told_what_is_missing(run, tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "claims")
    lines = (folder / "raters.csv").read_text("utf-8").splitlines()
    (folder / "raters.csv").write_text("\n".join(lines[:2]) + "\n", "utf-8")

    answer = run("plan", folder / "campaign.yaml", "--budget", "200")

    assert "With one rater nothing shows how much raters differ" in answer.out


@pytest.mark.parametrize(("known", "each"), [(0, "none"), (5, "5"), (12, "12"), (90, "67")])
def test_raters_meet_no_more_gold_than_there_is(run, tmp_path, known, each):
    folder = shutil.copytree(EXAMPLE, tmp_path / "claims")
    rows = (folder / "fields.jsonl").read_text("utf-8").splitlines()[:known]
    lines = [f"{json.loads(row)['doc_id']},meaning,4" for row in rows]
    (folder / "gold.csv").write_text("\n".join(["doc_id,dimension,value", *lines]), "utf-8")
    campaign = yaml.safe_load((folder / "campaign.yaml").read_text("utf-8"))
    campaign["raters"] |= {"gold": "gold.csv", "gold_every": 2} if known else {}
    (folder / "campaign.yaml").write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")

    answer = run("plan", folder / "campaign.yaml")

    written = answer.out.partition("as it is written")[2].partition("The best plan")[0]
    assert f"gold items  {each}{' for each rater' * (known > 0)}\n" in written
    assert ("width       0.67\n" in written) == (known < 10)  # fewer correct nothing


def test_outputs_that_are_drawn_together_are_planned_as_alike(run, tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "claims")
    rows = [json.loads(line) for line in (folder / "fields.jsonl").read_text("utf-8").splitlines()]
    both = [
        {**row, "doc_id": f"{row['doc_id']}-{name}", "page_id": row["doc_id"], "system": name}
        for row in rows
        for name in "ab"
    ]
    (folder / "fields.jsonl").write_text("\n".join(map(json.dumps, both)), "utf-8")
    campaign = yaml.safe_load((folder / "campaign.yaml").read_text("utf-8"))
    apart = run("plan", folder / "campaign.yaml", "--budget", "800", "--json")
    campaign["rounds"]["page"] = {"systems": "side_by_side"}
    (folder / "campaign.yaml").write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")

    told = run("plan", folder / "campaign.yaml", "--budget", "800")
    beside = run("plan", folder / "campaign.yaml", "--budget", "800", "--json")

    assert "pages      2 outputs of each are drawn together and taken as alike" in told.out
    components = json.loads(beside.out)["components"]
    assert components["together"] == 2
    assert json.loads(beside.out)["width"] > json.loads(apart.out)["width"]


def test_names_have_no_mean_to_plan_for(run, tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "claims")
    rubric = {
        "scale": {"kind": "nominal", "categories": ["good", "bad"]},
        "purpose": "Judge.",
        "dimensions": [{"name": "meaning", "title": "Meaning", "description": "Right?"}],
    }
    (folder / "rubric.yaml").write_text(yaml.safe_dump(rubric), "utf-8")
    text = (folder / "campaign.yaml").read_text("utf-8")
    plain = {key: yaml.safe_load(text)[key] for key in ("name", "pool", "rubric", "raters")}
    (folder / "campaign.yaml").write_text(yaml.safe_dump(plain), "utf-8")

    answer = run("plan", folder / "campaign.yaml", "--width", "0.3")

    assert answer.code == 2
    assert answer.err.startswith("The rubric's scale has no order; categories have no mean")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--budget", "5"], "pays for fewer than 10 items"),
        (["--width", "-1"], "width must be a finite number above 0"),
        (["--width", "1", "--budget", "5"], "not allowed with argument"),
        (["--width", "1", "--dimension", "beauty"], "no dimension 'beauty'"),
        (["--width", "1", "--noise-sd", "-1"], "noise_sd must be a finite number"),
    ],
)
def test_bad_input_is_one_sentence(run, arguments, message):
    answer = run("plan", CAMPAIGN, *arguments)

    assert answer.code == 2
    assert message in answer.err
    assert answer.out == ""


def test_few_double_rated_items_are_at_least_as_many_as_a_round_asks_for(run, tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "claims")
    campaign = yaml.safe_load((folder / "campaign.yaml").read_text("utf-8"))
    campaign["raters"]["double_rated"] = 0.2
    (folder / "campaign.yaml").write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")

    answer = run("plan", folder / "campaign.yaml")

    written = answer.out.partition("as it is written")[2].partition("The best plan")[0]
    assert "items       200, 77 of them with 2 ratings, the others with one" in written
    assert "ratings     277" in written


def test_the_best_plan_has_the_money_that_the_campaigns_gold_costs_too(run, tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "claims")
    rows = [json.loads(line) for line in (folder / "fields.jsonl").read_text("utf-8").splitlines()]
    lines = [f"{row['doc_id']},meaning,3" for row in rows[:30]]
    (folder / "gold.csv").write_text("\n".join(["doc_id,dimension,value", *lines]), "utf-8")
    campaign = yaml.safe_load((folder / "campaign.yaml").read_text("utf-8"))
    campaign["raters"]["gold"] = "gold.csv"
    (folder / "campaign.yaml").write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")

    answer = run("plan", folder / "campaign.yaml")

    assert answer.out.count("cost        444.00\n") == 2
