"""One evaluation as the desk shows it: where it stands, its rounds, verdict and reports."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ocrjury.campaign.decisions import allowed
from ocrjury.campaign.history import FINAL_STATES
from ocrjury.errors import InputError, StateError
from ocrjury.frontends.web.access.leads import Lead
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.bodies import (
    EvaluationBody,
    EvaluationDetail,
    ReportBody,
    RequestBody,
    RoundBody,
    VerdictBody,
)
from ocrjury.frontends.web.desk.next_round import next_round_view
from ocrjury.frontends.web.desk.rater_view import rater_bodies
from ocrjury.language import language, said, tr
from ocrjury.pages.action_words import action_texts
from ocrjury.pages.delivery_words import undelivered_texts
from ocrjury.pages.image_words import image_texts
from ocrjury.pages.left_aside_words import left_aside_texts
from ocrjury.pages.standing import awaits
from ocrjury.pages.unread_words import unread_of
from ocrjury.sentences import changed
from ocrjury.store.decisions import list_requests
from ocrjury.store.evaluations import Evaluation, list_with_unreadable
from ocrjury.store.histories import Standing, list_standings, read_standing
from ocrjury.store.inbox import count_open_remarks
from ocrjury.store.purges import removed_reports
from ocrjury.store.reports import list_reports
from ocrjury.store.results import latest_verdicts, overall_decisions
from ocrjury.store.rounds import RoundRow, count_missing, last_rounds, list_rounds
from ocrjury.store.shown_images import changed_images

LISTED = 200
"""Number of evaluations in the list; earlier ones have their pages all the same."""


def standing_of(lead: Lead, name: str) -> Standing:
    """Standing of an evaluation; `Trouble` if the lead sees none of this name."""
    unknown = Trouble(404, "unknown", tr("There is no such evaluation."))
    if "\x00" in name or not lead.sees(name):  # PostgreSQL takes no such text
        raise unknown
    try:
        return read_standing(lead.site.store.engine, name, now=lead.site.now())
    except InputError as error:
        raise unknown from error
    except StateError as error:
        raise Trouble(409, "unreadable", said(error.args[0])) from error


class ListView(NamedTuple):
    """Evaluations that a lead sees, and a sentence about each that cannot be read."""

    evaluations: list[EvaluationBody]
    unreadable: list[str]


def list_view(lead: Lead) -> ListView:
    """Newest evaluations: those that need a lead first, then the newest first."""
    engine = lead.site.store.engine
    readable, unreadable = list_with_unreadable(engine)
    rows = list(islice((row for row in readable if lead.sees(row.evaluation)), LISTED))
    return ListView(
        _summaries(lead, rows),
        [said(each.reason) for each in unreadable if lead.sees(each.evaluation)],
    )


def _summaries(lead: Lead, rows: Sequence[Evaluation]) -> list[EvaluationBody]:
    engine = lead.site.store.engine
    standings = list_standings(engine, rows, now=lead.site.now())
    standings.sort(key=lambda standing: standing.history.urgency)
    names = [row.evaluation for row in rows]
    decisions, rounds = overall_decisions(engine, names), last_rounds(engine, names)
    unfinished = [
        going.evaluation.evaluation
        for going in standings
        if going.history.state not in FINAL_STATES
    ]
    remarks = count_open_remarks(engine, unfinished)
    short = [name for name in unfinished if name in rounds and _fell_short(rounds[name])]
    missing = count_missing(engine, short)
    return [
        _summary(
            standing,
            verdict=decisions.get(standing.evaluation.evaluation),
            remarks=remarks.get(standing.evaluation.evaluation, 0),
            # What a finished evaluation asked for takes longer to count than all the others.
            round_=None
            if standing.history.state in FINAL_STATES
            else _round(
                lead, standing, rounds.get(standing.evaluation.evaluation), missing=missing
            ),
        )
        for standing in standings
    ]


def detail(lead: Lead, standing: Standing) -> EvaluationDetail:
    """Everything about an evaluation but its agreement."""
    engine, name = lead.site.store.engine, standing.evaluation.evaluation
    rounds, verdicts = _rounds(lead, standing), latest_verdicts(engine, name)
    verdict = verdicts[0].decision if verdicts else None
    titles = lead.site.campaign(name).rubric.titles(language())
    summary = _summary(
        standing,
        verdict=verdict,
        remarks=count_open_remarks(engine, [name]).get(name, 0),
        round_=rounds[-1] if rounds else None,
    )
    held = _with_titles(standing.evaluation.held_detail, titles)
    return EvaluationDetail(
        **{**dict(summary), "held_detail": held},
        unread=unread_of(engine, name, documents=standing.evaluation.pool_size),
        images=image_texts(changed_images(engine, name)),
        left_aside=left_aside_texts(engine, name, rounds[-1] if rounds else None),
        undelivered=_undelivered(lead, standing.evaluation),
        next_round=next_round_view(engine, standing),
        rounds=rounds,
        raters=rater_bodies(lead.site, name),
        verdicts=[
            VerdictBody(
                dimension=verdict.dimension,
                decision=verdict.decision,
                grade=verdict.grade,
                reasons=[_with_titles(sentence, titles) for sentence in verdict.reasons],
                actions=action_texts(verdict.actions, lambda name: titles.get(name, name)),
            )
            for verdict in verdicts
        ],
        decisions=list(allowed(standing.history)),
        requests=[
            RequestBody.model_validate({**request._asdict(), "detail": said(request.detail)})
            for request in reversed(list_requests(engine, name))
        ],
        reports=_reports(lead, name),
    )


def _undelivered(lead: Lead, row: Evaluation) -> list[str]:
    """Sentences on those whom the newest report has not reached."""
    engine, now = lead.site.store.engine, lead.site.now()
    report, zone = row.config.report, row.config.time_zone
    return undelivered_texts(engine, row.evaluation, report, zone=zone, now=now)


def _with_titles(text: str | None, titles: Mapping[str, str]) -> Any:
    """Sentence in which dimensions bear their titles; None where there is none."""
    if text is None:
        return None
    return said(changed(text, "dimension", lambda name: titles.get(name, name)))


def _summary(
    standing: Standing, *, verdict: str | None, remarks: int, round_: RoundBody | None
) -> EvaluationBody:
    """Standing of an evaluation in a line."""
    row = standing.evaluation
    return EvaluationBody(
        evaluation=row.evaluation,
        campaign=row.campaign,
        title=row.config.title,
        state=row.state,
        held_reason=row.held_reason,
        held_detail=said(row.held_detail),
        version=row.version,
        simulated=row.simulated,
        opened_at=row.opened_at,
        time_zone=row.config.time_zone,
        verdict=verdict,
        awaits=awaits(standing.history),
        remarks=remarks,
        round=round_,
    )


def _rounds(lead: Lead, standing: Standing) -> list[RoundBody]:
    """Rounds with their counts, the oldest first."""
    engine, name = lead.site.store.engine, standing.evaluation.evaluation
    rows = list_rounds(engine, name)
    missing = count_missing(engine, [name]) if any(map(_fell_short, rows)) else {}
    return [
        body for row in rows if (body := _round(lead, standing, row, missing=missing)) is not None
    ]


def _fell_short(row: RoundRow) -> bool:
    """Return whether a round was closed before all was done."""
    return row.closed_by not in {None, "complete"}


def _round(
    lead: Lead,
    standing: Standing,
    row: RoundRow | None,
    *,
    missing: Mapping[tuple[str, int], int],
) -> RoundBody | None:
    """A round with its counts, None where they are unknown; `missing` was withdrawn at its end."""
    counted = {round_.number: round_ for round_ in standing.history.rounds}
    if row is None or row.round not in counted:
        return None
    count = counted[row.round]
    return RoundBody(
        number=row.round,
        kind=row.kind,
        attempt=row.attempt,
        state=row.state,
        done=count.ratings,
        asked=count.ratings
        + count.open
        + missing.get((standing.evaluation.evaluation, row.round), 0),
        opened_at=row.opened_at,
        deadline=row.deadline,
        overdue=row.state == "open" and lead.site.now() > row.deadline,
        closed_by=row.closed_by,
    )


def _reports(lead: Lead, name: str) -> list[ReportBody]:
    """Reports, the newest first, with the addresses of their files as far as they are there."""
    store = lead.site.store
    removed = removed_reports(store.engine, name)
    bodies = []
    for row in reversed(list_reports(store.engine, name)):
        version = (row.kind, row.language, row.version)
        path = f"/desk/{name}/reports/{'-'.join(map(str, version))}"
        files = {
            kind: f"{path}.{kind}"
            for kind, uri in (("html", row.html_uri), ("pdf", row.pdf_uri))
            if uri is not None and store.files.path(uri).is_file()
        }
        bodies.append(
            ReportBody(
                kind=row.kind,
                language=row.language,
                version=row.version,
                at=row.at,
                html=files.get("html"),
                pdf=files.get("pdf"),
                removed=not files,
                removed_at=None if files else removed.get(version),
            )
        )
    return bodies
