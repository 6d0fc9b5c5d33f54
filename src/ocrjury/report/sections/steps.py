"""Next steps about the OCR, the rubric and the raters, each with its size and its owner."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ocrjury.campaign.owners import About
from ocrjury.estimate import Estimate
from ocrjury.findings.field_errors import KindErrors
from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.findings.pool_metrics import GroupMean, GroupRow, PoolMetrics
from ocrjury.gate.verdict import Action
from ocrjury.language import phrase, tr, trn
from ocrjury.pages.action_words import action_text, alike, dimensions_of, largest
from ocrjury.pages.numbers import clauses, count, decimal, has_interval, listing, percent, plural
from ocrjury.report.data import ReportData
from ocrjury.report.rule_breaks import RuleBreaks
from ocrjury.report.sections import groups, request, sources
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.counts import Counts, documents_text, fields_of_kind_text
from ocrjury.report.sections.field_kinds import kind_name
from ocrjury.report.sections.raters import Raters
from ocrjury.report.ties import foremost

MOST = 8
"""Steps on the page; whoever gets more does none."""

_ABOUT: dict[str, About] = {"rewrite_anchors": "rubric", "collect_items": "raters"}
_HEADS: dict[About, str] = {
    "ocr": phrase("OCR"),
    "rubric": phrase("Rubric"),
    "raters": phrase("Raters"),
}


class Step(NamedTuple):
    """Something to do: about what, how much it concerns, and who owns it."""

    about: About
    text: str
    size: str

    @property
    def head(self) -> str:
        """Subject of a step, in a word."""
        return _HEADS[self.about]


def steps(report: ReportData) -> list[Step]:
    """Next steps, those about the OCR first; at most `MOST`."""
    return [*_of_ocr(report), *_of_rubric(report), *_of_raters(report)][:MOST]


def owner(report: ReportData, step: Step) -> str:
    """Owner of a step."""
    return request.owner_of(report, step.about)


def _of_ocr(report: ReportData) -> Iterator[Step]:
    """Yield what the numbers say about the OCR, only where they may be printed."""
    for worst in most_errors(report)[:1]:
        yield Step(
            "ocr",
            tr(
                "Find out why {kind} fields are misread, and have them checked until then.",
                kind=kind_name(worst.kind),
            ),
            _wrong_fields(report.get(Counts), worst),
        )
    counts = report.get(Counts)
    for row in weak_types(report)[:1]:
        yield Step(
            "ocr",
            tr("Look at the scans and the layout of {type} first.", type=row.name),
            _with_mean(documents_text(counts, row.pool), row.estimate),
        )
    metrics = report.get(PoolMetrics)
    if metrics is not None and metrics.n_empty:
        yield Step(
            "ocr",
            tr("Find out why outputs are empty; nobody can use them."),
            tr(
                "{n} of {documents} ({share})",
                n=count(metrics.n_empty),
                documents=documents_text(counts, metrics.n),
                share=percent(metrics.n_empty / metrics.n),
            ),
        )
    for column, group, mean in weak_groups(report)[:1]:
        yield Step(
            "ocr",
            tr(
                "Where {column} is {value}, try other scans or another setting of the engine.",
                column=column,
                value=group.name,
            ),
            _with_mean(documents_text(counts, group.n), mean.estimate),
        )


def _wrong_fields(counts: Counts | None, worst: KindErrors) -> str:
    """Fields of a kind with a critical error; a number from a sample is not exact."""
    known = {
        "wrong": count(round(worst.estimate.value * worst.pool)),
        "fields": fields_of_kind_text(counts, worst.pool, kind_name(worst.kind)),
        "share": percent(worst.estimate.value),
    }
    if worst.exact:
        return tr("{wrong} of {fields} have a critical error ({share})", **known)
    return tr("about {wrong} of {fields} have a critical error ({share})", **known)


def _with_mean(documents: str, mean: Estimate) -> str:
    """Documents and their mean."""
    return tr("{documents}, mean {mean}", documents=documents, mean=decimal(mean.value))


def most_errors(report: ReportData) -> list[KindErrors]:
    """Kind of field with the most critical errors in the pool, several kinds where they tie."""
    rows = () if report.field_errors is None else report.field_errors.by_kind
    known = [row for row in rows if row.estimate.defined and row.estimate.value > 0]
    return foremost(known, lambda row: row.estimate.value * row.pool, count)


def weak_types(report: ReportData) -> list[TypeEstimate]:
    """Document types clearly below the pool's mean, what costs it most points first."""
    headline = report.shown_headline
    if headline is None or headline.is_share or not headline.others.defined:
        return []
    below = [row for row in report.types if _is_below(row, headline.others.value)]
    mean_of_all = headline.others.value
    return sorted(below, key=lambda row: row.pool * (row.estimate.value - mean_of_all))


