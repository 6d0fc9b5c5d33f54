import csv
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from ocrjury.campaign.registry import RaterEntry
from ocrjury.cli import main
from ocrjury.evaluation.payment import list_payments
from ocrjury.store.database import reading, writing
from ocrjury.store.links import Link
from ocrjury.store.raters import keep_raters, keep_registry
from ocrjury.store.ratings import Submission
from ocrjury.store.schema.course import evaluations
from ocrjury.store.visits import close_visit, find_visit, open_visit
from ocrjury.store.working_time import list_sittings
from tests.frontends.web.conftest import item, open_place, store_in
from tests.store_calls import add_submissions

NOW = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0)
MINUTE = timedelta(minutes=1)
PEOPLE = (
    RaterEntry("R01", name="=김서연", cost=0.5, priced=True),
    RaterEntry("R02", name="이도윤"),
    RaterEntry("R03", cost=0.0, priced=True),
)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    with store_in(tmp_path_factory.mktemp("payment")) as base:
        yield base


@pytest.fixture(autouse=True)
def home(base, monkeypatch):
    monkeypatch.setenv("OCRJURY_HOME", str(base.home))


@pytest.fixture
def place(base):
    """An evaluation of three raters with prices in EUR."""
    place = open_place(base, raters=("R01", "R02", "R03"))
    with writing(place.store.engine) as connection:
        keep_raters(connection, PEOPLE)
        keep_registry(connection, place.evaluation, PEOPLE)
    price_in(place, "EUR")
    return place


def price_in(place, currency):
    this = evaluations.c.evaluation == place.evaluation
    with writing(place.store.engine) as connection:
        config = connection.execute(sa.select(evaluations.c.config).where(this)).scalar()
        config["raters"]["currency"] = currency
        connection.execute(sa.update(evaluations).where(this).values(config=config))


def rate(place, rater, name, *, at, seconds=None, opened=None, number=1, event=""):
    """Hand in an item, by the rating page if its time is given."""
    assignment = f"{place.evaluation}/{number}/{rater}/0/{name}"
    if seconds is not None:
        link = Link("", rater, place.evaluation, None)
        with writing(place.store.engine) as connection:
            began = opened or at - MINUTE
            visit = open_visit(connection, assignment, session_hash=rater, client="", now=began)
            row = find_visit(connection, link, visit)
            close_visit(connection, row, active_ms=seconds * 1000, conditions={}, now=at)
    rubric = place.own("evaluations", "rubric_hash")[0]["rubric_hash"]
    values = {"meaning": 4.0, "layout": 4.0}
    event = f"{assignment} {at} {event}"
    submission = Submission(assignment, values, event, rubric, "web" if seconds else "file")
    add_submissions(place.store.engine, place.evaluation, [submission], now=at)


def sheet(place, capsys, *options):
    assert main(["raters", "payment", *options]) == 0
    out, err = capsys.readouterr()
    return list(csv.DictReader(out.splitlines())), err


def test_items_hours_and_cost_by_rater_and_round(place, capsys):
    rate(place, "R01", "d1", at=NOW, seconds=30)
    rate(place, "R01", "d2", at=NOW + MINUTE, seconds=42)
    rate(place, "R01", "d2", at=NOW + 5 * MINUTE, seconds=18)  # again: time, no further item
    rate(place, "R02", "d1", at=NOW)
    rate(place, "R03", "d1", at=NOW)

    rows, said = sheet(place, capsys, place.evaluation)

    by_rater = {row["rater"]: row for row in rows}
    shown = ("round", "kind", "items", "items_timed", "hours", "price", "currency", "cost", "lacks")
    assert [by_rater["R01"][name] for name in shown] == [
        *("1", "main", "2", "2", "0.025", "0.5", "EUR", "1.0", ""),
    ]
    assert [by_rater["R02"][name] for name in shown] == [
        *("1", "main", "1", "0", "", "", "EUR", "", "not measured; no price"),
    ]
    assert by_rater["R03"]["cost"] == "0.0"  # a price of 0 is a price
    assert "name" not in rows[0]
    assert "1.00 EUR" in said


def test_without_a_currency_prices_are_weights(place, capsys):
    price_in(place, "")
    rate(place, "R01", "d1", at=NOW, seconds=30)

    [row], said = sheet(place, capsys, place.evaluation)
    assert (row["cost"], row["lacks"]) == ("", "no currency")
    assert "no cost is known" in said

    [row], _ = sheet(place, capsys, place.evaluation, "--currency", "KRW")
    assert (row["cost"], row["currency"]) == ("0.5", "KRW")


