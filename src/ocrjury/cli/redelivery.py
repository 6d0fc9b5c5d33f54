"""``ocrjury report NAME --deliver``: once more to all who have not got it."""

from typing import TYPE_CHECKING

from ocrjury.cli.actors import note, note_in
from ocrjury.cli.printing import remark, say
from ocrjury.cli.store_access import open_existing

if TYPE_CHECKING:
    from ocrjury.delivery.redelivery import Ended
    from ocrjury.evaluation.case import Case


def deliver(evaluation: str) -> int:
    """Take the campaign's present addresses and servers, and deliver; 1 if somebody lacks it."""
    from ocrjury.delivery.redelivery import deliver_again, take_deliveries

    with open_existing() as work:
        case = work.case(evaluation)
        changed = take_deliveries(
            case,
            note=lambda connection, what: note_in(
                connection, "change deliveries", evaluation, reason=what, now=work.now
            ),
        )
        if changed:
            remark(f"Taken from {case.row.config_path}: {', '.join(changed)}.")
            case = work.case(evaluation)
        ended = deliver_again(case, first=lambda: note(work, "deliver", evaluation))
        for row in ended:
            say(f"{row.name}  {_outcome(row)}")
        if not ended:
            say(_why_nobody(case))
        left = any(row.left for row in ended)
        if ended and not left and work.case(evaluation).row.state == "reported":
            say(f"The next run closes the evaluation: ocrjury evaluation advance {evaluation}")
    return int(left)


def _outcome(row: "Ended") -> str:
    """Words for the end of an attempt."""
    if row.left is None:
        return "delivered"
    if row.left.progress == "under way":
        return "another process is at it"
    return f"not delivered: {row.left.detail}"


def _why_nobody(case: "Case") -> str:
    """Sentence on a report that was brought to nobody."""
    from ocrjury.store.reports import list_reports

    report = case.row.config.report
    if not any(row.kind == "final" for row in list_reports(case.work.engine, case.name)):
        return f"{case.name} has no report yet; it will go where campaign.yaml says now."
    if not (report.recipients and report.mail) and not (report.webhooks or report.publish):
        return (
            "campaign.yaml names nobody who gets reports: give report.recipients and report.mail, "
            "report.webhooks or report.publish."
        )
    return "Everybody who gets this report has it."
