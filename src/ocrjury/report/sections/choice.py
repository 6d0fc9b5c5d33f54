"""Choice among several OCR systems, for the summary and for the decision."""

from collections import Counter
from collections.abc import Iterable

from ocrjury.findings.systems import SystemMean, Systems
from ocrjury.language import phrase, tr
from ocrjury.pages.document_text import cut
from ocrjury.pages.numbers import clauses, estimate_text, listing, paragraph
from ocrjury.report.data import ReportData
from ocrjury.report.outcome import Outcome
from ocrjury.report.sections import system_leads, systems

MOST_IN_PAIRS = 3
"""Systems whose differences the summary lists; of more the chapter tells them."""


def best(row: Systems) -> SystemMean | None:
    """System that is clearly better than each of the others to these raters, None without one."""
    return _first(row, system_leads.leads(row))


def _first(row: Systems, leads: Iterable[system_leads.Lead]) -> SystemMean | None:
    """System that leads all others."""
    behind = Counter(lead.better for lead in leads)
    others = len(row.systems) - 1
    return next((of for of in row.systems if others and behind[of.system] == others), None)


def _best_to_others(row: Systems) -> SystemMean | None:
    """System that other raters would find clearly better than each of the others."""
    return _first(row, (lead for lead in system_leads.leads(row) if lead.holds))


def chosen(report: ReportData) -> SystemMean | None:
    """Best system on the headline's dimension, None without one or where it is not printed.

    It is the best to other raters too: a system is chosen for more people than those who rated.
    """
    row = systems.on_headline(report)
    return None if row is None else _best_to_others(row)


def outcome(report: ReportData) -> Outcome | None:
    """Outcome of the best system against the target on its own."""
    row, of = systems.on_headline(report), chosen(report)
    return None if row is None or of is None else systems.outcome(report, row, of)


def title(report: ReportData, row: Systems) -> str:
    """Finding on the systems: which is the best, or that nobody can tell."""
    dimension, chosen = report.name(row.dimension), best(row)
    if chosen is None and len(row.systems) == 2:
        names = listing([name(of) for of in row.systems])
        return tr(
            "{systems} cannot be told apart on {dimension}", systems=names, dimension=dimension
        )
    if chosen is None:
        return tr("No system is clearly the best on {dimension}", dimension=dimension)
    if len(row.systems) > 2:
        text = phrase("{better} is the best of {n} systems on {dimension}")
        if _best_to_others(row) is None:
            text = phrase(
                "These raters find {better} the best of {n} systems on {dimension}; other raters "
                "might not"
            )
        return tr(text, better=name(chosen), n=len(row.systems), dimension=dimension)
    [lead] = system_leads.leads(row)
    return system_leads.text(lead, dimension)


def text(row: Systems) -> str:
    """Means of the systems, best first, and what the title does not say of their differences."""
    means = sorted(row.systems, key=lambda of: (not of.estimate.defined, -of.estimate.value))
    sentences = [
        tr(
            "Mean ratings: {means}.",
            means=clauses(
                tr("{name} {value}", name=name(of), value=estimate_text(of.estimate))
                for of in means
            ),
        )
    ]
    if len(means) <= MOST_IN_PAIRS and (len(means) > 2 or best(row) is None):
        sentences += [tr("Differences: {differences}.", differences=_differences(row))]
    return paragraph(sentences)


def name(of: SystemMean) -> str:
    """Name of a system as far as a sentence has room for it."""
    return cut(of.system, 40)


def _differences(row: Systems) -> str:
    return clauses(
        tr(
            "{pair} {points} ({range})",
            pair=tr("{a} less {b}", a=cut(pair.a, 40), b=cut(pair.b, 40)),
            points=systems.difference(pair),
            range=systems.difference_range(pair.others),
        )
        for pair in row.differences
    )
