"""Open evaluations for the gallery, take them to their end, and copy their reports."""

import csv
import shutil
from datetime import datetime
from pathlib import Path

from prefect import flow

from benchmarks.gallery_kinds import KINDS, name_said
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.evaluation.case import at_work
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.frontends.sheets import Sender, import_ratings
from ocrjury.store.reports import list_reports
from ocrjury.store.rounds import list_assignments
from ocrjury.tasks.decisions import store_decision
from ocrjury.tasks.opening import open_campaign

PERIOD = "2026w47"
MOST_WAITS = 9


@flow(name="gallery")
def write_reports(folder: Path, kinds: list[str], now: datetime) -> None:
    """Write KIND/LANGUAGE.pdf and .html into a folder.

    Parameters
    ----------
    now
        When the evaluations open.
    """
    for kind in kinds:
        campaign = KINDS[kind](folder / kind)
        opened = open_campaign(str(campaign), period=PERIOD, seed=None, scheduled=now)
        _to_the_end(opened.evaluation, folder / kind)
        _copy(opened.evaluation, folder / kind)


def _to_the_end(evaluation: str, folder: Path) -> None:
    """Go on past every gate, with a file of ratings where nobody simulates them."""
    for _ in range(MOST_WAITS):
        end = advance_until_waiting(evaluation)
        if end.name == "Closed":
            return
        if end.name == "Held":
            target = DecisionTarget()
            reason = "to be shown in the gallery"
            store_decision(evaluation, "proceed", reason=reason, actor="lead", target=target)
        else:
            _rate_by_file(evaluation, folder / "ratings.csv")
    raise RuntimeError(f"{evaluation}: {end.name}, {end.message}")


def _rate_by_file(evaluation: str, path: Path) -> None:
    with at_work() as work:
        asked = [
            assignment
            for assignment in list_assignments(work.engine, evaluation)
            if assignment.state == "open"
        ]
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["evaluation", "item", "rater", "meaning"])
            writer.writerows(
                [evaluation, one.item, one.rater, name_said(one.item, one.rater)] for one in asked
            )
        case = work.case(evaluation)
        scale = case.campaign.rubric.scales
        lead = Sender(vouched=True)
        import_ratings(work.store, case.row, path, scale=scale, now=work.now, sender=lead)


def _copy(evaluation: str, folder: Path) -> None:
    with at_work() as work:
        for report in list_reports(work.engine, evaluation):
            for address in (report.html_uri, report.pdf_uri):
                if report.kind == "final" and address is not None:
                    suffix = Path(address).suffix
                    source = work.store.files.path(address)
                    shutil.copyfile(source, folder / f"{report.language}{suffix}")
