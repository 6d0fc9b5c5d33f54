"""Content of ``evaluation.json`` besides the rows of its tables."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import ocrjury
from ocrjury.evaluation.earlier_cases import DONE
from ocrjury.export.item_rows import Texts, texts_of
from ocrjury.export.schema import SCHEMA_FILE
from ocrjury.export.shapes import FORMAT, VERSION
from ocrjury.grades import common_word
from ocrjury.pages.numbers import listing
from ocrjury.report.data import GateVerdict
from ocrjury.report.evaluation_report import identity_of, target_of
from ocrjury.report.headline import headline_of
from ocrjury.report.identity import Identity
from ocrjury.report.outcome import outcome_of
from ocrjury.report.sections.joint_dimensions import untrusted_keys
from ocrjury.report.sections.rounds import rounds_of
from ocrjury.report.sections.withheld_results import reason_text
from ocrjury.report.stored_evaluation import Stored
from ocrjury.report_choices import ReportKind

Body = dict[str, Any]
_TEXTS = {
    "masked": "The campaign masks texts of documents (report.examples); masked ones are left out.",
    "off": "The campaign shows no texts of documents (report.examples).",
    "purged": "The texts of the documents were removed from the store.",
}
_NO_MEAN = "Categories without order have no mean, so nothing is estimated."
_NOT_YET = "The evaluation is not estimated yet."
_ABORTED = "The evaluation was aborted before it was estimated."


def kind_of(state: str, held_from: str | None) -> ReportKind:
    """Kind of an evaluation in this state: final with its estimates, else interim.

    >>> kind_of("closed", None), kind_of("held", "judged")
    ('final', 'interim')
    """
    return "final" if state in DONE or held_from in DONE else "interim"


def summary_of(stored: Stored, verdict: GateVerdict, *, kind: ReportKind) -> Body:
    """Everything but the tables and their rows."""
    row, campaign = stored.row, stored.campaign
    identity, texts = identity_of(stored, kind), texts_of(stored)
    return {
        "$schema": SCHEMA_FILE,
        "format": FORMAT,
        "version": VERSION,
        "written_by": ocrjury.__version__,
        "evaluation": row.evaluation,
        "campaign": row.campaign,
        "title": identity.title,
        "period": row.period,
        "language": campaign.language,
        "kind": kind,
        "state": row.state,
        "simulated": identity.simulated or row.simulated,
        "opened_at": _time(row.opened_at),
        "issued_at": _time(identity.issued_at),
        "seed": row.seed,
        "package_version": row.package_version,
        "hashes": _hashes(identity),
        "dimensions": _dimensions(stored),
        "target_dimension": stored.target_dimension,
        "sample": _sample(stored),
        **_rounds_and_truth(stored),
        "gate": _gate(verdict),
        **_target(stored, verdict),
        "withheld": list(_withheld(stored, verdict)),
        "absent": list(_absent(stored, verdict, texts, kind=kind)),
        "texts": {**texts._asdict(), "included": texts.reason is None},
    }


def headline_reason(stored: Stored, verdict: GateVerdict, *, kind: ReportKind) -> str:
    """Sentence on why there is no headline."""
    name = stored.target_dimension
    if not verdict.shows(name):
        return reason_text(name, trusted=verdict.trusted)
    return _why_no_estimates(stored, name, kind=kind)


def _why_no_estimates(stored: Stored, dimension: str, *, kind: ReportKind) -> str:
    if not stored.campaign.rubric.scales[dimension].ordered:
        return _NO_MEAN
    if kind == "interim":
        return _ABORTED if stored.row.state == "aborted" else _NOT_YET
    return "Nothing was estimated on this dimension."


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def _hashes(identity: Identity) -> Body:
    names = ("configuration", "rubric", "pool")
    return {name: identity.digests.get(name) for name in names}


def _dimensions(stored: Stored) -> list[Body]:
    rubric = stored.campaign.rubric
    titles = rubric.titles(stored.campaign.language)
    return [
        {
            "name": dimension.name,
            "title": titles[dimension.name],
            "weight": dimension.weight,
            "scale": {
                "kind": rubric.scales[dimension.name].kind,
                "low": _number(rubric.scales[dimension.name].low),
                "high": _number(rubric.scales[dimension.name].high),
                "categories": list(map(str, rubric.scales[dimension.name].categories)),
            },
        }
        for dimension in rubric.dimensions
    ]


def _number(value: float) -> float | None:
    return value if value == value else None  # noqa: PLR0124  # nan is no number in JSON


def _sample(stored: Stored) -> Body | None:
    design = stored.design
    if design is None:
        return None
    return {name: getattr(design, name) for name in ("n", "pool_size", "design", "pages", "note")}


def _rounds_and_truth(stored: Stored) -> Body:
    rounds = rounds_of(stored)
    names = ("number", "kind", "rule", "frontend", "items", "assignments", "ratings", "raters")
    return {
        "rounds": [{name: getattr(row, name) for name in names} for row in rounds.rows],
        "truth": {
            "method": rounds.truth_method,
            "target_confidence": rounds.target_confidence,
            "calibrated": rounds.calibrated,
        },
    }


def _gate(verdict: GateVerdict) -> Body:
    policy, release = verdict.policy, verdict.release
    looked_at = [look.statistic for _, look in verdict.looks]
    return {
        "decision": verdict.decision,
        "grade": common_word(verdict.grade) or None,
        "policy": policy.name,
        "statistic": looked_at[-1] if looked_at else policy.primary.estimates[0],
        "floor": policy.primary.floor,
        "rule": policy.primary.rule,
        "min_items": policy.min_items,
        "reasons": list(verdict.reasons),
        "actions": list(map(asdict, verdict.actions)),
        "dimensions": [
            {**asdict(row), "grade": common_word(row.grade) or None, "reasons": list(row.reasons)}
            for row in verdict.dimensions
        ],
        "release": None if release is None else {**asdict(release), "at": _time(release.at)},
    }


def _target(stored: Stored, verdict: GateVerdict) -> Body:
    target, headline = target_of(stored), headline_of(stored)
    outcome = None
    if target and headline:
        shown = verdict.shows(headline.dimension)
        reached = outcome_of(headline.others, target, trusted=shown)
        outcome = {"word": reached.word, "why": reached.why}
    return {"target": None if target is None else asdict(target), "outcome": outcome}


def _withheld(stored: Stored, verdict: GateVerdict) -> Iterator[Mapping[str, object]]:
    """Entries for what the gate withholds, by the rule of the report."""
    for name in stored.dimension_names:
        if not verdict.shows(name):
            yield _absence("dimension", name, reason_text(name, trusted=verdict.trusted))
    for row in stored.composites.rows:
        parts = listing(untrusted_keys(row, verdict))
        if parts:
            yield _absence("score", row.method, f"It uses {parts}, which is withheld.")
    if stored.preferences is not None and not verdict.trusted:
        yield _absence("preferences", None, reason_text("", trusted=False))


def _absent(
    stored: Stored, verdict: GateVerdict, texts: Texts, *, kind: ReportKind
) -> Iterator[Mapping[str, object]]:
    for name in stored.dimension_names:
        if verdict.shows(name) and name not in stored.estimates:
            yield _absence("estimates", name, _why_no_estimates(stored, name, kind=kind))
    labelled = {truth.dimension for truth in stored.truths}
    for name in stored.dimension_names:
        if name not in labelled:
            yield _absence("labels", name, "No labels were inferred on this dimension.")
    if stored.bias is None:
        yield _absence("bias", None, "The raters were not tested for bias.")
    if texts.reason is not None:
        yield _absence("texts", None, _TEXTS[texts.reason])


def _absence(what: str, name: str | None, reason: str) -> Mapping[str, object]:
    return {"what": what, "name": name, "reason": reason}
