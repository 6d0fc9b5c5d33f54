"""Trouble between any two reads of any step: the next run goes on as if nothing had been."""

import hashlib
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.flows import went_wrong
from ocrjury.store.evaluations import read_evaluation
from tests.tasks.faults import Fault, Gone, Overtaken, Raised

pytestmark = pytest.mark.on_sqlite
STEPS = 40
COURSES = []
"""The course of the first test, which the others go, too."""


class Course:
    """An evaluation step by step, each of which can be gone back to."""

    def __init__(self, small, kept):
        self.small, self.kept, self.home = small, kept, small.path.parent
        self.stations = []
        self.keep()

    def keep(self):
        """Keep everything as it is now."""
        shutil.copytree(self.home, self.kept / str(len(self.stations)))
        self.stations.append(self.contents())

    def step(self):
        """Take one step as a run does; return how it ended."""
        return advance._advance_or_fail(self.small.evaluation)

    def to_the_end(self):
        for _ in range(STEPS):
            end = self.step()
            self.keep()
            if end.name == "Closed":
                return self
        raise AssertionError(f"{STEPS} steps without an end: {self.small.rows()}")

    def back_to(self, number):
        """Put everything as it was."""
        for path in self.home.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(self.kept / str(number), self.home, dirs_exist_ok=True)

    def contents(self):
        """Every row of every table, and the digest of every file of the store.

        But the agreement so far, which is kept by whoever looks while people rate.
        """
        with closing(sqlite3.connect(self.home / "home" / "ocrjury.db")) as connection:
            names = connection.execute("select name from sqlite_master where type = 'table'")
            rows = {
                name: sorted(connection.execute(f"select * from {name}").fetchall(), key=repr)
                for (name,) in names.fetchall()
            }
        rows["results"] = [row for row in rows["results"] if "interim" not in row]
        files = sorted((self.home / "home").glob("files/*"))
        return rows | {"files": [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]}

    def is_at(self, number):
        """Whether everything is as it was after a number of steps, or at the end."""
        return self.contents() == self.stations[min(number, len(self.stations) - 1)]


@pytest.fixture
def course(small, tmp_path_factory, monkeypatch):
    monkeypatch.setattr(advance, "LONGEST_CHAIN", 1)
    if not COURSES:
        rounds = {"frontend": "simulated", "pilot": {"items": 10, "criterion": {"limit": 0.0}}}
        small.write(sampling={"n": 30, "floor": 0}, rounds=rounds).open_only()
        COURSES.append(Course(small, tmp_path_factory.mktemp("stations")).to_the_end())
    monkeypatch.setenv("OCRJURY_HOME", str(COURSES[0].home / "home"))
    return COURSES[0]


@pytest.fixture
def fault(course):
    with Fault(course.home).listening() as listening:
        yield listening


def points(course, fault, happens, *, every):
    """Go through the points of steps; yield the step's number, and how it ended with the fault."""
    for number in range(0, len(course.stations) - 1, 1 if every else 4):
        point = 1 if every else 2 + 3 * number
        while True:
            course.back_to(number)
            with fault.at_point(point, happens):
                end = course.step()
            if fault.what is None:
                break
            yield number, end
            point += 1 if every else 80


def heals(course, number):
    """Whether the next run brings the evaluation to where the undisturbed step brought it."""
    return course.is_at(number + 1) or (course.step() and course.is_at(number + 1))


def is_held(course, path):
    """Whether an evaluation is held because of a file that a lead is told to look after."""
    row = course.small.stored(read_evaluation)
    return row.state == "held" and Path(path).name in row.held_detail


@pytest.fixture
def every(pytestconfig):
    """Whether every point of every step is tried, or some of them."""
    return pytestconfig.getoption("--all-points")


def test_an_error_of_any_kind_at_any_point_ends_one_run(course, fault, every):
    for number, end in points(course, fault, Raised(), every=every):
        where = (number, fault.at, fault.what, end)
        assert end.is_failed(), where
        assert is_held(course, fault.what) or heals(course, number), where


@pytest.mark.parametrize("times", [1, 4])
def test_another_process_may_advance_at_any_point(course, fault, every, times):
    for number, end in points(course, fault, Overtaken(course.step, times), every=every):
        where = (number, fault.at, fault.what, end)
        assert not went_wrong(end) or end.message.endswith("steps without rest"), where
        assert course.is_at(number + times) or course.is_at(number + times + 1), where


def test_a_file_may_vanish_at_any_point_until_somebody_brings_it_back(course, fault, every):
    gone = Gone()
    for number, end in points(course, fault, gone, every=every or "of the few"):
        where = (number, fault.at, fault.what, end)
        gone.back()
        assert is_held(course, str(gone.path)) or heals(course, number), where
