"""The page of the rubric's versions, and the forms of boundary cases."""

from collections.abc import Callable, Mapping
from functools import partial

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from ocrjury.frontends.web.access.forms import Lists, last_values
from ocrjury.frontends.web.access.leads import OnPage
from ocrjury.frontends.web.access.people import check_form
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.desk_pages import frame_of, unchanged_page
from ocrjury.frontends.web.desk.evaluation_view import standing_of
from ocrjury.frontends.web.desk.form_faults import read_form
from ocrjury.frontends.web.desk.live_pages import Known, pulse_of
from ocrjury.frontends.web.desk.remark_pages import remarks_page
from ocrjury.frontends.web.desk.rubric_bodies import CaseBody, UndoCaseBody
from ocrjury.frontends.web.desk.rubric_view import (
    RULING,
    add_boundary_case,
    rubric_file,
    see_rubric,
    seen_cases,
    take_case_back,
)
from ocrjury.frontends.web.rendering import attached_as, desk_page
from ocrjury.pages.rubric_words import change_text

router = APIRouter(include_in_schema=False)


@router.get("/desk/{name}/rubric")
def show_rubric(name: str, lead: OnPage, known: Known = "") -> Response:
    """Show the versions of the rubric, or that nothing changed."""
    if same := unchanged_page(lead, name, known=known):
        return same
    standing_of(lead, name)
    return rubric_page(lead, name, pulse=pulse_of(lead, name))


@router.get("/desk/{name}/rubric.yaml")
def download_rubric(name: str, lead: OnPage) -> Response:
    """Send the newest version as a file for a campaign."""
    evaluation = standing_of(lead, name).evaluation.evaluation
    body, headers = rubric_file(lead, evaluation), attached_as("rubric.yaml")
    return Response(body, media_type="application/yaml; charset=utf-8", headers=headers)


@router.post("/desk/{name}/rubric/cases")
def add(name: str, lists: Lists, lead: OnPage) -> Response:
    """Make an item a boundary case."""
    last = last_values(lists)
    check_form(lead, last)
    evaluation = standing_of(lead, name).evaluation.evaluation
    return _changed(
        lambda: add_boundary_case(lead, evaluation, read_form(CaseBody, _sent(last))),
        evaluation,
        again=partial(remarks_page, lead, name),
    )


@router.post("/desk/{name}/rubric/undo")
def undo(name: str, lists: Lists, lead: OnPage) -> Response:
    """Take a boundary case back."""
    last = last_values(lists)
    check_form(lead, last)
    evaluation = standing_of(lead, name).evaluation.evaluation
    sent = {key: last.get(key, "") for key in ("version", "reason")}
    return _changed(
        lambda: take_case_back(lead, evaluation, read_form(UndoCaseBody, sent)),
        evaluation,
        again=partial(rubric_page, lead, name),
    )


def _changed(
    change: Callable[[], object], evaluation: str, *, again: Callable[..., Response]
) -> Response:
    """Change the rubric and lead to its page; `again` shows the form with a problem."""
    try:
        change()
    except Trouble as trouble:
        return again(problem=trouble.sentence, status=trouble.status)
    return RedirectResponse(f"/desk/{evaluation}/rubric", status_code=303)


def rubric_page(
    lead: OnPage, name: str, *, problem: str | None = None, status: int = 200, pulse: str = ""
) -> Response:
    """Page of the versions, with the problem that a change met; it follows by its `pulse`."""
    row = standing_of(lead, name).evaluation
    return desk_page(
        "rubric",
        status=status,
        seen=see_rubric(lead, row),
        cases=seen_cases(lead, row.evaluation),
        change_text=change_text,
        **frame_of(lead, row.evaluation),
        problem=problem,
        pulse=pulse,
    )


def _sent(last: Mapping[str, str]) -> dict[str, object]:
    """Fields of the form as programs send them: texts by language, dimension and level apart."""
    dimension, _, level = last.get("ruling", "").partition(RULING)

    def texts(start: str) -> dict[str, str]:
        keys = [key for key in last if key.startswith(start)]
        return {key.removeprefix(start): last[key] for key in keys if last[key].strip()}

    plain = {key: last.get(key, "") for key in ("item", "reference", "hypothesis", "reason")}
    ruled = {"dimension": dimension, "level": level}
    return {**plain, **ruled, "case": texts("case_"), "advice": texts("advice_") or None}
