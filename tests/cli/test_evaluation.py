import io
import re
import sys
from pathlib import Path

import pytest
import yaml

from ocrjury.campaign.history import Step
from ocrjury.campaign.settings import Settings
from ocrjury.cli import evaluation
from ocrjury.gate import Action
from ocrjury.language import phrase
from ocrjury.store.database import writing
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.purges import NewPurge, add_purge
from ocrjury.store.reports import NewReport, add_report
from ocrjury.store.results import VerdictRow, add_verdicts
from tests.cli.conftest import opened_for
from tests.covers import cover

CAMPAIGN = Path(__file__).resolve().parents[2] / "examples" / "korean-claims" / "campaign.yaml"
EXAMPLE = CAMPAIGN.parent


def new_report(kind, address):
    """A report without a PDF."""
    return NewReport(
        kind=kind,
        language="en",
        html_uri=address,
        pdf_uri=None,
        sha256="s",
        inputs_hash="i",
        cover=cover(),
    )


def test_the_list_is_of_every_evaluation(run, held):
    out = run("evaluation", "list").out

    assert held in out
    assert "held (gate_failed)" in out
    assert "2026-11-20 18:00 Asia/Seoul" in out


def test_an_empty_list_says_so(run, store):
    assert run("evaluation", "list").out == "no evaluation yet\n"


def test_show_prints_rounds_raters_and_what_may_be_decided(run, collecting):
    out = run("evaluation", "show", collecting).out

    assert "state       collecting" in out
    assert "Rounds" in out
    assert "due 2026-11-27 18:00 Asia/Seoul" in out
    assert "assignments  until" in out
    assert "0 of 4" in out
    assert "Raters in round 1, in assignments" in out
    assert "R01" in out
    decisions = out.partition("Possible decisions")[2]
    assert [line.split()[0] for line in decisions.splitlines()[2:-1]] == ["extend", "drop", "abort"]


@pytest.mark.parametrize(
    ("grade", "head"),
    [
        (None, "^dimension +verdict +because$"),
        ("tentative", "^dimension +verdict +grade of Krippendorff's alpha +because$"),
    ],
)
def test_show_prints_verdict_reasons_and_reports(run, store, held, grade, head):
    row = {"decision": "FAIL", "grade": grade, "needed_items": None, "policy_hash": "x"}
    text = "Talk about {dimension}."
    actions = tuple(
        Action("discuss", phrase(text, dimension=name), name) for name in ("meaning", "layout")
    )
    address = store.files.put(b"<p>report", kind="report", suffix=".html")
    report = new_report("interim", address)
    with writing(store.engine) as connection:
        add_verdicts(
            connection,
            held,
            [
                VerdictRow(1, "*", reasons=["Alpha is 0.41."], actions=actions, **row),
                VerdictRow(1, "layout", reasons=["Alpha is 0.41.", "So."], actions=(), **row),
                VerdictRow(1, "meaning", reasons=["It is 0.39."], actions=(), **row),
            ],
        )
        add_report(connection, held, report, now=Settings.from_environment().now())

    out = run("evaluation", "show", held).out

    assert "Verdict on round 1" in out
    assert re.search(head, out, re.MULTILINE)
    assert out.count("Alpha is 0.41.") == 1
    assert out.count("- Talk about") == out.count("- Talk about meaning and layout.") == 1
    assert out.index("It is 0.39.") < out.index("Alpha is 0.41.")  # as the rubric has them
    assert f"interim en v1  {store.files.path(address)}" in out
    assert "go on against the gate" in out
    assert "let raters who disagree practise in a pilot" in out


def test_show_says_when_a_report_was_removed(run, store, held):
    now = Settings.from_environment().now()
    purge = NewPurge(held, 1, finished=True, body={"reports": [["final", "en", 1]]}, actor="flow")
    with writing(store.engine) as connection:
        for _ in range(2):
            add_report(connection, held, new_report("final", "gone"), now=now)
        add_purge(connection, purge, now=now)

    out = run("evaluation", "show", held).out

    assert "final en v1  removed 2026-11-20 18:00 Asia/Seoul with its texts" in out
    assert "final en v2  its file is gone" in out


def test_a_hold_before_the_gate_says_why(run, store, opened):
    step = Step("3", "held", "pool")
    mover = Mover(Settings.from_environment().now())
    with moving(
        store.engine, Position(opened, "opened", 1), step, mover=mover, reason="row 7: no doc_id"
    ):
        pass

    out = run("evaluation", "show", opened).out

    assert "state       held (pool)" in out
    assert "because     row 7: no doc_id" in out


