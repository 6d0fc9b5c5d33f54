"""The gate's rule: its statistic and floor, in words and in the tables."""

import math

from ocrjury.findings.agreement import AgreementFinding
from ocrjury.gate.fitting import fitting_estimate
from ocrjury.gate.policy import Condition, policy_name
from ocrjury.gate.reading import short_in_unit
from ocrjury.language import tr
from ocrjury.pages.numbers import clauses
from ocrjury.report.data import ReportData
from ocrjury.report.sections.agreement import Agreement
from ocrjury.statistics import statistic


def judged_statistic(report: ReportData, finding: AgreementFinding | None = None) -> str:
    """Statistic that the gate goes by on a dimension, by default on the one that decides."""
    condition = report.verdict.policy.primary
    finding = finding or weakest(report)
    if finding is None or finding.estimates.keys().isdisjoint(condition.estimates):
        return condition.estimates[0]
    return fitting_estimate(finding.dimension, condition, finding.estimates)


def weakest(report: ReportData) -> AgreementFinding | None:
    """Dimension that decides: of those with the overall verdict, the lowest or undefined one."""
    verdict, rows = report.verdict, report[Agreement].dimensions
    own = {row.dimension: row.decision for row in verdict.dimensions}
    deciding = [row for row in rows if own.get(row.dimension) == verdict.decision]
    values = [(row, row.get(judged_statistic(report, row)).value) for row in deciding or rows]
    lowest = min(values, key=lambda pair: (not math.isnan(pair[1]), pair[1]), default=None)
    return None if lowest is None else lowest[0]


def floor_tick(report: ReportData, finding: AgreementFinding, key: str) -> float | None:
    """Gate's floor if the gate judges this statistic on a dimension."""
    judged = key == judged_statistic(report, finding)
    return report.verdict.policy.primary.floor if judged else None


def rule_text(report: ReportData) -> str:
    """Gate's rule: its conditions, all of which must hold."""
    verdict, key = report.verdict, judged_statistic(report)
    words = {
        "policy": policy_name(verdict.policy.name),
        "statistic": statistic(key).short_label,
        "floor": short_in_unit(verdict.policy.primary.floor, key),
    }
    first = (
        tr("Policy “{policy}”, one-sided lower bound of {statistic} ≥ {floor}", **words)
        if verdict.policy.primary.rule == "bound"
        else tr("Policy “{policy}”, {statistic} ≥ {floor}", **words)
    )
    return clauses([first, *map(_condition_text, verdict.policy.conditions[1:])])


def _condition_text(condition: Condition) -> str:
    """A further condition of a policy."""
    key = condition.estimates[0]
    words = {
        "statistic": statistic(key).short_label,
        "sign": ">" if condition.above else "≥",
        "floor": short_in_unit(condition.floor, key),
    }
    if condition.rule == "bound":
        return tr("one-sided lower bound of {statistic} {sign} {floor}", **words)
    return tr("{statistic} {sign} {floor}", **words)
