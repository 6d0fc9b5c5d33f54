"""Page of an evaluation in Prefect's UI: where it stands, how far raters are, what comes next."""

from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.campaign.decisions import allowed
from ocrjury.campaign.settings import Settings
from ocrjury.evaluation.case import Case
from ocrjury.pages.artifacts import progress_bar
from ocrjury.pages.environment import render
from ocrjury.pages.left_aside_words import left_aside_texts
from ocrjury.pages.moments import local_minute
from ocrjury.pages.standing import awaits
from ocrjury.signals.artifacts import EvaluationPage, put_page, sender
from ocrjury.signals.own_server import prefect_address, prefect_key
from ocrjury.store.purges import removed_reports
from ocrjury.store.reports import list_reports
from ocrjury.store.results import latest_verdicts
from ocrjury.store.rounds import ItemCounts, RoundRow, count_items, list_progress
from ocrjury.store.single_sign_on import list_shut_out


class Link(NamedTuple):
    """Text and address of a link."""

    text: str
    address: str


class OpenRound(NamedTuple):
    """Progress of a round: assignments and items, in all and by rater, with bars."""

    row: RoundRow
    deadline: str
    done: int
    asked: int
    items: ItemCounts
    raters: list[tuple[str, int, int, str]]
    uninvited: list[str]
    left_aside: list[str]

    @property
    def bar(self) -> str:
        """Bar of the assignments."""
        return progress_bar(self.done, self.asked)


def overview_page(case: Case) -> EvaluationPage:
    """Page of an evaluation; the same standing always has the same page."""
    history, row = case.standing.history, case.row
    standing, last = awaits(history), _round(case) if case.rounds else None
    markdown = render(
        "artifacts/evaluation.md.j2",
        evaluation=case.name,
        row=row,
        title=row.config.title,
        standing=standing,
        place=history.place,
        detail=row.held_detail if history.state == "held" else None,
        decisions=allowed(history) if history.state == "held" else (),
        opened=_local(case, row.opened_at),
        round=last,
        verdicts=latest_verdicts(case.work.engine, case.name),
        links=[desk_link(case), Link("rating page", _site()), *report_links(case)],
    )
    if last is not None and last.row.state == "open":
        standing += f": {last.done:,} of {last.asked:,} done"
    return EvaluationPage(case.name, standing, markdown)


def show_overview(case: Case) -> bool:
    """Show the page of an evaluation in the Prefect of this machine; whether it is new there."""
    api = prefect_address()
    return put_page(overview_page(case), sender(api, key=prefect_key(api)))


def _round(case: Case) -> OpenRound:
    last = case.rounds[-1]
    items = count_items(case.work.engine, case.name, last.round)
    raters = list_progress(case.work.engine, case.name, last.round)
    done = sum(rater.done for rater in raters)
    return OpenRound(
        row=last,
        deadline=_local(case, last.deadline),
        done=done,
        asked=done + sum(rater.open for rater in raters),
        items=items,
        raters=[
            (
                progress.rater,
                progress.done,
                progress.open,
                progress_bar(progress.done, progress.done + progress.open, 10),
            )
            for progress in raters
        ],
        left_aside=left_aside_texts(case.work.engine, case.name, last),
        uninvited=raters_shut_out(case) if last.state == "open" else [],
    )


def _local(case: Case, moment: datetime) -> str:
    return local_minute(moment, case.row.config.time_zone)


def desk_link(case: Case, path: str = "", *, text: str = "desk") -> Link:
    """Link to an evaluation at the desk, or to something of it."""
    return Link(text, f"{_site()}/desk/{quote(case.name)}{path}")


def report_links(case: Case) -> list[Link]:
    """Links to the files of the newest report of each kind and language that are still kept."""
    reports = list_reports(case.work.engine, case.name)
    newest = {(row.kind, row.language): row for row in reports}
    removed = removed_reports(case.work.engine, case.name)
    return [
        desk_link(
            case,
            f"/reports/{row.kind}-{row.language}-{row.version}.{kind}",
            text=f"{row.kind} report {row.version} ({row.language}, {kind.upper()})",
        )
        for row in newest.values()
        if (row.kind, row.language, row.version) not in removed
        for kind, uri in (("html", row.html_uri), ("pdf", row.pdf_uri))
        if uri is not None
    ]


def _site() -> str:
    settings = Settings.from_environment()
    return settings.rating_url or f"http://127.0.0.1:{settings.rating_port}"


def raters_shut_out(case: Case) -> list[str]:
    """Raters of the last round who have no way to the rating page yet."""
    last = case.rounds[-1]
    if last.frontend != RATING_PAGE:
        return []
    sign_on = Settings.from_environment().sign_in_header is not None
    engine, now = case.work.engine, case.work.now
    return list_shut_out(engine, case.name, last.round, now=now, sign_on=sign_on)
