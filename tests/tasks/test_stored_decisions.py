"""A decision on the command line is stored before its run begins: a run that ends loses nothing."""

import errno
from threading import Thread

import pytest
import sqlalchemy as sa

from ocrjury.cli import decisions as commands
from ocrjury.cli import main
from ocrjury.errors import MissingDependencyError, StoreError
from ocrjury.evaluation import decisions as taking
from ocrjury.evaluation import requests
from ocrjury.flows import decide_evaluation as flow
from ocrjury.store.audit import list_audit
from ocrjury.store.decisions import list_decisions, list_requests
from ocrjury.store.evaluations import read_evaluation

FILE = {"rounds": {"frontend": "file", "top_ups": 0}}
WHY = {"reason": "wrong pool", "actor": "J. Kim"}


@pytest.fixture
def decide(small, capsys, monkeypatch):
    """Decide on the command line about an evaluation that waits; return what its run is given."""
    started = []
    small.write(sampling={"n": 20}, **FILE).open()
    monkeypatch.setattr(flow, "store_decision", flow.store_decision.fn)
    monkeypatch.setattr(commands, "require_server", lambda: "http://127.0.0.1:4200/api")
    monkeypatch.setattr(commands, "start", lambda *what, **_: started.append(what) or 0)

    def call(*words):
        main(["evaluation", words[0], small.evaluation, *words[1:], "--reason", WHY["reason"]])
        return [what for _, what in started]

    return call


@pytest.fixture
def shown(small, capsys):
    """A function that returns what a command prints about it."""

    def call(*words):
        capsys.readouterr()
        main(list(words))
        return " ".join("".join(capsys.readouterr()).split())

    return call


def outcomes(small):
    return [(row.decision, row.outcome) for row in small.stored(list_requests)]


def test_a_decision_whose_run_never_ends_well_is_taken_by_the_next_one(small, decide, shown):
    decide("abort", "--actor", "J. Kim")

    assert outcomes(small) == [("abort", None)]
    waits = f"'abort' of J. Kim to be taken: ocrjury evaluation advance {small.evaluation}"
    assert waits in shown("status")
    assert f"awaited {waits}" in shown("evaluation", "show", small.evaluation)
    assert [row.action for row in small.stored(lambda engine, _: list_audit(engine))] == [
        "decide abort"
    ]
    assert small.advance().name == "Aborted"
    assert outcomes(small) == [("abort", "taken")]


def test_its_run_takes_what_was_stored_once(small, decide):
    (parameters,) = decide("extend", "--days", "3")
    before = small.stored(read_evaluation).version

    ends = [flow.decide_evaluation.fn(**parameters).name for _ in range(2)]

    assert ends == ["WaitingForRatings"] * 2
    assert outcomes(small) == [("extend", "taken")]
    assert len(small.stored(list_decisions)) == 1
    assert small.stored(read_evaluation).version == before + 1


def test_a_second_decision_waits_for_the_first(small, decide, shown):
    decide("extend", "--days", "3", "--actor", "J. Kim")

    said = shown("evaluation", "abort", small.evaluation, "--reason", "wrong pool")

    assert said == (
        "'extend' of J. Kim still waits to be taken; nothing was stored. Let it be taken first: "
        f"ocrjury evaluation advance {small.evaluation}"
    )
    assert outcomes(small) == [("extend", None)]


def test_a_decision_on_what_has_moved_is_not_taken_and_both_say_so(small, decide, shown):
    (parameters,) = decide("extend", "--days", "3", "--actor", "J. Kim")
    small.decide_only("abort")

    end = flow.decide_evaluation.fn(**parameters)

    why = f"{small.evaluation} has moved since 'extend' was decided, so it was not taken."
    assert (end.name, end.message.startswith(why)) == ("Refused", True)
    assert outcomes(small) == [("extend", "overtaken")]
    told = shown("evaluation", "show", small.evaluation)
    assert f"Not taken: 'extend' of J. Kim: {why}" in told