def test_show_in_the_wrong_folder_says_where_it_looked(run, home):
    answer = run("evaluation", "show", "claims")

    assert answer.code == 2
    assert answer.err.startswith(f"There is no store in {home}, which OCRJURY_HOME names. `ocrj")


@pytest.mark.parametrize(
    "words",
    [
        ["evaluation", "open", CAMPAIGN],
        ["evaluation", "advance"],
        ["evaluation", "proceed", "{held}", "--reason", "about layout only"],
        ["evaluation", "recalibrate", "{held}", "--dimension", "layout", "--reason", "unclear"],
    ],
)
def test_without_a_server_there_is_one_sentence(run, held, words):
    answer = run(*(str(word).format(held=held) for word in words))

    settings = Settings.from_environment()
    api = f"http://127.0.0.1:{settings.prefect_port}/api"
    sentence = (
        f"No Prefect server of {settings.home} answers at {api}; start it with `ocrjury up`, or "
        "name the home of the one that runs in OCRJURY_HOME.\n"
    )
    assert answer == (2, "", sentence)


@pytest.fixture
def decide(run, held):
    return lambda decision, *words: run("evaluation", decision, held, *words)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["close", "--reason", "enough ratings"], "'close' does not fit an evaluation that is"),
        (["close", "--reason", "휴가"], "'close' does not fit an evaluation that is"),
        (
            ["proceed", "--reason", "  ok "],
            "needs 5 letters or more (2 in Korean, Chinese or Japanese); found 'ok'",
        ),
        (["proceed", "--reason", "o" * 2001], "may have at most 2,000 characters; found 2,001"),
        (["proceed", "--reason", "enough", "--actor", " "], "--actor must be a name of 1 to 64"),
        (["proceed", "--reason", "enough", "--actor", "a" * 65], "must be a name of 1 to 64"),
        (["extend", "--reason", "holiday"], "extend takes either --days"),
        (["extend", "--days", "1", "--items", "2", "--reason", "holiday"], "extend takes either"),
        (["extend", "--days", "91", "--reason", "holiday"], "from 1 to 90; found 91"),
        (["extend", "--items", "0", "--reason", "holiday"], "--items must be from 1 to 100,000"),
        (["extend", "--days", "3", "--reason", "holiday"], "possible: proceed, recalibrate, abort"),
        (
            ["recalibrate", "--rater", "R99", "--reason", "unclear"],
            "no rater of this evaluation is called R99; there are R01, R02",
        ),
        (
            ["recalibrate", "--dimension", "mood", "--reason", "unclear"],
            "The rubric has no dimension 'mood'; it has meaning, layout and readability.",
        ),
        (["proceed"], "the following arguments are required: --reason"),
    ],
)
def test_a_decision_that_does_not_fit_is_refused_before_any_run(decide, words, sentence):
    answer = decide(*words)

    assert answer.code == 2
    assert sentence in answer.err
    assert "Prefect" not in answer.err


def test_drop_needs_a_rater(run, collecting):
    answer = run("evaluation", "drop", collecting, "--reason", "left the team")

    assert answer.code == 2
    assert answer.err == (
        "'drop' on an evaluation that is collecting needs --rater, once for each rater who "
        "leaves.\n"
    )


def test_an_extension_of_a_late_round_needs_days(run, collecting):
    answer = run("evaluation", "extend", collecting, "--items", 5, "--reason", "holiday")

    assert answer.code == 2
    assert answer.err == (
        "'extend' on an evaluation that is collecting needs --days, the number of further days "
        "(--items is for an inconclusive gate).\n"
    )


def test_an_invalid_campaign_is_refused_before_any_run(run, tmp_path):
    file = tmp_path / "campaign.yaml"
    file.write_text("name: claims\n", encoding="utf-8")

    answer = run("evaluation", "open", file)

    assert answer.code == 2
    assert "pool" in answer.err


def test_what_is_no_evaluation_cannot_advance(run, opened):
    assert run("evaluation", "advance", "x").err.startswith("no evaluation is called 'x'")


def test_a_database_that_is_none_is_one_sentence(run, home):
    home.mkdir()
    (home / "ocrjury.db").write_bytes(b"this is no database" * 100)

    answer = run("status")

    assert answer.code == 2
    assert answer.err.startswith(f"The store at {home / 'ocrjury.db'} is damaged.")
    assert answer.err.count("\n") == 1


def test_a_password_never_stands_in_an_error(run, monkeypatch):
    url = "postgresql://jury:geheim@127.0.0.1:1/jury"
    monkeypatch.setenv("OCRJURY_DATABASE_URL", url)

    answer = run("status")

    assert answer.code == 2
    assert "postgresql://127.0.0.1/jury" in answer.err
    assert "geheim" not in answer.err


