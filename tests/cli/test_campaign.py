import shlex
from pathlib import Path

import pytest
import yaml

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"


def test_a_new_campaign_says_what_comes_next(run, tmp_path):
    folder = tmp_path / "My Claims"

    answer = run("campaign", "new", folder)

    assert answer.code == 0
    assert "Set pool.path in campaign.yaml to your OCR results" in answer.out
    assert f"ocrjury campaign check '{folder / 'campaign.yaml'}'" in answer.out
    assert "name: my-claims" in (folder / "campaign.yaml").read_text(encoding="utf-8")


def test_the_next_command_is_one_that_a_shell_takes(run, tmp_path):
    answer = run("campaign", "new", tmp_path / "My Claims")

    words = shlex.split(answer.out.splitlines()[-1])
    assert words == ["ocrjury", "campaign", "check", str(tmp_path / "My Claims" / "campaign.yaml")]


def test_a_folder_of_another_script_needs_a_name(run, tmp_path):
    assert run("campaign", "new", tmp_path / "청구").code == 2
    assert run("campaign", "new", tmp_path / "청구", "--name", "claims").code == 0


def test_nothing_is_written_over(run, tmp_path):
    run("campaign", "new", tmp_path / "claims")

    answer = run("campaign", "new", tmp_path / "claims")

    assert answer.code == 2
    assert answer.err.startswith("Nothing was written, because there is already")


def test_the_example_is_valid_and_its_departure_is_told(run):
    answer = run("campaign", "check", EXAMPLE / "campaign.yaml")

    assert answer.code == 0
    assert "1,525 outputs, 72 pages" in answer.out
    assert "raters    6 raters, 1 adjudicator, 1 expert in " in answer.out
    assert "The campaign is valid; it departs from 1 of 11 recommendations:" in answer.out
    assert "Pilot: Set rounds.pilot.items to 20 to 30" in answer.out


def test_strict_makes_a_departure_bad_news(run):
    answer = run("campaign", "check", EXAMPLE / "campaign.yaml", "--strict", "--no-pool")

    assert answer.code == 1
    assert "(not read)" in answer.out


def test_an_invalid_file_is_refused_with_line_and_key(run, tmp_path):
    file = tmp_path / "campaign.yaml"
    file.write_text("name: claims\npool: {path: x.csv}\nrubrik: r.yaml\n", encoding="utf-8")

    answer = run("campaign", "check", file)

    assert answer.code == 2
    assert "line 3" in answer.err
    assert "rubric" in answer.err
    assert answer.out == ""


@pytest.fixture
def with_gold(run, tmp_path):
    """A function that writes a campaign with a pool and a gold file."""

    def write(*lines):
        folder = tmp_path / "claims"
        run("campaign", "new", folder)
        file = folder / "campaign.yaml"
        text = file.read_text("utf-8").replace("# gold: gold.csv ", "gold: gold.csv ")
        file.write_text(text, "utf-8")
        (folder / "pool.jsonl").write_text('{"doc_id": "d1", "hypothesis": "a"}', "utf-8")
        rows = "\n".join(["doc_id,dimension,value", *lines])
        (folder / "gold.csv").write_text(rows, "utf-8")
        return file

    return write


def test_gold_is_counted(run, with_gold):
    file = with_gold("d1,meaning,4", "d1,layout,3")

    answer = run("campaign", "check", file)

    assert "sampling.n asks for 200 items, but the pool holds 1 output." in answer.out
    assert f"gold      1 document, 2 ratings in {file.with_name('gold.csv')}" in answer.out


def test_what_an_evaluation_leaves_out_of_the_pool_is_named_with_its_line(run, with_gold):
    file = with_gold("d1,meaning,4")
    rows = ['{"doc_id": "d1", "hypothesis": "b"}', "no JSON", '{"doc_id": "d2", "hypothesis": "c"}']
    with file.with_name("pool.jsonl").open("a", encoding="utf-8") as pool:
        pool.write("\n" + "\n".join(rows))

    answer = run("campaign", "check", file)

    assert (answer.code, answer.err) == (1, "")  # for it is too small a pool to draw from
    assert "(2 outputs, 2 pages, 2 without a reference)" in answer.out
    said = " ".join(answer.out.split())
    assert "50.0% of the pool could not be used. 2 files or rows of the pool could not be" in said
    assert "pool.jsonl, line 2 the doc_id of an earlier row" in said
    assert "pool.jsonl, line 3 not JSON: it does not begin with { or [" in said


