"""Certificates of training: who gets one, what stands on it, and who reads it."""

import re
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from ocrjury.campaign.accuracy import Rated
from ocrjury.campaign.rating_sections import Criterion
from ocrjury.campaign.registry import RaterEntry
from ocrjury.cli import main
from ocrjury.errors import InputError
from ocrjury.evaluation.certificates import certificate, passed_raters, read_training
from ocrjury.evaluation.pilot_verdicts import judge_raters
from ocrjury.findings.pilots import PilotCriterion, PilotFinding
from ocrjury.frontends.web import Site, create_application
from ocrjury.language import speaking
from ocrjury.scales import Scale
from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.links import add_desk_link
from ocrjury.store.raters import keep_raters, keep_registry
from ocrjury.store.ratings import Submission
from ocrjury.store.results import Result, add_results
from ocrjury.store.schema.course import evaluations
from tests.frontends.web.conftest import HOSTILE, item, open_place, store_in
from tests.store_calls import add_submissions

ITEMS = [f"d{number}" for number in range(12)]
NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)
ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    with store_in(tmp_path_factory.mktemp("certificates")) as base:
        yield base


@pytest.fixture(scope="module")
def place(base):
    """A pilot that R01 passed, R02 failed and R03 has not been judged in."""
    place = open_place(
        base, raters=("R01", "R02", "R03"), kind="pilot", items=[item(one) for one in ITEMS]
    )
    hand_in_all(place)
    people = [RaterEntry("R01", name=HOSTILE), RaterEntry("R02"), RaterEntry("R03")]
    with writing(place.store.engine) as connection:
        keep_raters(connection, people)
        keep_registry(connection, place.evaluation, people)
        finding = judged(R01=4, R02=1)
        add_results(
            connection, place.evaluation, [Result(0, "pilot", "*", finding, "hash")], now=NOW
        )
    return place


def hand_in_all(place):
    """Hand in every item as R01."""
    rubric = place.own("evaluations", "rubric_hash")[0]["rubric_hash"]
    values = {"meaning": 4.0, "layout": 4.0}
    rows = [
        Submission(f"{place.evaluation}/0/R01/0/{name}", values, f"event-{name}", rubric, "web")
        for name in ITEMS
    ]
    add_submissions(place.store.engine, place.evaluation, rows, now=NOW)


def judged(**levels):
    """Finding of a pilot in which everybody rates one level and 4 is right."""
    dimensions = ("meaning", "layout")
    rated = [Rated(name, rater, level) for rater, level in levels.items() for name in ITEMS]
    scores = judge_raters(
        dict.fromkeys(dimensions, rated),
        dict.fromkeys(dimensions, dict.fromkeys(ITEMS, 4.0)),
        raters=tuple(levels),
        criterion=Criterion(),
        scale=dict.fromkeys(dimensions, Scale.likert(1, 5)),
    )
    return PilotFinding(PilotCriterion("share_within", 1.0, 0.8, 10), tuple(scores), {})


def change_config(place, **values):
    this = evaluations.c.evaluation == place.evaluation
    with writing(place.store.engine) as connection:
        connection.execute(sa.update(evaluations).where(this).values(**values))


def page(place, *, named=True, language="en"):
    training = read_training(place.store.engine, place.evaluation, "R01")
    with speaking(language):
        return certificate(training, issuer=HOSTILE, issued_at=NOW, named=named)


def test_the_facts_are_those_of_the_pilot(place):
    training = read_training(place.store.engine, place.evaluation, "R01")

    assert passed_raters(place.store.engine, place.evaluation) == ["R01"]
    assert (training.items, training.rubric_version) == (12, 1)
    assert [(score.dimension, score.accuracy.n) for score in training.scores] == [
        ("meaning", 12),
        ("layout", 12),
    ]


@pytest.mark.parametrize(
    ("rater", "sentence"),
    [
        ("R02", "R02 has not passed the pilot, so there is no certificate."),
        ("R03", "No pilot of R03 has been judged, so there is no certificate."),
    ],
)
def test_whoever_passed_no_pilot_gets_none(place, rater, sentence):
    with pytest.raises(InputError) as refusal:
        read_training(place.store.engine, place.evaluation, rater)

    assert str(refusal.value) == sentence


def test_a_rehearsal_gives_none(place):
    change_config(place, simulated=True)
    try:
        assert passed_raters(place.store.engine, place.evaluation) == []
        with pytest.raises(InputError, match="simulated raters gives no certificate"):
            read_training(place.store.engine, place.evaluation, "R01")
    finally:
        change_config(place, simulated=False)


