"""Rounds that are handed out, fetched and taken back by the flow."""

import logging

import pytest
from openpyxl import load_workbook

from ocrjury.cli.evaluation_page import print_evaluation
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.overview import overview_page
from ocrjury.flows import advance_evaluation as advance
from ocrjury.frontends.labelstudio import frontend
from ocrjury.frontends.labelstudio.server import Server
from ocrjury.frontends.sheets import import_sheet, sheets_folder
from ocrjury.store.quarantine import list_refused
from ocrjury.store.ratings import list_ratings
from ocrjury.store.rounds import list_assignments
from ocrjury.tasks import frontends as frontends_task
from tests.frontends.labelstudio.stand_in import FIRST, LEAD, SECOND, TOKEN, StandIn, serving

HEADER = 4


@pytest.fixture
def sheets(small):
    small.write(rounds={"frontend": "sheets", "top_ups": 0}).open()
    return small


def hurried(url, token):
    """The connection to a server that is asked again without a pause."""
    return Server(url, token, pause=0.0)


@pytest.fixture
def label_studio(monkeypatch):
    state = StandIn()
    monkeypatch.setattr(frontend, "Server", hurried)
    monkeypatch.setenv("OCRJURY_LABEL_STUDIO_TOKEN", TOKEN)
    monkeypatch.setattr(frontends_task, "get_run_logger", lambda: logging.getLogger("chain"))
    with serving(state) as state.address:
        yield state


@pytest.fixture
def projects(small, label_studio):
    small.columns = "pseudonym,role,email"
    small.people = ["R01,rater,r01@example.org", "R02,rater,r02@example.org"]
    elsewhere = {"url": label_studio.address, "allow_degraded": True}
    small.write(
        rounds={"frontend": "labelstudio", "labelstudio": elsewhere, "close_at": 1.0, "top_ups": 0},
        sampling={"n": 12},
        adaptive={"max_rounds": 0},
    )
    small.open()
    return small


def files(chain):
    with at_work() as work:
        return sorted(sheets_folder(work.store, chain.evaluation).rglob("*.xlsx"))


def fill_in(path, value=4, *, rows=None):
    """Fill a sheet in where it lies."""
    book = load_workbook(path)
    sheet = book.worksheets[0]
    [column] = [cell.column for cell in sheet[HEADER] if cell.value == "meaning"]
    for row in range(HEADER + 1, sheet.max_row + 1)[:rows]:
        sheet.cell(row, column).value = value
    book.save(path)


def hand_back(path, value=4):
    """Fill a sheet in and import it."""
    fill_in(path, value)
    with at_work() as work:
        return import_sheet(work.store, path, now=work.now)


def test_a_round_lies_in_the_folder_as_sheets_as_soon_as_it_is_open(sheets):
    found = files(sheets)

    assert [path.stem[-3:] for path in found] == ["R01", "R02", "R03", "R04"]
    assert sheets.advance().name == "WaitingForRatings"
    assert files(sheets) == found


def test_a_sheet_that_vanishes_while_it_is_looked_for_stops_nothing(sheets):
    first, *_ = files(sheets)
    fill_in(first, rows=2)
    first.with_name("gone.xlsx").symlink_to(first.with_name("nowhere"))

    assert sheets.advance().message.startswith("2 of ")


def test_a_lost_sheet_is_written_again(sheets):
    first, *others = files(sheets)
    first.unlink()

    sheets.advance()

    assert [path.name for path in files(sheets)] == [path.name for path in (first, *others)]


def test_sheets_that_come_back_end_the_round(sheets):
    for path in files(sheets):
        assert not hand_back(path).problems

    assert sheets.advance().name == "Held"  # everybody said 4, which says nothing of agreement
    assert len(sheets.stored(list_ratings)) == len(sheets.stored(list_assignments))


def test_what_is_filled_in_where_it_lies_comes_in_with_the_next_run(sheets):
    fill_in(files(sheets)[0], rows=5)

    ends = [sheets.advance().message for _ in range(2)]

    asked = len(sheets.stored(list_assignments))
    assert ends == [f"5 of {asked} assignments"] * 2
    assert {one.source for one in sheets.stored(list_ratings)} == {"sheet"}


def test_what_is_filled_in_just_before_the_deadline_counts_where_it_is_judged(sheets):
    fill_in(files(sheets)[0])
    sheets.at(30)

    sheets.advance()

    assert len(sheets.stored(list_ratings)) == 20
    assert sheets.rows()[-1] in {"12", "13"}


def test_what_is_filled_in_after_the_deadline_comes_in_and_ends_the_hold(sheets):
    fill_in(files(sheets)[0])
    held = overdue(sheets)
    assert held.message.startswith("overdue: 20 of")

    fill_in(files(sheets)[1], rows=3)
    assert sheets.advance().name == "Held"
    assert len(sheets.stored(list_ratings)) == 23
    for path in files(sheets):
        fill_in(path)
    sheets.advance()

    assert "34" in sheets.rows()
    assert {one.state for one in sheets.stored(list_assignments)} <= {"done", "withdrawn"}


def overdue(chain):
    """How an evaluation is held, after its deadline and that of whoever took over."""
    for day in ("2026-11-30", "2026-12-20"):
        chain.monkeypatch.setenv("OCRJURY_CLOCK", f"{day}T09:00:00+00:00")
        end = chain.advance()
    return end


