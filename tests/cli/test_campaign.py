from pathlib import Path

import pytest

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
    assert "The campaign is valid; 1 of 11 practices depart:" in answer.out
    assert "Pilot: Let raters practise on 20 to 30 items" in answer.out


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


@pytest.mark.parametrize("words", [("campaign", "check"), ("evaluation", "open")])
@pytest.mark.parametrize(
    ("here", "there", "sentence"),
    [
        (
            "pilot: {items: 0}",
            "pilot: {items: 24}",
            "rounds.pilot.items: pilot rounds are not available in this version; set it to 0.",
        ),
        (
            "on_fail: hold",
            "on_fail: recalibrate",
            (
                "gate.on_fail: pilot rounds are not available in this version, and 'recalibrate' "
                "holds one; set it to hold, proceed or abort."
            ),
        ),
    ],
)
def test_check_and_open_refuse_a_pilot_in_the_same_words(
    run, tmp_path, words, here, there, sentence
):
    run("campaign", "new", tmp_path / "claims")
    file = tmp_path / "claims" / "campaign.yaml"
    file.write_text(file.read_text("utf-8").replace(here, there), encoding="utf-8")

    answer = run(*words, file)

    assert answer.code == 2
    assert answer.err.startswith(f"{file}, line ")
    assert answer.err.endswith(f"{sentence}\n")


def test_a_pool_that_cannot_be_read_is_refused(run, tmp_path):
    run("campaign", "new", tmp_path / "claims")

    answer = run("campaign", "check", tmp_path / "claims" / "campaign.yaml")

    assert answer.code == 2
    assert str(tmp_path / "claims") in answer.err
