"""The page of raters' remarks, and the form of answers."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from ocrjury.campaign.exclusions import why_none_now
from ocrjury.frontends.web.access.forms import Lists, last_values
from ocrjury.frontends.web.access.leads import OnPage
from ocrjury.frontends.web.access.people import check_form
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.desk_pages import frame_of, unchanged_page
from ocrjury.frontends.web.desk.evaluation_view import standing_of
from ocrjury.frontends.web.desk.form_faults import read_form
from ocrjury.frontends.web.desk.live_pages import Known, pulse_of
from ocrjury.frontends.web.desk.remark_bodies import ExcludeBody, RemarkAnswerBody, RemarkState
from ocrjury.frontends.web.desk.remark_view import answer_remark, exclude, see_remarks
from ocrjury.frontends.web.desk.rubric_view import choices, text_languages
from ocrjury.frontends.web.rendering import desk_page
from ocrjury.language import said

STATES: Final[tuple[RemarkState, ...]] = ("open", "answered", "all")
router = APIRouter(include_in_schema=False)
State = Annotated[RemarkState, Query(alias="show")]
Page = Annotated[int, Query(alias="page", ge=1, le=10_000)]


@router.get("/desk/{name}/remarks")
def show_remarks(
    name: str, lead: OnPage, *, state: State = "open", number: Page = 1, known: Known = ""
) -> Response:
    """Show the flags and comments of raters, or that nothing changed."""
    if same := unchanged_page(lead, name, known=known):
        return same
    standing_of(lead, name)
    return remarks_page(lead, name, state=state, number=number, pulse=pulse_of(lead, name))


@router.post("/desk/{name}/remarks")
def answer(name: str, lists: Lists, lead: OnPage) -> Response:
    """Keep an answer to a remark."""
    last = last_values(lists)
    check_form(lead, last)
    standing_of(lead, name)
    try:
        sent = {key: last.get(key, "") for key in ("assignment", "kind", "text")}
        answer_remark(lead, name, read_form(RemarkAnswerBody, sent))
    except Trouble as trouble:
        return remarks_page(lead, name, problem=trouble.sentence, status=trouble.status)
    return RedirectResponse(f"/desk/{name}/remarks", status_code=303)


@router.post("/desk/{name}/exclusions")
def change_exclusion(name: str, lists: Lists, lead: OnPage) -> Response:
    """Exclude an item, or take that back."""
    last = last_values(lists)
    check_form(lead, last)
    standing = standing_of(lead, name)
    try:
        known = {
            key: last[key] for key in ("item", "category", "reason", "excluded") if key in last
        }
        sent = {"reason": ""} | known
        exclude(lead, standing, read_form(ExcludeBody, sent))
    except Trouble as trouble:
        return remarks_page(lead, name, problem=trouble.sentence, status=trouble.status)
    return RedirectResponse(f"/desk/{name}/remarks?show=answered", status_code=303)


def remarks_page(
    lead: OnPage,
    name: str,
    *,
    state: RemarkState = "open",
    number: int = 1,
    problem: str | None = None,
    status: int = 200,
    pulse: str = "",
) -> Response:
    """Page of the remarks, with the problem that an answer met; it follows by its `pulse`."""
    history = standing_of(lead, name).history
    rubric = lead.site.campaign(name).rubric
    return desk_page(
        "remarks",
        status=status,
        seen=see_remarks(lead, name, state=state, page=number),
        **frame_of(lead, name),
        states=STATES,
        rulings=choices(rubric),
        text_languages=text_languages(rubric),
        chosen=state,
        no_exclusion=said(why_none_now(history)),
        problem=problem,
        pulse=pulse,
    )
