"""The pages of the desk: evaluations, their items, raters, forms and reports to download."""

import re
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse, RedirectResponse, Response

from ocrjury.evaluation.certificates import passed_raters
from ocrjury.frontends.web.access.forms import Lists, last_values
from ocrjury.frontends.web.access.leads import Lead, OnPage
from ocrjury.frontends.web.access.people import check_form, note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk import gate_tone
from ocrjury.frontends.web.desk.agreement_view import agreement_view, stored_agreement
from ocrjury.frontends.web.desk.bodies import DecisionBody, LinkBody
from ocrjury.frontends.web.desk.evaluation_view import detail, list_view, standing_of
from ocrjury.frontends.web.desk.form_faults import read_form
from ocrjury.frontends.web.desk.items_view import see_items
from ocrjury.frontends.web.desk.live_pages import Known, look, pulse_of, unchanged
from ocrjury.frontends.web.desk.rater_view import (
    rater_profiles,
    signed_in_by_proxy,
)
from ocrjury.frontends.web.desk.recalibration_view import recalibration_view
from ocrjury.frontends.web.desk.reports_view import list_view as list_reports_view
from ocrjury.frontends.web.desk.requests import ask_for, change_links
from ocrjury.frontends.web.desk.round_course import over_time_view
from ocrjury.frontends.web.desk.stuck_view import stuck_view
from ocrjury.frontends.web.rendering import desk_page
from ocrjury.gate.verdict import RECALIBRATE
from ocrjury.language import language, tr
from ocrjury.store.damaged_files import is_whole
from ocrjury.store.database import writing
from ocrjury.store.decisions import list_decisions
from ocrjury.store.documents import read_purged_at
from ocrjury.store.evaluations import usual_zone
from ocrjury.store.paces import rushed_raters
from ocrjury.store.reports import list_reports
from ocrjury.store.results import VerdictRow, latest_verdicts

REPORT: Final = re.compile(r"(final|interim)-([a-z]{2,3})-(\d{1,6})\.(html|pdf)")
MEDIA_TYPES: Final = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}
router = APIRouter(include_in_schema=False)


@router.get("/desk")
def show_evaluations(lead: OnPage, known: Known = "") -> Response:
    """Show all evaluations, or that nothing changed."""
    pulse = pulse_of(lead)
    if known == pulse:
        return unchanged(pulse)
    listed = list_view(lead)._asdict()
    return desk_page("evaluations", lead=lead, **listed, stuck=stuck_view(lead), pulse=pulse)


@router.get("/desk/reports")
def show_reports(lead: OnPage) -> Response:
    """Show all reports of all campaigns."""
    sees = None if lead.link.scope is None else lead.sees
    reports, trends = list_reports_view(lead.site.store.engine, sees=sees)
    zone = ZoneInfo(usual_zone(lead.site.store.engine))
    return desk_page("reports", lead=lead, reports=reports, trends=trends, zone=zone)


@router.get("/desk/{name}")
def show_evaluation(name: str, lead: OnPage, known: Known = "") -> Response:
    """Show one evaluation, or that nothing changed."""
    return unchanged_page(lead, name, known=known) or evaluation_page(lead, name)


@router.get("/desk/{name}/items")
def show_items(
    name: str,
    lead: OnPage,
    *,
    number: Annotated[int, Query(alias="page", ge=1, le=10_000)] = 1,
    dimension: Annotated[str, Query(max_length=64)] = "",
    known: Known = "",
) -> Response:
    """Show the items that divide raters, the widest first, or that nothing changed."""
    if same := unchanged_page(lead, name, known=known):
        return same
    evaluation, pulse = standing_of(lead, name).evaluation.evaluation, pulse_of(lead, name)
    seen = see_items(lead, evaluation, page=number, dimension=dimension)
    frame, scales = frame_of(lead, evaluation), lead.site.campaign(evaluation).rubric.scales
    return desk_page("items", **frame, seen=seen, scales=scales, chosen=dimension, pulse=pulse)


@router.get("/desk/{name}/raters")
def show_raters(name: str, lead: OnPage, known: Known = "") -> Response:
    """Show the raters: how they rate, and their links; or that nothing changed."""
    if same := unchanged_page(lead, name, known=known):
        return same
    standing_of(lead, name)
    look(lead, "view raters", evaluation=name)
    return raters_page(lead, name, pulse=pulse_of(lead, name))


@router.get("/desk/{name}/reports/{file}")
def download(name: str, file: str, lead: OnPage) -> Response:
    """Send a report as a file: never shown inside this application, whose pages are stricter."""
    standing_of(lead, name)
    match = REPORT.fullmatch(file)
    address = None if match is None else _address(lead, name, match)
    if match is None or address is None:
        raise Trouble(404, "unknown", tr("There is no such report."))
    path = lead.site.store.files.path(address)
    if not path.is_file():
        raise Trouble(404, "gone", _gone(lead, name))
    if not is_whole(path):
        again = f"ocrjury report {name} --again"
        raise Trouble(
            500,
            "damaged",
            tr("The file of this report is damaged. {again} writes one.", again=again),
        )
    with writing(lead.site.store.engine) as connection:
        note(connection, lead, "export", target=f"{name} {file}")
    return FileResponse(
        path,
        media_type=MEDIA_TYPES[match[4]],
        filename=f"{name}-{file}",
        content_disposition_type="attachment",
    )


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
        body = read_form(DecisionBody, {**sent, "target": target})
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
        body = read_form(LinkBody, sent)
        done = change_links(lead, standing, body)
    except Trouble as trouble:
        return raters_page(lead, name, problem=trouble.sentence, status=trouble.status)
    if done.address is None:
        return RedirectResponse(f"/desk/{name}/raters#{body.rater}", status_code=303)
    return raters_page(lead, name, made=(body.rater, done.address))


