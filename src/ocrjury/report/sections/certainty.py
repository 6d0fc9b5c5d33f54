"""How sure the numbers are: cautions, cross-checks, the plan, what came back."""

from typing import Literal, NamedTuple

from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.findings.pool_estimates import Caution as Warned
from ocrjury.findings.pool_estimates import PoolEstimates, Response
from ocrjury.pages.numbers import (
    NOTHING,
    count,
    decimal,
    estimate_text,
    interval_text,
    listing,
    plural,
    value_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.plan import plan_of

INFERRED = (
    "Labels are what a model of the raters infers from all ratings, adjudicated ones too. Their "
    "range counts what the model does not know of each label, and, by leaving out one rater after "
    "the other, what other raters would have changed."
)
WAYS = (
    "GREG: for other raters like these. These raters: each counts alike, whatever the scatter, and "
    "without gold. Hájek: plain means of each item’s ratings, weighted by the draw; it shares "
    "nothing with the others but the ratings. The ranges of these two count the choice of "
    "documents only."
)
_POINT = 0.0005
"""Under this, a range of shares prints as one number."""


class Caution(NamedTuple):
    """Cautions, each with what it concerns."""

    about: str
    text: str


def shown(report: ReportData) -> list[PoolEstimates]:
    """Dimensions of which a number is printed."""
    return [row for row in report.estimates if report.verdict.shows(row.dimension)]


def lead(report: ReportData) -> str:
    """Section in a sentence or two."""
    n = len(cautions(report))
    subject = f"{plural(n, 'caution')} {'goes' if n == 1 else 'go'}" if n else "No caution goes"
    subject += " with the estimates"
    answers = [response for _, response in responses(report)]
    if not answers:
        return f"{subject}."
    silent = max(answer.drawn - answer.rated for answer in answers)
    if not silent:
        return f"{subject}, and every drawn item was rated."
    return f"{subject}, and {plural(silent, 'drawn item')} went without a rating."


def cautions(report: ReportData) -> list[Caution]:
    """Warnings of all printed estimates, the same sentence once."""
    about: dict[str, dict[str, list[str]]] = {}
    for row in shown(report):
        for warning in row.cautions():
            names = about.setdefault(warning.text, {})
            names.setdefault(_statistic(report, row, warning), []).append(row.dimension)
    return [Caution(_about(report, names), text) for text, names in about.items()]


def no_cautions_text(report: ReportData) -> str:
    """Signs of trouble that were looked for and not found."""
    ways = "GREG and Hájek agree" if shown(report) else "no estimate is printed"
    return (
        f"There is none: {ways}, no share rests on too few cases, no document type on too few "
        "documents, and every drawn item was rated."
    )


def _about(report: ReportData, names: dict[str, list[str]]) -> str:
    reasons = "; ".join(
        f"{statistic} on {listing(list(map(report.name, dict.fromkeys(dimensions))))}"
        for statistic, dimensions in names.items()
    )
    return reasons[:1].upper() + reasons[1:]


def _statistic(report: ReportData, row: PoolEstimates, warning: Warned) -> str:
    return {
        "mean": "mean",
        "share": "the target’s share",
        "usable": f"share at {row.usable_level:g} or better",
        "unusable": f"share at {report.labels(row.dimension).low:g}",
        "inferred": "inferred labels",
        "type": f"type {warning.doc_type}",
    }[warning.about]


def share_text(row: PoolEstimates, which: Literal["usable", "unusable"]) -> str:
    """Share at a level, marked where it rests on too few cases."""
    share = row.usable if which == "usable" else row.unusable
    if share is None:
        return NOTHING
    text = estimate_text(share, share=True)
    return f"{text}, too few" if which in row.few else text


def few_text(report: ReportData) -> str | None:
    """Explanation of the mark, None where nothing bears it."""
    if not any(row.few for row in shown(report)):
        return None
    return (
        "Too few: fewer than 10 items are on the smaller side of the share, so its range is only "
        "a rough guide."
    )


def quartile_text(report: ReportData) -> str | None:
    """Range of item means that holds the middle half of the pool."""
    parts = [
        f"{decimal(low.value, 1)} to {decimal(high.value, 1)} on {report.name(row.dimension)}"
        for row in shown(report)
        if len(row.quartiles) == 3
        for low, _, high in [row.quartiles]
        if low.defined and high.defined
    ]
    if not parts:
        return None
    return f"The mean ratings of the middle half of the pool: {listing(parts)}."


def ways_title(report: ReportData) -> str:
    """Finding of the table of estimators."""
    apart = [
        (abs(row.others.value - other.value), row)
        for row in shown(report)
        for other in (row.these, row.hajek, row.inferred)
        if other is not None and other.defined and row.others.defined
    ]
    if not apart:
        return "The mean in other ways"
    most, row = max(apart, key=lambda one: one[0])
    return (
        f"The mean in other ways: at most {decimal(most)} points apart, on "
        f"{report.name(row.dimension)}"
    )


def gold_text(report: ReportData) -> str | None:
    """What gold did to the estimates, None without gold."""
    parts = [
        f"{report.name(row.dimension)} {value_text(row.others)}, without gold "
        f"{value_text(row.gold.uncorrected)} ({plural(row.gold.n_ratings, 'rating')} of gold)"
        for row in shown(report)
        if row.gold is not None and row.gold.uncorrected.defined and row.others.defined
    ]
    if not parts:
        return None
    return (
        "Items whose rating is known show how high or low the raters are as a group; GREG is "
        f"corrected by that: {'; '.join(parts)}."
    )


def inferred_text(report: ReportData) -> str | None:
    """What the column of inferred labels is, None without one."""
    return INFERRED if any(row.inferred is not None for row in shown(report)) else None


def responses(report: ReportData) -> list[tuple[str, Response]]:
    """How much came back, by the dimension's name."""
    return [
        (report.name(row.dimension), row.response)
        for row in report.estimates
        if row.response is not None
    ]


def complete_text(report: ReportData) -> str | None:
    """Sentence in place of a table where everything came back, None otherwise."""
    answers = [response for _, response in responses(report)]
    if not answers or any(answer.complete < answer.drawn for answer in answers):
        return None
    drawn, given = answers[0].drawn, answers[0].given
    alike = len({(answer.drawn, answer.given) for answer in answers}) == 1
    counts = f": {plural(drawn, 'item')}, {plural(given, 'rating')} on each dimension"
    return f"Every drawn item has all its ratings{counts if alike else ''}."


def response_title(report: ReportData) -> str:
    """Finding of the table of what came back, where something did not."""
    answers = [response for _, response in responses(report)]
    worst = min(answers, key=lambda answer: answer.complete / max(answer.drawn, 1))
    return (
        f"{count(worst.complete)} of {plural(worst.drawn, 'drawn item')} have all their ratings "
        "on the dimension that has fewest"
    )


def response_text(report: ReportData) -> str | None:
    """Treatment of items without a rating, None where every item has one."""
    silent = [(name, one) for name, one in responses(report) if one.rated < one.drawn]
    if not silent:
        return None
    name, worst = max(silent, key=lambda pair: pair[1].drawn - pair[1].rated)
    where = listing([f"{stratum} ({number})" for stratum, number in worst.silent.items()])
    return (
        f"Items without any rating are stood for by the rated ones of their stratum, as if they "
        f"were missing by chance. On {name} they are in {where}; a rated item counts up to "
        f"{decimal(worst.growth)} times as much for it."
    )


def field_interval(row: KindErrors) -> str:
    """Interval of a share of fields, with its mark."""
    if row.exact:
        return "exact: every field was compared"
    if row.estimate.defined and row.estimate.high - row.estimate.low < _POINT:
        return "follows from the error rates"
    text = interval_text(row.estimate, share=True)
    return f"{text} (too few)" if row.few else text


def fields_text(report: ReportData, errors: FieldErrors) -> str:
    """Definition of a critical error, and the basis of the numbers."""
    kinds = listing([row.kind for row in errors.by_kind])
    sentence = (
        "Critical error: a field rule of the rubric takes the best rating on "
        f"{report.name(errors.dimension)} from a field of kind {kinds}, because it does not say "
        f"what its reference says. {_basis(errors)}"
    )
    if errors.exact or not errors.unknown:
        return sentence
    fields = plural(errors.unknown, "drawn field")
    return f"{sentence} {fields} without a reference: others of the stratum stand for them."


def _basis(errors: FieldErrors) -> str:
    """Whether the shares were counted or estimated, and the share over all kinds."""
    if errors.exact:
        return (
            "All fields of the pool have a reference and were compared; over all these kinds "
            f"{value_text(errors.share, share=True)}, without sampling error."
        )
    exact = [row.kind for row in errors.by_kind if row.exact]
    counted = f", {listing(exact)} counted" if exact else ""
    return (
        f"Estimated for the whole pool from the drawn fields{counted}; over all these kinds "
        f"{estimate_text(errors.share, share=True)}."
    )


SECTION = Section(
    "certainty",
    "How sure the numbers are",
    "report/certainty.html.j2",
    lambda report: any(row.hajek for row in report.estimates),
    {"plan": plan_of},
)
