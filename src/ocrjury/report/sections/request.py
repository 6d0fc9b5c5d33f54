"""Decision that the report asks for, its owner and its date."""

from dataclasses import dataclass
from datetime import timedelta

from ocrjury.campaign.owners import About, Owner
from ocrjury.gate.shown_dimensions import is_shown
from ocrjury.language import phrase, said, tr
from ocrjury.pages.numbers import long_date, paragraph
from ocrjury.report.data import ReportData
from ocrjury.report.sections import choice
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.sampling import Sampling
from ocrjury.report.stored_evaluation import Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Owners of the decision and of the work, and the days after the report for the decision."""

    owner: Owner
    days: int


_ASKED = {
    "MET": phrase("Accept the OCR output for use, or name what still stands in the way."),
    "NOT MET": phrase(
        "Have the OCR improved, have people check the uncertain part, or accept the shortfall."
    ),
    "NOT SHOWN": phrase(
        "Have more rated, so that the range gets shorter, or decide without proof either way."
    ),
    "DRAWN": phrase(
        "Have the items rated by more raters, so that the range gets shorter, or decide without "
        "proof either way."
    ),
    "ALONE": phrase(
        "Have a second rater rate the items, so that the estimate gets a range, or decide without "
        "proof either way."
    ),
    "PASS": phrase("Set a target: without one, nobody can say whether the OCR is good enough."),
    "UNORDERED": phrase(
        "Decide from the shares of the categories whether the OCR is good enough: categories "
        "without an order allow no target."
    ),
    "OPEN": phrase(
        "Improve the raters’ agreement, or release the results against the gate and say why."
    ),
    "FAIL": phrase(
        "Have the rubric made clearer, the raters trained and the items rated again: no release "
        "shows what raters do not agree on."
    ),
}
"""The decision, by the word of the cover; OPEN while a release could show what is asked for, FAIL
where none can, ALONE where one rater gave all ratings, DRAWN where the pool has no more items,
UNORDERED where no scale allows a target."""


def request_of(stored: Stored) -> Request:
    """Owners and dates as the campaign gives them."""
    wanted = stored.campaign.report
    return Request(owner=wanted.owner, days=wanted.decide_in_days)


def decision(report: ReportData) -> str:
    """The decision that the report asks for."""
    best = choice.chosen(report)
    choose = "" if best is None else tr("Choose {system}.", system=choice.name(best))
    return paragraph([choose, str(said(_ASKED[_asked(report)]))])


def _asked(report: ReportData) -> str:
    """Key of the decision."""
    word, sampling = _word(report), report.get(Sampling)
    if len(report[Raters].rows) == 1 and word in {"OPEN", "NOT SHOWN"}:
        return "ALONE"
    drawn = word == "NOT SHOWN" and sampling is not None and sampling.everything
    return "DRAWN" if drawn else word


def _word(report: ReportData) -> str:
    """Word on which the decision rests."""
    if not _can_be_shown(report):
        return "FAIL"
    if not report.verdict.trusted:
        return "OPEN"
    outcome = choice.outcome(report) or report.outcome
    if outcome is not None:
        return outcome.word
    ordered = any(report.labels(row.key).ordered for row in report.dimensions)
    return "PASS" if ordered else "UNORDERED"


def _can_be_shown(report: ReportData) -> bool:
    """Return whether a release shows the target's dimension, or without a target any dimension."""
    about = None if report.outcome is None else report.outcome.target.dimension
    own = [row for row in report.verdict.dimensions if about in {None, row.dimension}]
    return not own or any(is_shown(row.decision, trusted=True) for row in own)


def facts(report: ReportData) -> list[tuple[str, str]]:
    """Decision, owner and date, each with its label; nothing for ratings without a campaign."""
    request = report.get(Request)
    if request is None:
        return []
    last = report.identity.issued_at + timedelta(days=request.days)
    return [
        (tr("Decision"), decision(report)),
        (tr("Owner"), request.owner.decision or tr("not named in the campaign")),
        (tr("By"), long_date(last)),
    ]


def owner_of(report: ReportData, about: About) -> str:
    """Owner of some work."""
    request = report.get(Request)
    return (request.owner if request else Owner()).of(about) or ""