def unchanged_page(lead: Lead, name: str, *, known: str) -> Response | None:
    """Answer to a page of an evaluation that shows what is still so; None if it does not."""
    if not (known and lead.sees(name)):
        return None
    pulse = pulse_of(lead, name)
    return unchanged(pulse) if pulse == known else None


def frame_of(lead: Lead, name: str) -> dict[str, Any]:
    """Values that every page of an evaluation shows."""
    standing, campaign = standing_of(lead, name), lead.site.campaign(name)
    return {
        "lead": lead,
        "evaluation": detail(lead, standing),
        "titles": campaign.rubric.titles(language()),
        "zone": ZoneInfo(campaign.time_zone),
    }


def evaluation_page(
    lead: Lead, name: str, *, problem: str | None = None, status: int = 200
) -> Response:
    """Page of an evaluation, with the problem that a decision met."""
    engine, standing = lead.site.store.engine, standing_of(lead, name)
    pulse = pulse_of(
        lead, name
    )  # before anything is read: what changes meanwhile is seen next time
    frame = frame_of(lead, name)
    agreement = agreement_view(engine, standing, lead.site.campaign(name))
    return desk_page(
        "evaluation",
        status=status,
        **frame,
        agreement=agreement,
        rushed=rushed_raters(engine, name),
        charts=over_time_view(
            engine, frame["evaluation"], agreement, titles=frame["titles"], now=lead.site.now()
        ),
        taken=list(reversed(list_decisions(engine, name))),
        raters=standing.evaluation.raters,
        recalibration=recalibration_view(lead.site, standing, frame["evaluation"].decisions),
        advised=_advised(latest_verdicts(engine, name)[:1]),
        inconclusive=standing.evaluation.held_reason == "inconclusive",
        legend=gate_tone.LEGEND,
        pulse="" if problem else pulse,  # the address of a form shows nothing anew
        problem=problem,
    )


def raters_page(
    lead: Lead,
    name: str,
    *,
    problem: str | None = None,
    status: int = 200,
    made: tuple[str, str] | None = None,
    pulse: str = "",
) -> Response:
    """Page of the raters; it follows what happens by its `pulse`, if it has one."""
    engine = lead.site.store.engine
    frame = frame_of(lead, name)
    stored = stored_agreement(engine, name)
    return desk_page(
        "raters",
        status=status,
        **frame,
        profiles=rater_profiles(lead.site, name, frame["evaluation"].raters, stored=stored),
        source="none" if stored is None else stored.source,
        passed=passed_raters(engine, name),
        emails=lead.site.campaign(name).report.mail is not None,
        by_proxy=signed_in_by_proxy(lead.site, name, frame["evaluation"].raters),
        problem=problem,
        made=made,
        pulse=pulse,
    )


def _advised(verdicts: list[VerdictRow]) -> dict[str, list[str]]:
    """Raters and dimensions that the gate advises to recalibrate, chosen beforehand in the form.

    What is chosen is every rater on every dimension, and their ratings there no longer count. So
    where the advice is about other raters on each dimension, it is that on the first one only.
    """
    raters_on: dict[str | None, list[str]] = {}
    for action in (action for row in verdicts for action in row.actions):
        if action.kind == RECALIBRATE:
            named = raters_on.setdefault(action.dimension, [])
            if action.rater and action.rater not in named:
                named.append(action.rater)
    first = next(iter(raters_on.values()), [])
    alike = all(set(named) == set(first) for named in raters_on.values())
    dimensions = list(raters_on) if alike else list(raters_on)[:1]
    everywhere = None in dimensions
    return {"rater": first, "dimension": [] if everywhere else [d for d in dimensions if d]}


def _gone(lead: OnPage, name: str) -> str:
    """Sentence on why a report has no file."""
    purged = read_purged_at(lead.site.store.engine, name)
    if purged is None:
        return tr("The file of this report no longer exists.")
    return tr(
        "This report was removed on {day} with the texts of the documents in it. "
        "A later version has the same numbers.",
        day=f"{purged:%Y-%m-%d}",
    )


def _address(lead: OnPage, name: str, match: re.Match[str]) -> str | None:
    """Address of a report's file in the store, None where there is none."""
    for row in list_reports(lead.site.store.engine, name):
        if (row.kind, row.language, row.version) == (match[1], match[2], int(match[3])):
            return row.html_uri if match[4] == "html" else row.pdf_uri
    return None
