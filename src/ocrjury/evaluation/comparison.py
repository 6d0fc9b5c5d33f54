"""Compare any two evaluations that ask the same of raters."""

from ocrjury.agreement import krippendorff_alpha
from ocrjury.agreement.difference import agreement_difference
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.compared_evaluation import ComparedEvaluation, fingerprints
from ocrjury.evaluation.earlier_cases import DONE
from ocrjury.evaluation.inference import first_pass_tables
from ocrjury.evaluation.trends import agreed_on, measure_trends
from ocrjury.findings.comparison import ComparedDimension, Comparison
from ocrjury.findings.pool_scores import MetricSummary, PoolScores
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.findings.trend import Trend
from ocrjury.metrics import COMPARED
from ocrjury.store.results import latest_findings

STATISTIC = "krippendorff_alpha"
_BEFORE_ESTIMATES = ("opened", "scored", "sampled", "collecting", "rated", "judged")


def compare(earlier: Case, later: Case) -> Comparison:
    """Means, agreement and automatic metrics of two evaluations, with what changed.

    Documents and raters that are in both are compared with themselves. Where both judged the same
    outputs, a difference is one of raters. A dimension on which the raters of one evaluation did
    not agree has no mean here, as in its own report.

    Raises
    ------
    InputError
        If the two are one, hold the same ratings, or share no dimension on the same scale, or if
        one is not estimated yet, only one of them was rated by people, or they are named in the
        reverse order of time.
    """
    _refuse_unestimated(earlier)
    _refuse_unestimated(later)
    _refuse_rehearsal(earlier, later)
    _refuse_reverse(earlier, later)
    first, second = fingerprints(earlier), fingerprints(later)
    if first.ratings == second.ratings:
        raise InputError(
            f"{earlier.name} and {later.name} hold the same ratings; there is nothing to compare."
        )
    names = _shared(earlier, later)
    if not names:
        raise InputError(
            f"{earlier.name} and {later.name} share no dimension on the same scale; compare "
            "evaluations of one rubric."
        )
    before, after = first_pass_tables(earlier), first_pass_tables(later)
    trends = _trends(earlier, later, names)
    return Comparison(
        earlier=earlier.name,
        later=later.name,
        dimensions=tuple(
            ComparedDimension(
                dimension=name,
                trend=trends.get(name),
                statistic=STATISTIC,
                before=krippendorff_alpha(before[name]),
                after=krippendorff_alpha(after[name]),
                difference=agreement_difference(before[name], after[name], statistic=STATISTIC),
            )
            for name in names
            if name in before and name in after
        ),
        metrics_before=_metrics(earlier),
        metrics_after=_metrics(later),
        same_outputs=first.repeat(second),
    )


def _refuse_unestimated(case: Case) -> None:
    state, once = case.row.state, case.standing.history.estimated_once
    # Categories without order are estimated without any estimate.
    done = state in DONE or case.row.held_from in DONE
    if state in _BEFORE_ESTIMATES or not (done or once):
        hope = "" if state == "aborted" else " yet; compare it once it has"
        raise InputError(f"{case.name} is {state} and has no estimates{hope}.")


def _refuse_rehearsal(earlier: Case, later: Case) -> None:
    if earlier.row.simulated == later.row.simulated:
        return
    names = [earlier.name, later.name]
    rehearsal, other = names if earlier.row.simulated else reversed(names)
    raise InputError(
        f"{rehearsal} was rated by simulated raters and {other} by people; a difference between "
        "them shows nothing. Compare two evaluations that people rated."
    )


def _refuse_reverse(earlier: Case, later: Case) -> None:
    """Raise where a rise would be printed as a fall; a period that is made up for is no mistake."""
    first, second = earlier.row, later.row
    if first.opened_at > second.opened_at and first.period > second.period:
        raise InputError(
            f"{earlier.name} was opened after {later.name}, and the change would have the wrong "
            f"sign. Name the earlier one first: ocrjury report --compare {later.name} "
            f"{earlier.name} --out FOLDER."
        )


def _shared(earlier: Case, later: Case) -> list[str]:
    """Dimensions that both have on the same scale."""
    scales = earlier.campaign.rubric.scales
    own = later.campaign.rubric.scales
    return [name for name in later.dimensions if scales.get(name) == own[name]]


def _trends(earlier: Case, later: Case, names: list[str]) -> dict[str, Trend]:
    """Change of the mean by dimension, where both means may be shown."""
    past, newer = [ComparedEvaluation(earlier)], ComparedEvaluation(later)
    shown = [
        name
        for name in names
        if later.campaign.rubric.scales[name].ordered
        and agreed_on(past, name)[0]
        and agreed_on([newer], name)[0]
    ]
    samples = {name: newer.sample(name) for name in shown}
    return {trend.dimension: trend for trend in measure_trends(later, samples, past)}


def _metrics(case: Case) -> tuple[MetricSummary, ...]:
    """Automatic metrics of a pool that are compared."""
    scores = latest_findings(case.work.engine, case.name, PoolScores, kind="scores").get(
        ALL_DIMENSIONS
    )
    return () if scores is None else tuple(row for row in scores.summary if row.metric in COMPARED)
