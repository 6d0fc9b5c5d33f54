import csv
import hashlib
import html
import io
import json
import logging
import random
import re
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
import yaml
from prefect import Task

import ocrjury.flows.advance_evaluation as advance
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.cli import main
from ocrjury.errors import MissingDependencyError
from ocrjury.estimation import RatedSample
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.decisions import take_decision
from ocrjury.evaluation.exported_ratings import exported_ratings
from ocrjury.frontends.sheets import Sender, import_ratings
from ocrjury.frontends.sheets.signatures import signing_key
from ocrjury.ratings.csv_tables import write_table
from ocrjury.ratings.sheets import row_code
from ocrjury.report import build_report, render_html, stored_files
from ocrjury.store.moves import list_moves
from ocrjury.store.rounds import list_assignments
from ocrjury.tasks import opening as opening_task
from ocrjury.tasks import report as report_task
from ocrjury.tasks import scoring as scoring_task
from tests.tasks import earlier_pools, earlier_results
from tests.tasks.earlier_evaluations import Earlier
from tests.tasks.kept_results import of_the_run

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"


QUICK = {
    "rounds": {"frontend": "simulated", "top_ups": 0},
    "adaptive": {"max_rounds": 0, "budget": 0, "decisions": 0},
    "gate": {"on_fail": "proceed", "min_items": 20},
}
"""Sections of a campaign whose only round is the main one, on which the gate may decide."""
OWN_DATABASES = {"database_url", "bare_url", "postgres_url"}
"""Fixtures of tests that name the database of their evaluation themselves."""
QUIET = {key: QUICK[key] for key in ("adaptive", "gate")}


def example(name):
    """What a file of the example holds."""
    return yaml.load((EXAMPLE / name).read_text("utf-8"), yaml.CSafeLoader)


def as_yaml(campaign):
    """Text of a campaign's file."""
    return yaml.dump(campaign, Dumper=yaml.CSafeDumper, allow_unicode=True)


class Chain:
    """An evaluation of a small campaign, moved by the flows' own functions without Prefect."""

    def __init__(self, folder, monkeypatch, earlier):
        self.path = folder / "campaign.yaml"
        self.monkeypatch, self.earlier = monkeypatch, earlier
        self.evaluation = None

    def write(self, **sections):
        """Write the example campaign, small, with changed keys of its sections."""
        campaign = example("campaign.yaml")
        campaign["pool"] = {"path": str(EXAMPLE / "fields.jsonl")}
        campaign["rubric"] = example("rubric.yaml")
        campaign["raters"]["file"] = str(EXAMPLE / "raters.csv")
        campaign["sampling"]["n"] = 90
        campaign["adaptive"] |= {"max_rounds": 1, "budget": 12}
        campaign["report"]["worst_items"] = 1
        campaign["simulation"] = {"default": {"noise": 0.3}}
        for section, changes in sections.items():
            campaign[section] = {**campaign.get(section, {}), **changes}
        self.path.write_text(as_yaml(campaign), "utf-8")
        return self

    def at(self, day, hour=9):
        """Stop the clock."""
        moment = datetime(2026, 11, day, hour, tzinfo=UTC)
        self.monkeypatch.setenv("OCRJURY_CLOCK", moment.isoformat())
        return self

    def open(self, period="p"):
        """Open an evaluation and go on."""

        def act():
            opened = self.open_only(period)
            with at_work() as work:
                signing_key(work.store)  # at random: else the next steps of no two tests are alike
            return opened.evaluation, self.advance_now()

        self.evaluation, end = self.earlier.run(act, period)
        return end

    def open_only(self, period="p"):
        opened = opening_task.open_campaign.fn(
            str(self.path), period=period, seed=None, scheduled=datetime(2026, 11, 20, tzinfo=UTC)
        )
        self.evaluation = opened.evaluation
        return opened

    def advance(self):
        """Go on; where an earlier test did so from the same state, copy what it got."""
        return self.earlier.run(self.advance_now, self.evaluation)

    def advance_now(self):
        return advance.advance_until_waiting(self.evaluation)

    def decide(self, decision, **target):
        """Decide, and go on."""

        def act():
            self.decide_only(decision, **target)
            return self.advance_now()

        return self.earlier.run(act, self.evaluation, decision, sorted(target.items()))

    def decide_only(self, decision, **target):
        with at_work() as work, work.snapshot():
            take_decision(
                work,
                self.evaluation,
                decision,
                reason="as the chair said",
                actor="J. Kim",
                target=DecisionTarget(**target),
            )

    def rows(self):
        """The rows of the table that were taken."""
        return [move.row for move in self.stored(list_moves)]

    def stored(self, read, *arguments, **options):
        """What a function of the store reads about this evaluation."""
        with at_work() as work:
            return read(work.engine, self.evaluation, *arguments, **options)

    def exported(self):
        """What the exported file of ratings holds, as a notebook reads it."""
        file = io.StringIO()
        with at_work() as work:
            exported = exported_ratings(work.case(self.evaluation))
        write_table(file, exported.columns, exported.rows)
        return pd.read_csv(io.StringIO(file.getvalue()))

    def exported_mean(self, **options):
        """The pool's mean on meaning, from the exported file alone."""
        return RatedSample.from_export(self.exported(), "meaning").mean(**options)


