"""What the forms of the desk post: decisions, and changes of links."""

from typing import Any, TypeVar

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ValidationError

from ocrjury.frontends.web.access.form_fields import Lists, last_values
from ocrjury.frontends.web.access.people import OnPage, check_form
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.asking import ask_for
from ocrjury.frontends.web.desk.bodies import DecisionBody, LinkBody
from ocrjury.frontends.web.desk.desk_pages import evaluation_page, raters_page
from ocrjury.frontends.web.desk.evaluation_view import standing_of
from ocrjury.frontends.web.desk.link_changes import change_links

router = APIRouter(include_in_schema=False)
T = TypeVar("T", bound=BaseModel)


@router.post("/desk/{name}/decisions")
def decide(name: str, lists: Lists, lead: OnPage) -> Response:
    """Ask for a decision."""
    last = last_values(lists)
    check_form(lead, last)
    target = {
        "raters": lists.get("raters", []),
        "dimensions": lists.get("dimensions", []),
        **{key: last[key] for key in ("days", "items") if last.get(key)},
    }
    sent = {key: last.get(key, "").strip() for key in ("decision", "version", "reason")}
    standing = standing_of(lead, name)
    try:
        body = _read(DecisionBody, {**sent, "target": target})
        ask_for(lead, standing, body)
    except Trouble as trouble:
        return evaluation_page(lead, name, problem=trouble.sentence, status=trouble.status)
    return RedirectResponse(f"/desk/{name}", status_code=303)


@router.post("/desk/{name}/links")
def change_link(name: str, lists: Lists, lead: OnPage) -> Response:
    """Make, revoke or extend a link; a new one is shown once, on the page that answers."""
    last = last_values(lists)
    check_form(lead, last)
    sent = {key: last[key] for key in ("rater", "change", "days") if last.get(key)}
    standing = standing_of(lead, name)
    try:
        body = _read(LinkBody, sent)
        done = change_links(lead, standing, body)
    except Trouble as trouble:
        return raters_page(lead, name, problem=trouble.sentence, status=trouble.status)
    if done.address is None:
        return RedirectResponse(f"/desk/{name}/raters#{body.rater}", status_code=303)
    return raters_page(lead, name, made=(body.rater, done.address))


def _read(kind: type[T], sent: dict[str, Any]) -> T:
    """Read a body, or say which of its fields is not understood."""
    try:
        return kind.model_validate(sent)
    except ValidationError as error:
        where = sorted({str(problem["loc"][-1]) for problem in error.errors()})
        sentence = f"Please look at: {', '.join(where)}."
        if "reason" in where:
            sentence = "Say why, in five characters or more; the report prints it."
        raise Trouble(422, "shape", sentence) from error
