import socket
import subprocess

import httpx
import pytest

from ocrjury.frontends.labelstudio.hints import Hints
from ocrjury.frontends.labelstudio.privacy import PRIVACY
from ocrjury.frontends.labelstudio.server import Server
from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.rounds import close_round
from tests.frontends.labelstudio.stand_in import FIRST, SECOND, TOKEN, StandIn, serving
from tests.frontends.labelstudio.worked_round import NAME, NOW, open_worked_round, write_campaign

GOOD = {"rating_meaning": "4", "rating_layout": "3"}


@pytest.fixture
def label_studio():
    return StandIn()


@pytest.fixture(autouse=True)
def round_(store, tmp_path, label_studio, monkeypatch):
    """A round whose raters work in Label Studio, and the token in the environment."""
    monkeypatch.setenv("OCRJURY_LABEL_STUDIO_TOKEN", TOKEN)
    with serving(label_studio) as address:
        yield open_worked_round(store, write_campaign(tmp_path / "claims", address))


@pytest.fixture
def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_publishing_says_where_each_rater_works(run, label_studio):
    answer = run("labelstudio", "publish", NAME)

    assert answer.code == 0
    head, first, second = answer.out.splitlines()
    assert head.split() == ["rater", "open", "sent", "now", "removed", "address"]
    assert first.split()[:4] == ["R01", "5", "5", "0"]
    assert second.split()[:4] == ["R02", "3", "3", "0"]
    assert f"/projects/{min(label_studio.projects)}/" in first
    assert "lacks blind, diff, server_validation, timing" in answer.err


def test_publishing_again_sends_nothing(run):
    run("labelstudio", "publish", NAME)

    answer = run("labelstudio", "publish", NAME)

    assert [line.split()[1:4] for line in answer.out.splitlines()[1:]] == [
        ["5", "0", "0"],
        ["3", "0", "0"],
    ]


def test_a_poll_counts_what_came_in_and_names_what_is_refused(run, label_studio):
    run("labelstudio", "publish", NAME)
    label_studio.annotate(label_studio.tasks_of("R01")[0], FIRST, GOOD)
    label_studio.annotate(label_studio.tasks_of("R02")[0], SECOND, {**GOOD, "rating_layout": "9"})

    first, second = run("labelstudio", "poll", NAME), run("labelstudio", "poll", NAME)

    assert first.out == "1 new submission stored, 0 known before, 1 refused.\n"
    assert "9 on 'layout' is outside the scale" in first.err
    assert "stays open" in first.err
    assert second.out == "0 new submissions stored, 1 known before, 1 refused.\n"


def test_the_last_rating_says_how_to_go_on_and_ends_the_polling(run, label_studio):
    run("labelstudio", "publish", NAME)
    for rater, user in (("R01", FIRST), ("R02", SECOND)):
        for task in label_studio.tasks_of(rater):
            label_studio.annotate(task, user, GOOD)

    answer = run("labelstudio", "poll", NAME, "--every", "1")

    assert answer.out.splitlines() == [
        "8 new submissions stored, 0 known before, 0 refused.",
        f"The round is complete. Go on with: ocrjury evaluation advance {NAME}",
    ]


def test_polling_again_and_again_waits_between(run, label_studio, monkeypatch):
    run("labelstudio", "publish", NAME)
    pauses = []

    def finish(seconds):
        pauses.append(seconds)
        for rater, user in (("R01", FIRST), ("R02", SECOND)):
            for task in label_studio.tasks_of(rater):
                label_studio.annotate(task, user, GOOD)

    monkeypatch.setattr("time.sleep", finish)

    answer = run("labelstudio", "poll", NAME, "--every", "60")

    assert (answer.code, pauses) == (0, [60.0])


def test_polling_outlives_an_outage_of_the_server(run, label_studio, monkeypatch):
    run("labelstudio", "publish", NAME)
    waits = []

    def wait(seconds):
        if seconds != 60:  # between the attempts of one request
            return
        waits.append(seconds)
        if len(waits) == 1:
            label_studio.busy = [(503, ())] * 5
            return
        for rater, user in (("R01", FIRST), ("R02", SECOND)):
            for task in label_studio.tasks_of(rater):
                label_studio.annotate(task, user, GOOD)

    monkeypatch.setattr("time.sleep", wait)

    answer = run("labelstudio", "poll", NAME, "--every", "60")

    assert (answer.code, len(waits), label_studio.busy) == (0, 2, [])
    assert "in 5 attempts (503)" in answer.err
    assert answer.err.count("Polling goes on.") == 1
    assert "8 new submissions stored" in answer.out


def test_a_server_that_never_answered_is_not_polled_again(run, label_studio, monkeypatch):
    run("labelstudio", "publish", NAME)
    label_studio.busy = [(503, ())] * 5
    monkeypatch.setattr("time.sleep", lambda _: None)

    answer = run("labelstudio", "poll", NAME, "--every", "60")

    assert answer.code == 2
    assert "Polling goes on" not in answer.err


def test_a_hint_shortens_the_wait_and_the_webhooks_are_taken_back(
    run, label_studio, free_port, monkeypatch
):
    run("labelstudio", "publish", NAME)
    address = f"http://127.0.0.1:{free_port}"
    monkeypatch.setattr("ocrjury.cli.labelstudio.LEAST_PAUSE", 0.0)
    waits = []
    wait = Hints.wait

    def hinted(self, seconds):
        given = list(label_studio.webhooks.values())
        assert all(httpx.post(one["url"], headers=one["headers"]).is_success for one in given)
        waits.append((seconds, [one["project"] for one in given], wait(self, seconds)))
        for rater, user in (("R01", FIRST), ("R02", SECOND)):
            for task in label_studio.tasks_of(rater):
                label_studio.annotate(task, user, GOOD)

    monkeypatch.setattr(Hints, "wait", hinted)

    answer = run("labelstudio", "poll", NAME, "--every", "600", "--hints", address)

    assert answer.code == 0
    assert waits == [(600.0, sorted(label_studio.projects), True)]
    assert label_studio.webhooks == {}


