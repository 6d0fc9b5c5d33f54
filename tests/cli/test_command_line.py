import os
import subprocess
import sys
from pathlib import Path

import pytest

import ocrjury
from ocrjury.cli import main
from ocrjury.errors import OcrjuryError

COHEN = str(Path(__file__).parent / "data" / "cohen.csv")
HEAVY = (
    *("pandas", "numpy", "scipy", "rich", "pydantic", "sqlalchemy", "alembic", "httpx"),
    *("prefect", "weasyprint", "yaml"),
)


def stub(monkeypatch, raised):
    def fail(_options):
        raise raised

    monkeypatch.setattr("ocrjury.cli.status.run_status", fail)


def test_the_version_is_printed(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out == f"ocrjury {ocrjury.__version__}\n"


def test_without_a_command_help_is_printed_as_an_error(run):
    answer = run()

    assert answer.code == 2
    assert "examples:" in answer.err


def test_a_bare_group_prints_the_help_of_the_group(run):
    answer = run("evaluation")

    assert answer.code == 2
    assert "recalibrate" in answer.err


def test_a_misspelt_command_gets_one_sentence_with_the_nearest(run):
    answer = run("evaluation", "aprove")

    assert answer.code == 2
    assert answer.err.startswith("ocrjury evaluation: 'aprove' is none of open, advance, list")
    assert answer.err.count("\n") == 1

    assert "did you mean 'close'?" in run("evaluation", "clsoe", "x", "--reason", "enough").err


def test_a_missing_argument_gets_one_sentence(run):
    answer = run("ratings", "import", "claims")

    assert answer.code == 2
    assert answer.err == (
        "ocrjury ratings import: the following arguments are required: file. "
        "`ocrjury ratings import --help` has examples.\n"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "evaluation extend claims --day 3 --reason holiday",
            "ocrjury evaluation extend: unrecognized arguments: --day 3; did you mean --days?",
        ),
        (
            "status claims often",
            "ocrjury status: unrecognized arguments: claims often.",
        ),
        (
            "--hepl",
            "ocrjury: unrecognized arguments: --hepl; did you mean --help?",
        ),
    ],
)
def test_what_a_command_does_not_know_leads_to_its_own_help(run, words, sentence):
    answer = run(*words.split())

    command = sentence.partition(":")[0]
    assert answer == (2, "", f"{sentence} `{command} --help` has examples.\n")


def test_an_error_of_ours_is_one_sentence_and_2(run, monkeypatch):
    stub(monkeypatch, OcrjuryError("No such luck."))

    assert run("status") == (2, "", "No such luck.\n")


def test_an_error_of_the_system_names_the_file(run, tmp_path):
    answer = run("agreement", tmp_path, "--scale", "binary")

    assert answer == (2, "", f"{tmp_path} cannot be read: Is a directory.\n")


def test_a_name_that_is_no_text_is_one_sentence(run, opened):
    answer = run("evaluation", "show", "caf\udce9")

    assert answer == (2, "", "'caf\\udce9' holds bytes that are no letters in UTF-8.\n")


def test_ctrl_c_prints_one_line(run, monkeypatch):
    stub(monkeypatch, KeyboardInterrupt())

    assert run("status") == (130, "", "Stopped by Ctrl-C.\n")


@pytest.mark.parametrize("words", [["--help"], ["agreement", COHEN, "--scale", "binary"]])
def test_a_reader_that_leaves_hears_no_complaint(words):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "ocrjury.cli", *words]

    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False, timeout=60)

    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom ocrjury.cli import main\n"
        "try:\n    main(['evaluation', 'extend', '--help'])\n"
        f"except SystemExit:\n    print(*[m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )

    assert done.stderr.strip() == ""


def test_letters_that_a_terminal_lacks_are_printed_as_codes(tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text("item,심사1,심사2\na,1,0\nb,1,1\n", encoding="utf-8")
    command = [sys.executable, "-m", "ocrjury.cli", "agreement", str(file), "--scale", "binary"]
    command.append("--exit-zero")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}

    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)

    assert done.returncode == 0
    assert b"\\u2014" in done.stdout  # a dash