class Small(Chain):
    """A campaign with a pool, a rubric and raters of its own, which a test may change."""

    def __init__(self, folder, monkeypatch, earlier):
        super().__init__(folder, monkeypatch, earlier)
        self.scale = {"kind": "likert", "low": 1, "high": 5}
        self.dimensions = ["meaning"]
        self.pool = documents(60)
        self.people = ["R01,rater", "R02,rater", "R03,rater", "R04,rater", "A01,adjudicator"]
        self.people += ["E01,expert"]
        self.columns = "pseudonym,role"

    def write(self, **sections):
        """Write what it consists of, with changed keys of the campaign's sections."""
        campaign = {
            "name": "small",
            "pool": {"path": "pool.jsonl"},
            "rubric": {"purpose": "x", "scale": self.scale, "dimensions": self.rubric()},
            "raters": {"file": "raters.csv"},
            "sampling": {"n": 40},
            "rounds": {"frontend": "simulated"},
            "adaptive": {"max_rounds": 1, "budget": 10},
            "report": {"worst_items": 3},
            "simulation": {"default": {"noise": 0.2}},
        }
        for section, changes in sections.items():
            plain = not isinstance(changes, dict)
            campaign[section] = changes if plain else {**campaign.get(section, {}), **changes}
        lines = "\n".join(map(json.dumps, self.pool))
        self.path.with_name("pool.jsonl").write_text(lines, "utf-8")
        people = "\n".join([self.columns, *self.people])
        self.path.with_name("raters.csv").write_text(people, "utf-8")
        self.path.write_text(as_yaml(campaign), "utf-8")
        return self

    def rubric(self):
        return [
            {"name": dimension, "title": dimension, "description": dimension}
            for dimension in self.dimensions
        ]

    def rate(self, raters=None, *, say=lambda one, _: 4, count=None):
        """Hand in a file with what some raters say about what is open."""
        found = self.stored(list_assignments)
        rows = [a for a in found if a.state == "open" and (raters is None or a.rater in raters)]
        rows = rows[:count]
        path = self.path.with_name(f"{len(list(self.path.parent.glob('*.csv')))}.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["evaluation", "item", "rater", *self.dimensions])
            for row in rows:
                values = [say(row, dimension) for dimension in self.dimensions]
                item = row_code(row.assignment) if row.repeat else row.item
                writer.writerow([self.evaluation, item, row.rater, *values])
        return self.hand_in(path)

    def rated_by_people(self, period, *, severity=0, say=None, **sections):
        """Bring an evaluation to its end with a file of what people of some severity say."""
        rounds = {**sections.pop("rounds", {}), "frontend": "file", "top_ups": 0}
        end = self.write(**{**sections, "rounds": rounds}).open(period)
        while end.name != "Closed":
            if end.name == "Held":
                end = self.decide("proceed")
                continue
            done = self.rate(say=say or (lambda one, _: opinion(one, severity)))
            assert done.ratings, end.message
            end = self.advance()

    def reread(self):
        """Read the pool anew: other wrong letters in the same places, so with the same scores."""
        turned = str.maketrans("xyz", "yzx")
        self.pool = [
            {**row, "hypothesis": row["hypothesis"].translate(turned)} for row in self.pool
        ]
        return self

    def hand_in(self, path):
        with at_work() as work:
            case = work.case(self.evaluation)
            scale = case.campaign.rubric.scales
            lead = Sender(vouched=True)
            return import_ratings(
                work.store, case.row, path, scale=scale, now=work.now, sender=lead
            )

    def report_page(self, language=None):
        """The report as HTML."""
        with at_work() as work:
            return render_html(build_report(work.store, self.evaluation, language=language))

    def report(self):
        """The data of the report and its text."""
        with at_work() as work:
            data = build_report(work.store, self.evaluation)
        page = re.sub(r"<(style|script|svg).*?</\1>", "", render_html(data), flags=re.DOTALL)
        return data, re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))