def test_a_server_that_sends_no_hints_here_is_polled_all_the_same(
    run, label_studio, free_port, monkeypatch
):
    run("labelstudio", "publish", NAME)
    label_studio.sends_webhooks = False
    for rater, user in (("R01", FIRST), ("R02", SECOND)):
        for task in label_studio.tasks_of(rater):
            label_studio.annotate(task, user, GOOD)

    answer = run(
        "labelstudio", "poll", NAME, "--every", "9", "--hints", f"http://127.0.0.1:{free_port}"
    )

    assert answer.code == 0
    assert "There will be no hints" in answer.err
    assert "8 new submissions" in answer.out


def test_hints_without_every_are_refused(run):
    answer = run("labelstudio", "poll", NAME, "--hints", "http://127.0.0.1:8090")

    assert (answer.code, answer.err) == (
        2,
        "--hints belongs to --every; add it, or leave --hints out.\n",
    )


def test_closing_an_open_round_polls_first(run, label_studio):
    run("labelstudio", "publish", NAME)
    label_studio.annotate(label_studio.tasks_of("R01")[0], FIRST, GOOD)

    answer = run("labelstudio", "close", NAME)

    assert answer.out.splitlines()[0] == "1 new submission stored, 0 known before, 0 refused."
    assert [line.split() for line in answer.out.splitlines()[2:]] == [["R01", "4"], ["R02", "3"]]
    assert len(label_studio.tasks) == 1


def test_a_round_that_is_over_is_closed_without_a_poll(run, label_studio, store):
    run("labelstudio", "publish", NAME)
    label_studio.annotate(label_studio.tasks_of("R01")[0], FIRST, GOOD)
    with writing(store.engine) as connection:
        close_round(connection, NAME, by="overdue", now=NOW)

    answer = run("labelstudio", "close", NAME, "--round", "1")

    assert answer.code == 0
    assert "submission" not in answer.out
    assert len(label_studio.tasks) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("publish",), "has no open round (it is collecting)"),
        (("poll",), "has no open round"),
        (("close", "--round", "7"), "has no round 7"),
    ],
)
def test_a_round_that_is_not_there_is_said(run, store, words, said):
    with writing(store.engine) as connection:
        close_round(connection, NAME, by="overdue", now=NOW)

    answer = run("labelstudio", words[0], NAME, *words[1:])

    assert answer.code == 2
    assert said in answer.err


@pytest.mark.parametrize("seconds", ["0", "0.5", "nan", "inf", "1e12"])
def test_polling_without_a_pause_is_refused(run, seconds):
    answer = run("labelstudio", "poll", NAME, "--every", seconds)

    assert (answer.code, answer.out) == (2, "")
    assert "must be from 1 to 604,800 seconds" in answer.err


def test_without_a_token_nothing_is_sent(run, label_studio, monkeypatch):
    monkeypatch.delenv("OCRJURY_LABEL_STUDIO_TOKEN")

    answer = run("labelstudio", "publish", NAME)

    assert answer.code == 2
    assert "OCRJURY_LABEL_STUDIO_TOKEN is not set" in answer.err
    assert label_studio.requests == []


def test_a_wrong_token_is_said_and_not_shown(run, monkeypatch):
    monkeypatch.setenv("OCRJURY_LABEL_STUDIO_TOKEN", "wrong-secret")

    answer = run("labelstudio", "poll", NAME)

    assert answer.code == 2
    assert "refuses the token (401)" in answer.err
    assert "wrong-secret" not in answer.err


def test_raters_who_work_elsewhere_are_left_alone(run, collecting, label_studio):
    answer = run("labelstudio", "publish", collecting)

    assert answer.code == 2
    assert "work elsewhere (file)" in answer.err


def test_what_was_sent_and_rated_is_in_the_audit_log(run, label_studio, store, monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "minsu")
    run("labelstudio", "publish", NAME)
    label_studio.annotate(label_studio.tasks_of("R01")[0], FIRST, GOOD)
    run("labelstudio", "poll", NAME)

    found = [(one.actor, one.action, one.object, one.reason) for one in list_audit(store.engine)]

    assert found == [
        ("R01", "rate", f"{NAME}/1/R01/0/doc-3", None),
        ("minsu", "export", f"{NAME}/1/R02", "3 tasks sent"),
        ("minsu", "export", f"{NAME}/1/R01", "5 tasks sent"),
    ]


def test_no_task_is_sent_without_a_line_of_the_audit_log(run, label_studio, store, monkeypatch):
    as_sent = Server.request

    def killed(server, method, path, **options):
        if path.endswith("/import"):
            raise KeyboardInterrupt
        return as_sent(server, method, path, **options)

    monkeypatch.setattr(Server, "request", killed)

    run("labelstudio", "publish", NAME)

    [line] = list_audit(store.engine)
    assert (line.object, line.reason) == (f"{NAME}/1/R01", "5 tasks sent")


def test_the_environment_is_what_a_shell_takes(run, tmp_path):
    answer = run("labelstudio", "environment")

    (tmp_path / "silent.env").write_text(answer.out)
    done = subprocess.run(
        ["sh", "-c", ". ./silent.env; env"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    shown = done.stdout.splitlines()
    assert {f"{name}={value}" for name, (value, _) in PRIVACY.items()} <= set(shown)
