"""What one test takes from another is what it would have got by itself."""

import threading

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.evaluation.case import at_work
from tests.tasks.conftest import Small, opinion, quiet_logger
from tests.tasks.earlier_evaluations import Earlier, tables
from tests.tasks.kept_results import Kept

pytestmark = pytest.mark.on_sqlite
FILE = {"sampling": {"n": 12, "floor": 0}, "rounds": {"frontend": "file", "top_ups": 0}}


@pytest.fixture
def campaign(small, tmp_path, monkeypatch):
    """A function that gives the same campaign in a folder of its own."""

    def campaign(name):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.setenv("OCRJURY_HOME", str(folder / "home"))
        return Small(folder, monkeypatch, Earlier(folder, Kept(tmp_path / "kept"), monkeypatch))

    return campaign


def moved(small):
    """Bring an evaluation past the gate; return how, and what its store holds then."""
    ends = [small.write(**FILE, adaptive={"max_rounds": 0, "decisions": 0}).open()]
    small.rate(say=lambda one, _: opinion(one))
    ends += [small.advance(), small.decide("proceed")]
    held = repr(tables(small.earlier.database)).replace(str(small.path.parent), "")
    return [end.name for end in ends], held, small.report()[1]


def test_a_copy_holds_what_the_same_steps_bring(campaign):
    done = moved(campaign("first"))
    later = campaign("later")
    later.advance_now = None  # nothing can be done anew

    assert done[0] == ["WaitingForRatings", "Held", "Closed"]
    assert moved(later) == done


def test_whatever_an_act_may_read_decides_what_is_taken_for_it(small):
    small.write(**FILE).open()
    keys = [small.earlier.key_of(())]

    def note():
        keys.append(small.earlier.key_of(()))

    note()
    assert keys[0] == keys[1] is not None
    small.at(21)
    note()
    small.path.with_name("pool.jsonl").write_text("", "utf-8")
    note()
    small.rate(["R01"], count=1)
    note()
    small.monkeypatch.setattr(advance, "LONGEST_CHAIN", quiet_logger)
    note()
    assert len(set(keys)) == len(keys) - 1
    assert None not in keys


def test_nothing_is_taken_where_no_key_can_hold_what_an_act_may_read(small, monkeypatch):
    small.write(**FILE).open()
    keys, end = [], threading.Event()

    with at_work():  # its connections would see another file
        keys.append(small.earlier.key_of(()))
    with monkeypatch.context() as patch:
        patch.setattr(advance, "LONGEST_CHAIN", lambda: None)  # of the test's own
        keys.append(small.earlier.key_of(()))
    thread = threading.Thread(target=end.wait)
    thread.start()
    keys.append(small.earlier.key_of(()))
    end.set()
    thread.join(60)

    assert keys == [None] * 3
    assert small.earlier.key_of(()) is not None