@pytest.mark.parametrize("words", [["--since", "0001-01-01"], ["--until", "9999-12-31"]])
def test_the_first_and_the_last_day_of_the_calendar_are_refused(place, capsys, words):
    assert main(["raters", "payment", place.evaluation, *words]) == 2
    assert f"'{words[1]}' is no date such as 2026-11-01" in capsys.readouterr().err


def test_names_only_where_they_are_asked_for_and_never_as_a_formula(place, capsys, tmp_path):
    rate(place, "R01", "d1", at=NOW, seconds=30)

    file = tmp_path / "payment.csv"
    assert main(["raters", "payment", place.evaluation, "--names", "--out", str(file)]) == 0

    [row] = csv.DictReader(file.read_text("utf-8-sig").splitlines())
    assert row["name"] == "'=김서연"
    last = place.ask("select action, object from audit order by seq desc limit 1")[0]
    assert last == {"action": "export", "object": f"{place.evaluation} payment with names"}


def test_a_period_counts_what_was_handed_in_then(place, capsys):
    day = timedelta(days=1)
    rate(place, "R01", "d1", at=NOW, seconds=30)
    rate(place, "R01", "d2", at=NOW + 3 * day, seconds=20)
    rate(place, "R01", "d1", at=NOW + 3 * day + MINUTE, seconds=16)

    later = [f"{NOW + days * day:%Y-%m-%d}" for days in (2, 3)]
    rows, _ = sheet(place, capsys, "--since", later[0], "--until", later[1])

    [row] = [row for row in rows if row["evaluation"] == place.evaluation]
    assert (row["items"], row["items_timed"], row["hours"]) == ("1", "1", "0.01")
    assert main(["raters", "payment"]) == 2
    assert main(["raters", "payment", "--since", later[1], "--until", later[0]]) == 2


def test_time_is_never_more_than_passed_while_anything_was_open(place):
    """Whoever keeps two items open is paid for one clock."""
    rate(place, "R01", "d1", at=NOW, seconds=60, opened=NOW - MINUTE)
    rate(place, "R01", "d2", at=NOW + MINUTE / 2, seconds=80, opened=NOW - MINUTE)

    [sitting] = list_sittings(place.store.engine, place.evaluation)

    assert (sitting.items, sitting.seconds, sitting.median) == (2, 90.0, 70.0)


def test_other_evaluations_cost_nothing(place, base):
    """Neither the statements nor the rows that they read grow with the history."""
    rate(place, "R01", "d1", at=NOW, seconds=30)
    before = statements_of(place)
    other = open_place(base, raters=("R01",))
    rate(other, "R01", "d1", at=NOW, seconds=30)

    after = statements_of(place)

    assert before == after
    plans = [row["detail"] for sql in after for row in explained(place, sql)]
    scanned = {line.split()[1] for line in plans if line.startswith("SCAN")}
    assert scanned <= {"items", "rounds", "evaluations", "raters", "registries"}


def statements_of(place):
    """Statements that a sheet sends, with their values."""
    sent = []

    def note(_connection, _cursor, statement, values, *_):
        sent.append((statement, values))

    sa.event.listen(place.store.engine, "before_cursor_execute", note)
    list_payments(place.store.engine, [place.evaluation])
    sa.event.remove(place.store.engine, "before_cursor_execute", note)
    return sent


def explained(place, sent):
    statement, values = sent
    with reading(place.store.engine) as connection:
        rows = connection.exec_driver_sql(f"explain query plan {statement}", values)
        return [dict(row._mapping) for row in rows]


def test_outputs_side_by_side_share_the_time_of_their_page(place, base):
    both = [item(name, page_id="p", system=system) for name, system in (("d1", "A"), ("d2", "B"))]
    pair = open_place(base, raters=("R01",), items=both)
    for name in ("d1", "d2"):
        rate(pair, "R01", name, at=NOW, seconds=20, opened=NOW - MINUTE)

    [sitting] = list_sittings(pair.store.engine, pair.evaluation)

    assert (sitting.items, sitting.timed, sitting.seconds) == (2, 2, 40.0)


def test_the_audit_log_of_each_evaluation_names_a_sheet_about_several(base, place, capsys):
    other = open_place(base, raters=("R01",))

    sheet(place, capsys, place.evaluation, other.evaluation)

    last = place.ask("select object from audit order by seq desc limit 2")
    assert [row["object"] for row in last] == [
        f"{name} payment" for name in (other.evaluation, place.evaluation)
    ]


def test_the_store_that_a_folder_chose_is_told_once(place, base, monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("OCRJURY_HOME")
    monkeypatch.delenv("OCRJURY_DATABASE_URL", raising=False)
    (tmp_path / ".ocrjury").symlink_to(base.home)
    monkeypatch.chdir(tmp_path)

    _, err = sheet(place, capsys, place.evaluation)

    assert err.count("Store: ") == 1