def test_a_server_that_is_away_after_the_deadline_does_not_stop_the_hold(
    projects, label_studio, caplog
):
    projects.monkeypatch.delenv("OCRJURY_LABEL_STUDIO_TOKEN")

    ends = [overdue(projects), projects.advance()]

    assert [end.message.partition(":")[0] for end in ends] == ["no_ratings"] * 2
    assert "still rated was not fetched" in caplog.text


def test_a_round_ends_when_every_sheet_in_the_folder_is_filled_in(sheets):
    for path in files(sheets):
        fill_in(path)

    assert sheets.advance().name == "Held"
    assert len(sheets.stored(list_ratings)) == len(sheets.stored(list_assignments))


def test_a_sheet_with_a_problem_is_named_and_stops_nobody(sheets, caplog, capsys, monkeypatch):
    monkeypatch.setattr(frontends_task, "get_run_logger", lambda: logging.getLogger("chain"))
    first, second, *_ = files(sheets)
    fill_in(first, 9, rows=1)
    fill_in(second, rows=3)

    sheets.advance()

    assert {one.rater for one in sheets.stored(list_ratings)} == {"R02"}
    assert f"{first} was left aside: it has 1 problem; see" in caplog.text
    with at_work() as work:
        case = work.case(sheets.evaluation)
        page = overview_page(case).markdown
        print_evaluation(case)
    said = f"{first.name} was left aside: it has 1 problem. Nothing in it is stored."
    assert f"**Left aside:** {said}" in page
    assert said in " ".join(capsys.readouterr().out.split())


def rate(label_studio, rater, by, *, value="4", count=None):
    for task in label_studio.tasks_of(rater)[:count]:
        label_studio.annotate(task, by, {"meaning": value})


def test_every_rater_has_a_project_as_soon_as_the_round_is_open(projects, label_studio):
    assert len(label_studio.projects) == 2
    assert len(label_studio.tasks) == 24

    projects.advance()

    assert (len(label_studio.projects), len(label_studio.tasks)) == (2, 24)


def test_what_was_rated_there_comes_in_with_the_next_run(projects, label_studio):
    rate(label_studio, "R01", FIRST, count=5)

    end = projects.advance()

    assert end.message == "5 of 24 assignments"
    assert len(projects.stored(list_ratings)) == 5


def test_a_complete_round_goes_on_and_the_projects_are_closed(projects, label_studio):
    rate(label_studio, "R01", FIRST)
    rate(label_studio, "R02", SECOND, value="5")

    assert projects.advance().name == "Held"
    assert all(body["title"].startswith("[closed]") for body in label_studio.projects.values())


def test_what_others_rated_there_is_kept_apart(projects, label_studio):
    rate(label_studio, "R01", LEAD, count=1)

    assert projects.advance().message == "0 of 24 assignments"
    assert len(projects.stored(list_refused)) == 1


def test_a_round_can_end_while_label_studio_is_away(projects, label_studio, monkeypatch, caplog):
    rate(label_studio, "R01", FIRST)
    monkeypatch.setattr(frontends_task, "open_frontend", _nobody_after(2))
    rate(label_studio, "R02", SECOND)

    assert projects.advance().name == "Held"
    assert "`ocrjury labelstudio close small-p` does it later" in caplog.text


def _nobody_after(calls):
    """The real connection so often, then that of a server that is gone."""
    real, left = frontends_task.open_frontend, [calls]

    def connect(campaign):
        left[0] -= 1
        if left[0] < 0:
            gone = {"url": "http://127.0.0.1:9", "allow_degraded": True}
            rounds = campaign.rounds.model_copy(
                update={"labelstudio": type(campaign.rounds.labelstudio)(**gone)}
            )
            return real(campaign.model_copy(update={"rounds": rounds}))
        return real(campaign)

    return connect


def is_closed(label_studio):
    return [body["title"].startswith("[closed]") for body in label_studio.projects.values()]


@pytest.mark.parametrize("decision", ["close", "abort"])
def test_a_round_that_a_lead_ends_is_taken_back(projects, label_studio, decision):
    rate(label_studio, "R01", FIRST, count=5)
    projects.advance()

    projects.decide(decision)

    assert is_closed(label_studio) == [True, True]
    assert len(label_studio.tasks) == 5


def test_a_round_that_a_stopped_run_left_in_label_studio_is_taken_back_by_the_next(
    projects, label_studio, monkeypatch
):
    rate(label_studio, "R01", FIRST)
    rate(label_studio, "R02", SECOND, value="5")

    def killed(_evaluation):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(advance, "take_back", killed)
        with pytest.raises(KeyboardInterrupt):
            projects.advance_now()
    assert is_closed(label_studio) == [False, False]

    assert projects.advance_now().name == "Held"
    assert is_closed(label_studio) == [True, True]


def test_a_round_is_taken_back_once_label_studio_is_there_again(
    projects, label_studio, monkeypatch
):
    rate(label_studio, "R01", FIRST)
    rate(label_studio, "R02", SECOND, value="5")
    real = frontends_task.open_frontend
    monkeypatch.setattr(frontends_task, "open_frontend", _nobody_after(2))
    assert projects.advance_now().name == "Held"
    assert is_closed(label_studio) == [False, False]
    monkeypatch.setattr(frontends_task, "open_frontend", real)

    projects.advance_now()
    assert is_closed(label_studio) == [True, True]
    monkeypatch.setattr(frontends_task, "open_frontend", _nobody_after(0))
    projects.advance_now()  # asks no more


def test_a_sweep_takes_back_what_a_decision_without_a_run_ended(projects, label_studio):
    projects.decide_only("abort")

    advance.sweep()

    assert is_closed(label_studio) == [True, True]
    assert not label_studio.tasks