@pytest.fixture
def mailing(tmp_path):
    """Campaign on the page that emails raters, a lead and a reader."""
    body = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text("utf-8"))
    body["rubric"] = str(EXAMPLE / "rubric.yaml")
    body["pool"] = {"path": str(EXAMPLE / "fields.jsonl")}
    body["raters"]["file"] = "raters.csv"
    body["rounds"]["frontend"] = "web"
    mail = {"host": "smtp.example.org", "sender": "ocr@example.org"}
    body["report"] |= {"mail": mail, "recipients": ["boss@example.org"], "leads": ["l@example.org"]}
    (tmp_path / "campaign.yaml").write_text(yaml.safe_dump(body), encoding="utf-8")
    people = "pseudonym,email\nR01,r01@example.org\nR02,\n"
    (tmp_path / "raters.csv").write_text(people, encoding="utf-8")
    return tmp_path / "campaign.yaml"


@pytest.fixture
def server(monkeypatch):
    """A server that takes what is started; returns what was."""
    started = []
    monkeypatch.setattr(evaluation, "require_server", lambda: "http://127.0.0.1:4200/api")
    monkeypatch.setattr(evaluation, "start", lambda *what, **_: started.append(what) or 0)
    monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
    return started


def test_who_is_mailed_is_said_and_asked_before_anything_opens(run, home, mailing, server):
    answer = run("evaluation", "open", mailing)

    assert answer.code == 2
    assert server == []
    assert answer.err.splitlines() == [
        f"Store: {home}, which OCRJURY_HOME names",
        "Prefect server: http://127.0.0.1:4200/api",
        "Invitations and reminders go to R01 (by smtp.example.org:587)",
        "News for the lead goes to l@example.org (by smtp.example.org:587)",
        "The report goes to boss@example.org (by smtp.example.org:587)",
        "Nothing was opened: people would be emailed. Add --yes if that is right.",
    ]
    assert run("evaluation", "open", mailing, "--yes").code == 0
    assert len(server) == 1


@pytest.mark.parametrize(("said", "opened"), [("y\n", 1), ("n\n", 0), ("", 0)])
def test_a_person_is_asked(run, mailing, server, monkeypatch, said, opened):
    terminal = io.StringIO(said)
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", terminal)

    run("evaluation", "open", mailing)

    assert len(server) == opened


def test_a_campaign_of_another_file_with_this_name_is_told_before_anything_opens(
    run, store, mailing, server, monkeypatch, tmp_path
):
    monkeypatch.setattr("tests.cli.conftest.EXAMPLE", tmp_path)
    last = opened_for(store, "2026w47")
    other = tmp_path / "other.yaml"
    other.write_text(mailing.read_text("utf-8"), encoding="utf-8")
    told = f"{last}, the last one of a campaign with this name, is of another file: {mailing}."

    assert told in run("evaluation", "open", other).err
    assert told not in run("evaluation", "open", mailing).err
    body = yaml.safe_load(mailing.read_text("utf-8"))
    other.write_text(yaml.safe_dump({**body, "name": "motor"}), encoding="utf-8")
    assert told not in run("evaluation", "open", other).err


def test_status_names_the_store_and_what_chose_it(run, opened, home, monkeypatch):
    assert f"Store: {home}, which OCRJURY_HOME names" in run("status").err

    monkeypatch.delenv("OCRJURY_HOME")
    monkeypatch.chdir(home.parent)
    home.rename(home.parent / ".ocrjury")
    answer = run("status")

    line = f"{home.parent / '.ocrjury'}, the one in this folder, since OCRJURY_HOME is not set"
    assert line in answer.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--period", "a b/c"], "--period may have up to 60 letters, digits, dots, hyphens"),
        (["--period", ""], "found ''."),
        (["--seed", "-1"], "--seed must be from 0 to 9223372036854775807; found -1."),
    ],
)
def test_a_period_or_seed_that_there_cannot_be_is_refused_before_anything_runs(run, words, why):
    answer = run("evaluation", "open", EXAMPLE / "campaign.yaml", *words)

    assert answer.code == 2
    assert why in answer.err


def test_a_demo_with_a_seed_that_there_cannot_be_starts_nothing(run, home, monkeypatch):
    monkeypatch.setattr("ocrjury.deployments.demo.run_demo", lambda *_, **_o: pytest.fail("began"))

    answer = run("demo", "--seed", "-1")

    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "--seed must be from 0 to 9223372036854775807; found -1.\n"
    assert not home.exists()
