"""The report of a stored evaluation."""

import platform
from importlib.metadata import version
from typing import Literal

from ocrjury.campaign.rubric import Rubric
from ocrjury.findings.dimensions import Composites
from ocrjury.report.data import Dimension, Headline, Identity, ReportData, ScaleLabels
from ocrjury.report.order import SECTIONS
from ocrjury.report.outcome import Outcome, Target, outcome_of
from ocrjury.report.sections.agreement import agreement_of
from ocrjury.report.sections.cover import headline_of
from ocrjury.report.sections.decisions import decisions_of
from ocrjury.report.sections.gate import gate_verdict
from ocrjury.report.sections.items import items_of
from ocrjury.report.sections.plan import plan_of
from ocrjury.report.sections.raters import raters_of
from ocrjury.report.sections.ratings import counts_of
from ocrjury.report.sections.recommendations import recommendations_of
from ocrjury.report.sections.rounds import rounds_of
from ocrjury.report.sections.sampling import sampling_of
from ocrjury.report.sections.scores import scores_of
from ocrjury.report.sections.together import together_of
from ocrjury.report.stored import Stored, read_stored
from ocrjury.store.workspace import Store

SOFTWARE = ("numpy", "scipy", "pandas", "rapidfuzz", "weasyprint", "prefect")
Kind = Literal["interim", "final"]


def build_report(store: Store, evaluation: str, *, kind: Kind = "final") -> ReportData:
    """Everything that the report of an evaluation prints.

    Parameters
    ----------
    kind
        ``"interim"`` is for the lead at a failed gate: agreement, and no headline.

    Raises
    ------
    StateError
        If the evaluation was not judged yet.
    """
    stored = read_stored(store, evaluation)
    final = kind == "final"
    verdict = gate_verdict(stored)
    headline = headline_of(stored) if final else None
    target, rounds = _target(stored), rounds_of(stored)
    return ReportData(
        identity=_identity(stored, kind),
        dimensions=_dimensions(stored.campaign.rubric, stored.campaign.language),
        scale=_scale(stored),
        verdict=verdict,
        outcome=_outcome(headline, target, trusted=verdict.trusted),
        target=target,
        headline=headline,
        sampling=sampling_of(stored),
        recommendations=recommendations_of(stored),
        agreement=agreement_of(
            stored.by_dimension(stored.agreement),
            stored.together,
            ratings=stored.first_pass.rename(columns={"value": "rating"}),
            scale=stored.campaign.rubric.scale,
            dimension=stored.target_dimension,
            basis="first-pass independent ratings of the main round",
            doc_types={item.item: item.doc_type for item in stored.items},
        ),
        raters=raters_of(stored),
        counts=counts_of(stored),
        estimates=stored.by_dimension(stored.estimates) if final else (),
        plan=plan_of(stored, rounds) if final else None,
        field_errors=stored.field_errors if final else None,
        systems=stored.by_dimension(stored.systems) if final else (),
        preferences=stored.preferences if final else None,
        trend=stored.trends.get(stored.target_dimension) if final else None,
        together=together_of(
            stored.together,
            stored.composites if final else Composites(),
            () if stored.bias is None else stored.bias.findings,
        ),
        scores=scores_of(stored),
        items=items_of(stored),
        rounds=rounds,
        decisions=decisions_of(stored),
        sections=_records(stored),
    )


def _records(stored: Stored) -> dict[str, object]:
    """Records that one section alone prints, by its anchor."""
    records = {row.anchor: row.build(stored) for row in SECTIONS if row.build is not None}
    return {anchor: record for anchor, record in records.items() if record is not None}


def _identity(stored: Stored, kind: Kind) -> Identity:
    """Which evaluation this is; its date is that of the newest number in it."""
    row, campaign = stored.row, stored.campaign
    closed = [r.closed_at for r in stored.rounds if r.closed_at is not None]
    return Identity(
        evaluation=row.evaluation,
        title=campaign.title,
        issued_at=max(closed, default=row.opened_at),
        package_version=row.package_version,
        seed=row.seed,
        period=row.period,
        kind=kind,
        version=1 + sum(report.kind == kind for report in stored.reports),
        simulated=any(rating.source == "simulated" for rating in stored.ratings),
        language=campaign.language,
        config_hash=row.config_hash,
        rubric_hash=row.rubric_hash,
        pool_hash=row.pool_hash.partition("-")[2].partition(".")[0] if row.pool_hash else None,
        software=(
            ("Python", platform.python_version()),
            *((name, version(name)) for name in SOFTWARE),
        ),
        reproduce=f"ocrjury report {row.evaluation} --again",
    )


def _dimensions(rubric: Rubric, language: str) -> tuple[Dimension, ...]:
    """Dimensions as they are printed."""
    found = []
    for one in rubric.dimensions:
        titles = dict(one.title)
        printed = titles.get(language) or next(iter(titles.values()))
        others = [text for name, text in titles.items() if name != language]
        found.append(
            Dimension(
                one.name,
                printed,
                local_name=others[0] if others else None,
                description=dict(one.description).get(language),
            )
        )
    return tuple(found)


def _scale(stored: Stored) -> ScaleLabels:
    """Levels of the scale with the anchors of the headline's dimension."""
    rubric = stored.campaign.rubric
    scale = rubric.scale
    if not scale.ordered:
        return ScaleLabels.of(scale)
    levels = scale.numbers or (scale.low, scale.high)
    anchors = rubric.dimension(stored.target_dimension).anchors
    texts = tuple(
        dict(anchors.get(f"{level:g}", {})).get(stored.campaign.language, "") for level in levels
    )
    return ScaleLabels(levels=levels, anchors=texts, text=str(scale), kind=scale.kind)


def _target(stored: Stored) -> Target | None:
    """Campaign's target."""
    wanted = stored.campaign.report.target
    if wanted is None:
        return None
    if wanted.mean is not None:
        return Target(dimension=wanted.dimension, value=wanted.mean)
    return Target(
        dimension=wanted.dimension,
        value=wanted.share or 0.0,
        share_at_least=wanted.share_at_least,
    )


def _outcome(headline: Headline | None, target: Target | None, *, trusted: bool) -> Outcome | None:
    """Whether the target is met, None where there is no target."""
    if target is None or headline is None:
        return None
    return outcome_of(headline.others, target, trusted=trusted)