@pytest.mark.parametrize("words", [("campaign", "check"), ("evaluation", "open")])
def test_check_and_open_refuse_a_gold_file_in_the_same_words(run, with_gold, words):
    file = with_gold("d1,meaning,9")

    answer = run(*words, file)

    assert answer.code == 2
    assert answer.err == (
        f"The gold file {file.with_name('gold.csv')}, line 2: the value '9' is not on the rubric's "
        "scale (likert 1 to 5).\n"
    )


def test_gold_about_a_document_that_the_pool_lacks_is_refused_if_the_pool_is_read(run, with_gold):
    file = with_gold("d2,meaning,4")

    answer = run("campaign", "check", file)

    assert answer.code == 2
    assert answer.err.endswith("there is no document 'd2' in its pool.\n")
    assert run("campaign", "check", file, "--no-pool").code == 0


def test_a_pool_of_its_own_may_hold_the_gold(run, with_gold):
    file = with_gold("k1,meaning,4")
    text = file.read_text("utf-8").replace("# gold_pool: known.jsonl ", "gold_pool: known.jsonl ")
    file.write_text(text, "utf-8")
    file.with_name("known.jsonl").write_text('{"doc_id": "k1", "hypothesis": "a"}', "utf-8")

    assert "gold      1 document, 1 rating in" in run("campaign", "check", file).out


def test_a_pool_that_cannot_be_read_is_refused(run, tmp_path):
    run("campaign", "new", tmp_path / "claims")

    answer = run("campaign", "check", tmp_path / "claims" / "campaign.yaml")

    assert answer.code == 2
    assert str(tmp_path / "claims") in answer.err


@pytest.fixture
def two_folders(tmp_path):
    """A campaign whose OCR output and references lie in folders of their own."""
    for folder, ending, pages in (("ocr", "txt", (1, 2, 3)), ("right", "gt.txt", (1, 2, 4))):
        (tmp_path / folder).mkdir()
        for page in pages:
            (tmp_path / folder / f"p{page}.{ending}").write_text("금액 1,200원", encoding="utf-8")
    campaign = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text("utf-8"))
    campaign["pool"] = {"path": "ocr", "reference": "right"}
    campaign["rubric"] = str(EXAMPLE / "rubric.yaml")
    campaign["raters"] |= {"file": str(EXAMPLE / "raters.csv")}
    (tmp_path / "campaign.yaml").write_text(yaml.safe_dump(campaign), encoding="utf-8")
    return tmp_path / "campaign.yaml"


def test_references_in_a_folder_of_their_own_are_found(run, two_folders):
    answer = run("campaign", "check", two_folders)

    assert answer.err == ""
    assert "(3 outputs, 3 pages, 1 without a reference)" in answer.out
    assert "2 files without a pair:" in answer.out
    # The other one is an output without a reference, which is in the pool.
    assert "25.0% of the pool could not be used. 1 file or row" in " ".join(answer.out.split())


def test_empty_outputs_and_guessed_spaces_are_told_once(run, two_folders):
    (two_folders.parent / "ocr" / "p2.txt").write_text(" \n")
    data = Path(__file__).resolve().parents[1] / "data" / "ocr" / "korean.tsv"
    (two_folders.parent / "ocr" / "p5.tsv").write_bytes(data.read_bytes())

    check, plan = run("campaign", "check", two_folders), run("plan", two_folders)

    assert "(4 outputs, 4 pages, 2 without a reference, 1 empty)" in check.out
    assert check.out.count("guessed from the gaps between words") == 1
    assert (check.err, plan.err) == ("", "")


def test_templates_that_cannot_be_printed_are_refused_with_file_and_line(run, tmp_path):
    folder = tmp_path / "claims"
    run("campaign", "new", folder)
    file = folder / "campaign.yaml"
    text = file.read_text("utf-8").replace("# templates: words", "templates: words")
    file.write_text(text, "utf-8")
    (folder / "words").mkdir()
    words = '{% extends "ocrjury/report/cover.html.j2" %}\n{% block facts %}{{ a }}{% endblock %}'
    (folder / "words" / "cover.html.j2").write_text(words, "utf-8")

    answer = run("campaign", "check", file, "--no-pool")

    assert answer.code == 2
    assert "report.templates: cover.html.j2, line 2: nothing is called 'a'; a block" in answer.err
    assert answer.out == ""