def test_what_only_the_run_can_tell_is_refused_in_its_words(small, decide):
    (parameters,) = decide("drop", "--rater", "A01")

    end = flow.decide_evaluation.fn(**parameters)

    assert end.name == "Refused"
    assert end.message.startswith("There is no assignment in round 1 for A01; those who have one")
    assert outcomes(small) == [("drop", "refused")]


def test_the_form_of_prefect_stores_its_decision_first(small, decide):
    end = flow.decide_evaluation.fn(small.evaluation, "abort", **WHY)

    assert end.name == "Aborted"
    assert outcomes(small) == [("abort", "taken")]
    refused = flow.decide_evaluation.fn(small.evaluation, "abort", **WHY)
    assert (refused.name, "it takes no decision" in refused.message) == ("Refused", True)


def test_without_a_server_nothing_is_stored(small, shown, monkeypatch):
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    small.write(sampling={"n": 20}, **FILE).open()

    said = shown("evaluation", "abort", small.evaluation, "--reason", "wrong pool")

    assert "127.0.0.1:9/api" in said
    assert outcomes(small) == []


@pytest.fixture
def raise_in(small, monkeypatch):
    """A function that lets the taking of a decision raise an error after it has begun to write."""

    def call(error):
        def consequence(_case, _target):
            def write(_connection):
                raise error

            return taking.Consequence(write)

        monkeypatch.setitem(taking.CONSEQUENCES, "extend", consequence)

    return call


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (KeyError("김철수"), "An unexpected error (KeyError) stopped it, and nothing of it was"),
        (
            PermissionError(13, "Permission denied", "김철수.csv"),
            "An unexpected error (PermissionError: Permission denied) stopped it",
        ),
        (MissingDependencyError("openpyxl is missing."), "openpyxl is missing."),
    ],
)
def test_an_unexpected_error_ends_a_decision_and_later_ones_go_on(
    small, decide, shown, raise_in, error, why
):
    before = small.stored(read_evaluation).version
    (parameters,) = decide("extend", "--days", "3", "--actor", "J. Kim")
    raise_in(error)

    end = flow.decide_evaluation.fn(**parameters)

    assert (end.name, end.message[: len(why)]) == ("Refused", why)
    assert "김철수" not in end.message
    assert outcomes(small) == [("extend", "refused")]
    assert small.stored(read_evaluation).version == before
    told = shown("evaluation", "show", small.evaluation)
    assert f"Not taken: 'extend' of J. Kim: {why}" in told
    decide("abort")
    assert small.advance().name == "Aborted"
    assert outcomes(small) == [("extend", "refused"), ("abort", "taken")]


@pytest.mark.parametrize(
    "error",
    [
        StoreError("full", "The store is full."),
        sa.exc.OperationalError("SELECT", None, Exception("could not serialize access")),
        OSError(errno.ENOSPC, "No space left on device"),
    ],
)
def test_trouble_of_the_store_lets_a_decision_wait_for_the_next_run(
    small, decide, raise_in, monkeypatch, error
):
    decide("extend", "--days", "3", "--actor", "J. Kim")
    extend = taking.CONSEQUENCES["extend"]
    raise_in(error)
    with pytest.raises((StoreError, sa.exc.OperationalError)):
        small.advance_now()
    assert outcomes(small) == [("extend", None)]

    monkeypatch.setitem(taking.CONSEQUENCES, "extend", extend)
    small.advance_now()

    assert outcomes(small) == [("extend", "taken")]


def test_what_another_process_moved_meanwhile_is_no_error(small, decide, monkeypatch):
    (parameters,) = decide("extend", "--days", "3", "--actor", "J. Kim")

    def overtaken(*_arguments, **_options):
        other = Thread(target=small.decide_only, args=("abort",))
        other.start()
        other.join(60)
        raise LookupError

    monkeypatch.setattr(requests, "take_decision", overtaken)
    end = flow.decide_evaluation.fn(**parameters)

    assert end.message.startswith(f"{small.evaluation} has moved since 'extend' was decided")
    assert outcomes(small) == [("extend", "overtaken")]
