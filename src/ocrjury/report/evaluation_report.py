"""The report of a stored evaluation."""

import platform
from datetime import datetime
from functools import cache
from importlib.metadata import version

from ocrjury.campaign.rubric import Rubric
from ocrjury.campaign.texts import in_language
from ocrjury.language import language, speaking
from ocrjury.report.data import PrintedDimension, ReportData, ScaleLabels
from ocrjury.report.headline import headline_of
from ocrjury.report.identity import Identity
from ocrjury.report.order import SECTIONS
from ocrjury.report.outcome import PrintedTarget, outcome_of
from ocrjury.report.sections.gate import gate_verdict
from ocrjury.report.sections.items import items_of
from ocrjury.report.sections.ratings import counts_of
from ocrjury.report.stored_evaluation import Stored, read_stored
from ocrjury.report_choices import ReportKind
from ocrjury.store.damaged_files import hash_of
from ocrjury.store.workspace import Store

SOFTWARE = ("numpy", "scipy", "pandas", "rapidfuzz", "weasyprint", "prefect")
_version = cache(version)  # each reads a file, and a process keeps what it imported


def build_report(
    store: Store, evaluation: str, *, kind: ReportKind = "final", language: str | None = None
) -> ReportData:
    """Everything that the report of an evaluation prints.

    Parameters
    ----------
    kind
        ``"interim"`` is for the lead at a failed gate: agreement, and no headline.
    language
        Language of the sentences, None for the first of the campaign's.

    Raises
    ------
    StateError
        If the evaluation was not judged yet.
    """
    stored = read_stored(store, evaluation, final=kind == "final")
    return report_of(stored, kind=kind, language=language or stored.languages[0])


def report_of(stored: Stored, *, kind: ReportKind, language: str) -> ReportData:
    """Everything that the report prints in one language."""
    with speaking(language):
        return _report(stored, kind)


def _report(stored: Stored, kind: ReportKind) -> ReportData:
    verdict, headline, target = gate_verdict(stored), headline_of(stored), target_of(stored)
    return ReportData(
        identity=identity_of(stored, kind),
        dimensions=_dimensions(stored.campaign.rubric, language()),
        scale=_labels(stored.campaign.rubric, stored.target_dimension, language()),
        verdict=verdict,
        outcome=outcome_of(headline.others, target, trusted=verdict.shows(headline.dimension))
        if headline and target
        else None,
        target=target,
        headline=headline,
        n_ratings=len(stored.first_pass),
        counts=counts_of(stored),
        estimates=stored.by_dimension(stored.estimates),
        field_errors=stored.field_errors,
        systems=stored.by_dimension(stored.systems),
        preferences=stored.preferences,
        trend=stored.trends.get(stored.target_dimension),
        items=items_of(stored),
        sections={
            name: record(stored) for section in SECTIONS for name, record in section.records.items()
        },
    )


def issued_at(stored: Stored) -> datetime:
    """Date of a report: that of the newest number in it."""
    closed = [round_.closed_at for round_ in stored.rounds if round_.closed_at is not None]
    return stored.local(max(closed, default=stored.row.opened_at))


def identity_of(stored: Stored, kind: ReportKind) -> Identity:
    """Identity of the evaluation and of this report."""
    row, campaign = stored.row, stored.campaign
    return Identity(
        evaluation=row.evaluation,
        title=campaign.title,
        issued_at=issued_at(stored),
        package_version=row.package_version,
        seed=row.seed,
        period=row.period,
        kind=kind,
        version=1
        + max((report.version for report in stored.reports if report.kind == kind), default=0),
        simulated=any(rating.source == "simulated" for rating in stored.ratings),
        language=language(),
        brand=campaign.report.brand,
        templates=campaign.report.templates or {},
        origin=campaign.pool.origin,
        config_hash=row.config_hash,
        rubric_hash=row.rubric_hash,
        pool_hash=hash_of(row.pool_hash) if row.pool_hash else None,
        software=(
            ("Python", platform.python_version()),
            *((name, _version(name)) for name in SOFTWARE),
        ),
        reproduce=f"ocrjury report {row.evaluation} --again",
    )


def _dimensions(rubric: Rubric, spoken: str) -> tuple[PrintedDimension, ...]:
    printed, titles = [], rubric.titles(spoken)
    for dimension in rubric.dimensions:
        name = titles[dimension.name]
        others = (text for text in dimension.title.values() if text != name)
        printed.append(
            PrintedDimension(
                dimension.name,
                name,
                local_name=next(others, None),
                description=in_language(dimension.description, spoken),
                scale=_labels(rubric, dimension.name, spoken),
            )
        )
    return tuple(printed)


def _labels(rubric: Rubric, dimension: str, spoken: str) -> ScaleLabels:
    """Levels of a dimension's scale with its anchors."""
    scale = rubric.scales[dimension]
    if not scale.ordered:
        return ScaleLabels.of(scale)
    levels = scale.numbers or (scale.low, scale.high)
    anchors = rubric.dimension(dimension).anchors
    texts = tuple(in_language(anchors.get(f"{level:g}", {}), spoken) or "" for level in levels)
    return ScaleLabels(levels=levels, anchors=texts, text=scale.words, kind=scale.kind)


def target_of(stored: Stored) -> PrintedTarget | None:
    """Target of the campaign, None without one."""
    wanted = stored.campaign.report.target
    if wanted is None:
        return None
    value = wanted.share or 0.0 if wanted.mean is None else wanted.mean
    return PrintedTarget(
        dimension=wanted.dimension, value=value, share_at_least=wanted.share_at_least
    )