def opinion(one, severity=0):
    """A level that depends on the document, and now and then on the rater."""
    level = 2 + zlib.crc32(one.item.encode()) % 3
    doubt = zlib.crc32(f"{one.item}/{one.rater}".encode()) % 5 == 0
    return level + doubt - severity


def documents(count, **columns):
    """A pool in which some documents are read well and some badly."""
    rng = random.Random(7)
    found = []
    for number in range(count):
        words = (rng.choice(["amber", "birch", "cedar", "delta", "ember"]) for _ in range(5))
        text = " ".join(f"{word}{rng.randint(10, 99)}" for word in words)
        bad = rng.random() ** 2 * 0.5
        read = "".join(c if rng.random() > bad else rng.choice("xyz") for c in text)
        found.append(
            {
                "doc_id": f"d{number:03d}",
                "doc_type": ("bill", "note")[number % 2],
                "reference": text,
                "hypothesis": read,
                "confidence": round(1 - 1.8 * bad, 3),
                **columns,
            }
        )
    return found


def sketch_page(data):
    """What stands for the page of a stored report: whose it is, and what its cover tells."""
    return f"{data.identity}\n{data.verdict}\n{data.headline}"


def write_sketch(html, path):
    """Write what stands for a PDF."""
    path.write_bytes(b"%PDF" + hashlib.sha256(html.encode()).digest())


def no_pdf(_html, _path):
    """Refuse to print."""
    raise MissingDependencyError("no PDF here")


def quiet_logger():
    """Logger of a run outside Prefect."""
    return logging.getLogger("chain")


def ended(small, **sections):
    """Run an evaluation to its end, past a gate that stops it."""
    end = small.write(**sections).open()
    if end.name == "Held":
        assert small.rows()[-1] in {"19", "20"}, end.message
        end = small.decide("proceed")
    assert end.name == "Closed", end.message


def closed(small, **sections):
    """Run an evaluation to its end, past a gate that stops it; return its report."""
    ended(small, **sections)
    data, text = small.report()
    assert not re.search(r"\bnan\b|\bNaN\b|\bNone\b(?! of|[.:])|\binf\b", text)
    return data, text


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request):
    """Name of the database of an evaluation, for tests that run on both."""
    return request.param


def is_on_postgresql(request):
    """Whether the evaluation of a test is on PostgreSQL; with the option, but a few, all are."""
    asked = set(request.fixturenames)
    if "database" in asked:
        return request.getfixturevalue("database") == "postgresql"
    stays = request.node.get_closest_marker("on_sqlite") or asked & OWN_DATABASES
    return request.config.getoption("--postgresql") and not stays


@pytest.fixture
def small(chain, tmp_path, monkeypatch):
    """A small campaign; its report is not printed, because that takes most of the time."""
    monkeypatch.setattr(report_task, "write_pdf", no_pdf)
    return Small(tmp_path, monkeypatch, chain.earlier).at(20)


@pytest.fixture
def chain(tmp_path, monkeypatch, tmp_path_factory, request):
    """The bundled example, moved by plain functions; sketches stand for the files of reports."""
    monkeypatch.setattr(stored_files, "render_html", sketch_page)
    monkeypatch.setattr(report_task, "write_pdf", write_sketch)
    for name, value in list(vars(advance).items()):
        if isinstance(value, Task):
            monkeypatch.setattr(advance, name, value.fn)
    plain = {key: getattr(step, "fn", step) for key, step in advance.STEPS.items()}
    monkeypatch.setattr(advance, "STEPS", plain)
    monkeypatch.setattr(advance, "get_run_logger", quiet_logger)
    monkeypatch.setattr(scoring_task, "snapshot_of", earlier_pools.snapshot_of)
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "home"))
    if is_on_postgresql(request):
        monkeypatch.setenv("OCRJURY_DATABASE_URL", request.getfixturevalue("postgres_url"))
    earlier_pools.earlier = Earlier(tmp_path, of_the_run(tmp_path_factory), monkeypatch)
    earlier_results.hand_out(earlier_pools.earlier, monkeypatch)
    return Chain(tmp_path, monkeypatch, earlier_pools.earlier).at(20)


@pytest.fixture
def stored_pages(chain, monkeypatch):
    """Stored reports are what a reader gets, and no sketches."""
    monkeypatch.setattr(stored_files, "render_html", render_html)


@pytest.fixture
def run(capsys):
    """A function that runs one command; it returns its code and what it printed."""

    def call(*words):
        capsys.readouterr()
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call
