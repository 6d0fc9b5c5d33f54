from pathlib import Path

import pytest
import yaml

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"


def test_a_new_campaign_says_what_comes_next(run, tmp_path):
    folder = tmp_path / "My Claims"

    answer = run("campaign", "new", folder)

    assert answer.code == 0
    assert "Set pool.path in campaign.yaml to your OCR results" in answer.out
    assert f"ocrjury campaign check {folder / 'campaign.yaml'}" in answer.out
    assert "name: my-claims" in (folder / "campaign.yaml").read_text(encoding="utf-8")


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
    assert "1,525 documents, 72 pages" in answer.out
    assert "The campaign is valid; 1 of 11 recommendations are not met:" in answer.out
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
    """Return a function that writes a campaign with a pool and a gold file."""

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

    assert answer.code == 0
    assert f"gold      1 document, 2 ratings in {file.with_name('gold.csv')}" in answer.out


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

    assert answer.code == 0, answer.err
    assert "(3 documents, 3 pages, 1 without a reference, 2 files without a pair)" in answer.out


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