POOL = "doc_id,language,doc_type,image,reference,hypothesis\n" + "".join(
    f"d{number},{'zh' if number % 5 == 0 else 'ko'},{'bill' if number % 2 else 'form'},p1.png,a,b\n"
    for number in range(40)
)
TWO = ("R01,rater,,,,,", "R02,rater,,,,,")
PEOPLE = "pseudonym,role,languages,skills,capacity,absent_from,absent_to\n"


@pytest.fixture
def check(run, tmp_path):
    """A function that checks a campaign of 40 documents with some people."""

    def call(*people, rows=POOL, frontend="web", rounds=None, n=40, least=20, **pool):
        (tmp_path / "pool.csv").write_text(rows, encoding="utf-8")
        (tmp_path / "raters.csv").write_text(PEOPLE + "\n".join(people), encoding="utf-8")
        (tmp_path / "p1.png").touch()
        campaign = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text("utf-8"))
        campaign["pool"] = {"path": "pool.csv", **pool}
        campaign["rubric"] = str(EXAMPLE / "rubric.yaml")
        campaign["rounds"] |= {"frontend": frontend, **(rounds or {})}
        campaign["sampling"] = {"n": n}
        campaign["gate"] = {"min_items": least}
        campaign["raters"] = {"file": "raters.csv", "per_item": 2}
        (tmp_path / "campaign.yaml").write_text(yaml.safe_dump(campaign), encoding="utf-8")
        return run("campaign", "check", tmp_path / "campaign.yaml")

    return call


def foreseen(answer):
    """Lines of a check that begin with a dash."""
    return [line.removeprefix("- ") for line in answer.out.splitlines() if line.startswith("- ")]


@pytest.mark.parametrize(
    ("people", "why"),
    [
        (
            ["R01,rater,ko,,,,", "R02,rater,ko,,,,"],
            "No rater reads 'zh', the language of 8 documents. Add it to the languages",
        ),
        (
            ["R01,rater,ko;zh,,,,", "R02,rater,ko,,,,", "R03,rater,en,,,,"],
            "Only R01 reads 'zh', the language of 8 documents; 2 raters are wanted.",
        ),
        (
            ["R01,rater,,bill,,,", "R02,rater,,,,,"],
            "Only R01 may rate documents of the type 'bill' (20 documents)",
        ),
        (
            ["R01,rater,,,30,,", "R02,rater,,,30,,"],
            "A round asks for 80 ratings; the capacities of the 2 raters in raters.csv hold 60.",
        ),
        (
            ["R01,rater,ko,,10,,", "R02,rater,ko,,10,,", "R03,rater,zh,,,,", "R04,rater,zh,,,,"],
            (
                "About 64 ratings of a round are on documents in the language 'ko'; the "
                "capacities of the 2 raters who may rate them hold 20."
            ),
        ),
        (
            ["R01,rater,,,,2026-11-01,", "R02,rater,,,,,"],
            "2 raters of a document are wanted; raters.csv has 2 of that role, 1 of them absent",
        ),
    ],
)
def test_what_would_hold_the_evaluation_is_foreseen_by_its_reason(check, people, why):
    answer = check(*people)

    assert answer.code == 1
    [line] = foreseen(answer)
    assert line.startswith(why)


def test_capacity_that_suffices_for_every_language_is_no_obstacle(check):
    assert foreseen(check("R01,rater,ko,,32,,", "R02,rater,,,40,,", "R03,rater,zh,,8,,")) == []


def test_images_that_are_in_no_folder_are_told(check):
    people = ["R01,rater,,,,,", "R02,rater,,,,,"]

    answer = check(*people, images="/nowhere")

    assert answer.code == 0
    [line] = foreseen(answer)
    assert line.startswith("1 of 1 page images are not in /nowhere, such as p1.png; raters would")
    assert foreseen(check(*people)) == []


@pytest.mark.parametrize(
    ("n", "top_ups", "least", "told"),
    [
        (40, 1, 50, "40 at most: it cannot pass. Give the pool more outputs, or lower gate.mi"),
        (None, 0, 41, "37 at most: it cannot pass. Give the pool more outputs, or lower gate.mi"),
        (15, 1, 31, "30 at most: it cannot pass before a lead extends the sample. Raise sampl"),
        (15, 0, 16, "15 at most: it cannot pass before a lead extends the sample. Raise sampl"),
        (15, 1, 30, None),
        (40, 0, 40, None),
    ],
)
def test_a_gate_that_so_few_items_never_satisfy_is_told(check, n, top_ups, least, told):
    answer = check(*TWO, n=n, rounds={"top_ups": top_ups}, least=least)

    assert answer.code == 0
    start = f"The gate decides from {least} items with two ratings (gate.min_items), and raters "
    assert [line.startswith(f"{start}will see {told}") for line in foreseen(answer)] == (
        [True] * (told is not None)
    )


