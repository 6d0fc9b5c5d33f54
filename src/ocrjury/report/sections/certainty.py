"""Certainty of the numbers: cautions, cross-checks, the plan, the response."""

from typing import Literal, NamedTuple

from ocrjury.estimation.interval import MIN_CASES
from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.findings.pool_estimates import Caution, PoolEstimates
from ocrjury.language import phrase, tr, trn
from ocrjury.pages.headline_words import beside_plain
from ocrjury.pages.numbers import (
    NOTHING,
    clauses,
    decimal,
    estimate_text,
    has_interval,
    interval_text,
    listing,
    paragraph,
    plural,
    range_text,
    value_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section, joint_dimensions
from ocrjury.report.sections.field_kinds import kind_name, kind_names
from ocrjury.report.sections.plan import plan_of
from ocrjury.report.sections.response import silence
from ocrjury.rounding import given, rounded

INFERRED = phrase(
    "Labels are what a model of the raters infers from all ratings, adjudicated ones too. Their "
    "range counts the choice of items, what the model does not know of each label, and, by leaving "
    "out one rater after the other, what other raters would have changed."
)
WAYS = phrase(
    "GREG: for other raters like these. These raters: each counts alike, whatever the scatter, and "
    "without gold. Hájek: plain means of each item’s ratings; it shares nothing with the others "
    "but these and the weights of the draw. The range of these raters counts the choice of items "
    "and the chance in ratings, that of Hájek the choice of items only."
)


_POINT = 0.0005
"""Width below which a range of shares prints as one number."""


class CautionGroup(NamedTuple):
    """Cautions, each with what it concerns."""

    about: str
    text: str


def shown(report: ReportData) -> list[PoolEstimates]:
    """Dimensions of which a number is printed."""
    return [row for row in report.estimates if report.verdict.shows(row.dimension)]


def lead(report: ReportData) -> str:
    """Section in a sentence or two."""
    return paragraph([_number_of_cautions(report), silence(report)])


def _number_of_cautions(report: ReportData) -> str:
    if not shown(report):
        return tr("No estimate is printed, so none is checked here.")
    n = len(cautions(report))
    if not n:
        return tr("No caution goes with the estimates.")
    return trn("{n} caution goes with the estimates.", "{n} cautions go with the estimates.", n)


def cautions(report: ReportData) -> list[CautionGroup]:
    """Warnings of all printed estimates, the same sentence once."""
    about: dict[str, dict[str, list[str]]] = {}
    for row in shown(report):
        same: dict[str, list[Caution]] = {}
        for warning in row.cautions():
            same.setdefault(warning.text, []).append(warning)
        for text, warnings in same.items():
            names = about.setdefault(text, {})
            for statistic in _statistics(report, row, warnings):
                names.setdefault(statistic, []).append(row.dimension)
    of_scores = joint_dimensions.cautions(report, known=about)
    groups = [CautionGroup(_about(report, names), text) for text, names in about.items()]
    return groups + [CautionGroup(tr("All dimensions as one score"), text) for text in of_scores]


NO_CAUTIONS = phrase(
    "There is none: GREG and Hájek of plain means agree, no share rests on too few cases, no "
    "document type on too few items, and every drawn item was rated."
)
"""Signs of trouble that were looked for and not found."""


def _about(report: ReportData, names: dict[str, list[str]]) -> str:
    reasons = clauses(
        tr(
            "{statistic} on {dimensions}",
            statistic=statistic,
            dimensions=listing(list(map(report.name, dict.fromkeys(dimensions)))),
        )
        for statistic, dimensions in names.items()
    )
    return reasons[:1].upper() + reasons[1:]


def _statistics(report: ReportData, row: PoolEstimates, same: list[Caution]) -> list[str]:
    """Statistics that a warning is about; one about all document types names none."""
    types = {warning.doc_type for warning in same if warning.about == "type"}
    if len(types) < 2 or types < {of.doc_type for of in row.types}:
        return [_statistic(report, row, warning) for warning in same]
    others = [_statistic(report, row, warning) for warning in same if warning.about != "type"]
    return [*others, tr("every document type")]


def _statistic(report: ReportData, row: PoolEstimates, warning: Caution) -> str:
    return {
        "mean": tr("mean"),
        "share": tr("the target’s share"),
        "usable": tr("share at {level} or better", level=given(row.usable_level)),
        "unusable": tr("share at {level}", level=given(report.labels(row.dimension).low)),
        "inferred": tr("inferred labels"),
        "type": tr("type {doc_type}", doc_type=warning.doc_type),
    }[warning.about]


def share_text(row: PoolEstimates, which: Literal["usable", "unusable"]) -> str:
    """Share at a level, marked where it rests on too few cases."""
    share = row.usable if which == "usable" else row.unusable
    if share is None:
        return NOTHING
    # Why there is no interval stands once in the row.
    text = (
        estimate_text(share, share=True) if has_interval(share) else value_text(share, share=True)
    )
    marked = tr("{share}, too few", share=text) if which in row.few else text
    return beside_gold(marked, row, which)


def beside_gold(text: str, row: PoolEstimates, which: Literal["usable", "unusable"]) -> str:
    """Text of a share, with what gold did to it where gold corrected the mean."""
    if row.gold is None:
        return text
    plain = row.gold.usable if which == "usable" else row.gold.unusable
    if plain is None:
        return tr("{value}, not corrected by gold", value=text)
    return beside_plain(text, plain, share=True)


def few_text(report: ReportData) -> str | None:
    """Explanation of the mark, None where nothing bears it."""
    if not any(row.few for row in shown(report)):
        return None
    return tr(
        "Too few: fewer than {cases} items are on the smaller side of the share, so its range is "
        "only a rough guide.",
        cases=MIN_CASES,
    )


def quartile_text(report: ReportData) -> str | None:
    """Range of item means that holds the middle half of the pool."""
    rows = [
        (row, range_text(decimal(low.value, 1), decimal(high.value, 1)))
        for row in shown(report)
        if len(row.quartiles) == 3
        for low, _, high in [row.quartiles]
        if low.defined and high.defined
    ]
    if not rows:
        return None
    parts = [
        tr("{range} on {dimension}", range=middle, dimension=report.name(row.dimension))
        for row, middle in rows
    ]
    text = tr("The mean ratings of the middle half of the pool: {parts}.", parts=listing(parts))
    plain = tr("They are not corrected by gold.") if any(row.gold for row, _ in rows) else ""
    return paragraph([text, plain])


def ways_title(report: ReportData) -> str:
    """Finding of the table of estimators."""
    apart = [
        (abs(rounded(row.others.value, 2) - rounded(other.value, 2)), row)  # as printed
        for row in shown(report)
        for other in (row.these, row.hajek, row.inferred)
        if other is not None and other.defined and row.others.defined
    ]
    if not apart:
        return tr("The mean in other ways")
    most, row = max(apart, key=lambda way: way[0])
    return tr(
        "The mean in other ways: at most {points} points from GREG, on {dimension}",
        points=decimal(most),
        dimension=report.name(row.dimension),
    )


def gold_text(report: ReportData) -> str | None:
    """Effect of gold on the estimates, None without gold."""
    parts = [
        tr(
            "{dimension} {value}, without gold {uncorrected} ({ratings} of gold)",
            dimension=report.name(row.dimension),
            value=value_text(row.others),
            uncorrected=value_text(row.gold.uncorrected),
            ratings=plural(row.gold.n_ratings, "rating"),
        )
        for row in shown(report)
        if row.gold is not None and row.gold.uncorrected.defined and row.others.defined
    ]
    if not parts:
        return None
    return tr(
        "Items whose rating is known show how high or low the raters are as a group; GREG is "
        "corrected by that: {parts}.",
        parts=clauses(parts),
    )


def inferred_text(report: ReportData) -> str | None:
    """Legend of the column of inferred labels, None without one."""
    return INFERRED if any(row.inferred is not None for row in shown(report)) else None


def field_interval(row: KindErrors) -> str:
    """Interval of a share of fields, with its mark."""
    if row.exact:
        return tr("exact: every field was compared")
    if row.estimate.defined and row.estimate.high - row.estimate.low < _POINT:
        return tr("follows from the error rates")
    text = interval_text(row.estimate, share=True)
    return tr("{range} (too few)", range=text) if row.few else text


def fields_text(report: ReportData, errors: FieldErrors) -> str:
    """Definition of a critical error, and the basis of the numbers."""
    kinds = listing(kind_names(errors), "or")
    meaning = tr(
        "Critical error: a field rule of the rubric takes the best rating on {dimension} from a "
        "field of kind {kinds}, because it does not say what its reference says.",
        dimension=report.name(errors.dimension),
        kinds=kinds,
    )
    unjudged = tr(
        "Not judged, because no field of the kind has a reference: {kinds}.",
        kinds=listing([kind_name(kind) for kind in errors.unjudged]),
    )
    judged = [meaning, _basis(errors), unjudged if errors.unjudged else ""]
    if errors.exact or not errors.unknown:
        return paragraph(judged)
    unknown = trn(
        "{n} field without a reference: others of its stratum stand for it.",
        "{n} fields without a reference: others of their stratum stand for them.",
        errors.unknown,
    )
    unlike = trn(
        "In the stratum of {n} of them, no field has a reference: the range allows for it to be "
        "right or wrong.",
        "In the strata of {n} of them, no field has a reference: the range allows for all of "
        "these to be right, or all to be wrong.",
        errors.unlike,
    )
    return paragraph([*judged, unknown, unlike if errors.unlike else ""])


def _basis(errors: FieldErrors) -> str:
    """Sentence on the basis of the shares, counted or estimated, and the share over all kinds."""
    if errors.exact:
        return tr(
            "All fields of these kinds have a reference and were compared; over all of them "
            "{share}, without sampling error.",
            share=value_text(errors.share, share=True),
        )
    exact = [kind_name(row.kind) for row in errors.by_kind if row.exact]
    share = estimate_text(errors.share, share=True)
    if not exact:
        return tr(
            "Estimated from all fields of the pool that have a reference; over all these kinds "
            "{share}.",
            share=share,
        )
    return tr(
        "Estimated from all fields of the pool that have a reference, {kinds} counted; over all "
        "these kinds {share}.",
        kinds=listing(exact),
        share=share,
    )


SECTION = Section(
    "certainty",
    phrase("How sure the numbers are"),
    "report/certainty.html.j2",
    lambda report: any(row.hajek for row in report.estimates),
    {"plan": plan_of},
)