@pytest.mark.parametrize(
    ("measure", "limit", "needed"),
    [
        ("share_within", 0.825, "at least 82.5% within 1"),
        ("weighted_kappa", None, "at least 0.6"),
        ("mean_absolute_error", None, "at most 0.5"),
    ],
)
def test_the_limit_is_that_of_the_pilots_verdict(place, measure, limit, needed):
    criterion = Criterion(measure=measure, limit=limit)
    known = {name: float(1 + at % 5) for at, name in enumerate(ITEMS)}
    [score] = judge_raters(
        {"meaning": [Rated(name, "R01", level) for name, level in known.items()]},
        {"meaning": known},
        raters=("R01",),
        criterion=criterion,
        scale=Scale.likert(1, 5),
    )
    training = read_training(place.store.engine, place.evaluation, "R01")
    rounds = training.campaign.rounds
    pilot = rounds.pilot.model_copy(update={"criterion": criterion})
    held = {"rounds": rounds.model_copy(update={"pilot": pilot})}
    trained = training._replace(
        campaign=training.campaign.model_copy(update=held), measure=measure, scores=[score]
    )

    printed = certificate(trained, issuer="us", issued_at=NOW, named=False)

    assert f">{needed}<" in printed
    assert f", {needed.split()[2]} " in score.sentence


def test_a_name_that_is_markup_stays_text(place):
    whole = page(place)

    assert "<script" not in whole
    assert "<img" not in whole
    assert whole.count("&lt;script&gt;") == 2
    assert "&lt;script&gt;window.hit = 1" not in page(place, named=False).partition("<dl>")[0]


def client_of(place, printed):
    def printing(html):
        printed.append(html)
        return b"%PDF"

    site = Site(place.store, address=ADDRESS, print_pdf=printing)
    return TestClient(create_application(site), base_url=ADDRESS, follow_redirects=False)


def enter(client, place, rater):
    entered = client.post("/enter", data={"code": place.link(rater)})
    client.headers["Cookie"] = entered.headers["set-cookie"].partition(";")[0]


def test_a_rater_reads_only_their_own(place):
    printed = []
    client = client_of(place, printed)
    foreign = f"/desk/{place.evaluation}/certificates/R01"

    assert client.get("/certificate").status_code != 200
    enter(client, place, "R01")
    own = client.get(re.search(r'href="(/as/\w+/certificate)"', client.get("/work").text)[1])
    client = client_of(place, printed)
    enter(client, place, "R02")
    refused = client.get("/certificate")
    offered = "/certificate" in client.get("/work").text
    others = client.get(foreign)

    assert (own.status_code, own.content) == (200, b"%PDF")
    assert own.headers["Content-Type"] == "application/pdf"
    assert refused.status_code == 404
    assert "R02 has not passed the pilot" in refused.text
    assert others.status_code != 200
    assert not offered
    assert len(printed) == 1


def test_a_lead_gets_it_by_pseudonym(place):
    printed = []
    client = client_of(place, printed)
    now = datetime.now(UTC)
    with writing(place.store.engine) as connection:
        code = add_desk_link(connection, "kim", now=now, expires_at=now + timedelta(days=1))
    entered = client.post("/desk/enter", data={"code": code})
    client.headers["Cookie"] = entered.headers["set-cookie"].partition(";")[0]
    address = f"/desk/{place.evaluation}/certificates/R01"

    raters = client.get(f"/desk/{place.evaluation}/raters").text
    answer = client.get(address)

    assert raters.count("/certificates/") == 1
    assert f'href="{address}"' in raters
    assert answer.status_code == 200
    assert "window.hit" not in printed[0]


def test_the_command_writes_one_page_whose_day_is_the_real_one(place, monkeypatch, tmp_path):
    in_seoul_a_year_later = datetime(2031, 12, 31, 16, tzinfo=UTC)
    monkeypatch.setattr("ocrjury.campaign.settings.real_now", lambda: in_seoul_a_year_later)
    monkeypatch.setenv("OCRJURY_HOME", str(place.home))
    monkeypatch.setenv("OCRJURY_CLOCK", "2001-02-03T09:00:00+00:00")
    path = tmp_path / "certificate.pdf"

    code = main(["raters", "certificate", place.evaluation, "R01", "--out", str(path)])
    command = ["pdftotext", "-layout", str(path), "-"]
    words = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout

    assert code == 0
    assert words.count("\f") == 1
    assert "Certificate of training" in words
    assert "12 practice items" in words
    assert "2001" not in words
    assert "1 January 2032" in words


def test_no_certificate_is_without_a_line_of_the_audit_log(place, monkeypatch, tmp_path):
    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setenv("OCRJURY_HOME", str(place.home))
    monkeypatch.setattr("ocrjury.report.write_pdf", killed)

    main(["raters", "certificate", place.evaluation, "R01", "--out", str(tmp_path / "x.pdf")])

    newest, *_ = list_audit(place.store.engine)
    assert newest.object == f"{place.evaluation} certificate R01"