@pytest.mark.parametrize(("frontend", "told"), [("web", 1), ("sheets", 1), ("simulated", 0)])
def test_outputs_that_can_be_compared_with_nothing_are_told(check, frontend, told):
    bare = POOL.replace("d7,ko,bill,p1.png,a,b", "d7,ko,bill,,,b")

    lines = foreseen(check("R01,rater,,,,,", "R02,rater,,,,,", rows=bare, frontend=frontend))

    assert [line.split(";")[0] for line in lines] == told * [
        "1 of 40 outputs have neither a reference nor a page image that is found, such as d7"
    ]


def test_outputs_without_a_reference_cannot_be_rated_in_files_without_images(check):
    bare = POOL.replace("d7,ko,bill,p1.png,a,b", "d7,ko,bill,p1.png,,b")

    [line] = foreseen(check(*TWO, rows=bare, frontend="file"))

    assert line.startswith("1 of 40 outputs have no reference, such as d7, and CSV files (rounds.")
    assert foreseen(check(*TWO, rows=bare)) == []
    assert foreseen(check(*TWO, frontend="file")) == []


def test_raters_who_read_no_language_in_common_are_told_of_outputs_without_one(check):
    unnamed = POOL.replace(",ko,", ",,")
    ko, en, both = "R01,rater,ko,,,,", "R02,rater,en;zh,,,,", "R03,rater,ko;zh,,,,"

    [line] = foreseen(check(ko, both, en, rows=unnamed))

    assert line.startswith("32 of 40 outputs have no language, and there is none that all raters")
    assert foreseen(check(both, en, rows=unnamed)) == []
    assert foreseen(check(*TWO, rows=unnamed)) == []


def test_a_stratified_draw_of_outputs_without_a_type_is_told(check):
    untyped = POOL.replace(",bill,", ",,").replace(",form,", ",,")

    [line] = foreseen(check(*TWO, rows=untyped))

    assert line.startswith("No output has a value in the column 'doc_type' (sampling.stratum), so")
    assert foreseen(check(*TWO, rows=untyped.replace("d1,ko,,", "d1,ko,bill,"))) == []


def test_raters_whose_language_the_page_has_not_are_told(check):
    answer = check("R01,rater,de;ko;zh,,,,", "R02,rater,ko;zh,,,,")

    assert answer.code == 0
    [line] = foreseen(answer)
    assert line.startswith("The rating page and emails exist in en, ko and zh, not in 'de': R01 ")
    assert "emails in 'ko'" in line


def test_a_pilot_of_more_items_than_are_left_in_the_pool_is_foreseen(check):
    answer = check(*TWO, n=20, rounds={"pilot": {"items": 24}})

    assert answer.code == 1
    [line] = foreseen(answer)
    assert line == (
        "the pilot asks for 24 items, but only 0 gold documents and 20 others are left outside "
        "the sample. Lower rounds.pilot.items or sampling.n, or name more gold."
    )
    assert foreseen(check(*TWO, n=20, rounds={"pilot": {"items": 20}})) == []


def test_pages_that_no_two_systems_read_are_foreseen(check):
    answer = check(*TWO, rounds={"page": {"systems": "side_by_side"}})

    assert answer.code == 1
    [line] = foreseen(answer)
    assert line.startswith("rounds.page.systems is side_by_side, but the pool has no page that two")


def test_a_pilot_finds_what_is_left_of_pages_that_are_drawn_whole(check):
    head = "doc_id,page_id,system,language,doc_type,image,hypothesis,reference\n"
    rows = head + "".join(
        f"d{number}{system},p{number},{system},ko,bill,p1.png,a,b\n"
        for number in range(20)
        for system in "AB"
    )
    beside = {"page": {"systems": "side_by_side"}}

    # 19 outputs are 10 pages, so that 20 outputs are left, not 21.
    [line] = foreseen(check(*TWO, rows=rows, n=19, rounds={"pilot": {"items": 21}, **beside}))

    assert "only 0 gold documents and 20 others are left" in line