def _is_below(row: TypeEstimate | GroupMean, mean: float) -> bool:
    """Return whether a group is clearly below all: by itself, or with the severity cancelled."""
    apart = has_interval(row.estimate) and has_interval(row.apart) and row.apart.high < 0
    return apart or (has_interval(row.estimate) and row.estimate.high < mean)


def weak_groups(report: ReportData) -> list[tuple[str, GroupRow, GroupMean]]:
    """Groups by the pool's own columns clearly below its mean, what costs it most points first."""
    metrics, headline = report.get(PoolMetrics), report.shown_headline
    if metrics is None or headline is None or headline.is_share or not headline.others.defined:
        return []
    known = [
        (groups.column_name(of), row, mean)
        for of in metrics.groups
        if of.column not in {groups.TYPES, groups.KINDS} and not of.quarters
        for row in of.rows
        if row.name is not None and (mean := groups.mean_of(report, of, row)) is not None
        if _is_below(mean, headline.others.value)
    ]
    mean_of_all = headline.others.value
    return sorted(known, key=lambda group: group[1].n * (group[2].estimate.value - mean_of_all))


def _of_rubric(report: ReportData) -> Iterator[Step]:
    yield from (_of_gate(report, same) for same in alike(_actions(report, "rubric")))
    broken = report.get(RuleBreaks)
    rows = [row for row in broken.rows if row.breaks] if broken else []
    if broken and rows:
        worst = max(rows, key=lambda row: sum(action.ratings for action in row.breaks))
        yield Step(
            "rubric",
            tr("Discuss the rule “{rule}” with the raters, or change it.", rule=worst.rule),
            _above_rule(sum(action.ratings for action in worst.breaks), broken.broken),
        )


def _above_rule(own: int, all_rules: int) -> str:
    """Ratings above one rule, beside those above any where that is more."""
    if own == all_rules:
        return trn("{n} rating lies above it", "{n} ratings lie above it", own)
    return trn(
        "{own} of the {n} rating that lie above a rule",
        "{own} of the {n} ratings that lie above a rule",
        all_rules,
        own=count(own),
    )


def _of_raters(report: ReportData) -> Iterator[Step]:
    actions = _actions(report, "raters")
    alone = [
        action for action in actions if action.kind == "recalibrate" and action.rater is not None
    ]
    ordered = sorted(alone, key=lambda action: str(action.rater))
    for rater, same in groupby(ordered, key=lambda action: str(action.rater)):
        yield _recalibration(report, rater, list(same))
    others = [action for action in actions if action not in alone]
    yield from (_of_gate(report, same) for same in alike(others))


def _recalibration(report: ReportData, rater: str, same: list[Action]) -> Step:
    """One step for a rater, on however many dimensions, with what it would change."""
    names = listing([report.name(action.dimension) for action in same if action.dimension])
    text = tr(
        "Recalibrate {rater} on {dimensions}, then have this rater’s items rated again.",
        rater=rater,
        dimensions=names,
    )
    entered = sources.known(report)
    own = [row for row in entered.raters if row.rater == rater] if entered else []
    sizes = [plural(row.n_ratings, "rating") for row in own]
    sizes += [
        tr(
            "the headline without {rater} is {value}",
            rater=rater,
            value=sources.without_text(report, row),
        )
        for row in own
        if row.without is not None
    ]
    return Step("raters", text, clauses(sizes))


def _of_gate(report: ReportData, same: list[Action]) -> Step:
    """One step, on however many dimensions."""
    most, text = largest(same), action_text(same, report.name)
    return Step(_about(most), text, _extent(report, most, dimensions_of(same)))


def _extent(report: ReportData, action: Action, dimensions: list[str]) -> str:
    """Items or ratings that a step is about."""
    if action.items is not None:
        items = plural(action.items, "item")
        per = action.kind == "discuss" and len(dimensions) > 1
        return tr("up to {items} per dimension", items=items) if per else items
    if action.kind == "fix_data":
        return plural(report.items.n_rated, "item")
    apart = [
        row.disagreements
        for row in report[Agreement].dimensions
        if row.dimension in dimensions and row.disagreements.n_items and action.rater is None
    ]
    if apart:
        most = max(apart, key=lambda row: row.n)
        items = plural(most.n_items, "item")
        if not most.n:
            return items
        words = {"n": count(most.n), "items": items}
        if len(apart) == 1:
            return tr("raters lie far apart on {n} of {items}", **words)
        return tr("raters lie far apart on up to {n} of {items} per dimension", **words)
    rows = [row for row in report[Raters].rows if action.rater in {None, row.rater}]
    return plural(sum(row.n_ratings for row in rows), "rating") if rows else ""


def _actions(report: ReportData, about: About) -> list[Action]:
    return [action for action in report.verdict.actions if _about(action) == about]


def _about(action: Action) -> About:
    return _ABOUT.get(action.kind, "raters")
