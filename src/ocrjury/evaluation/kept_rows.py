"""Truths and verdicts as the store keeps them."""

from ocrjury.evaluation.frames import plain
from ocrjury.evaluation.inference import Inferred
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.gate import DimensionVerdict, Verdict
from ocrjury.store.results import TruthRow, VerdictRow


def truth_rows(inferred: Inferred) -> list[TruthRow]:
    """Truths of every item as the store keeps them."""
    return [
        TruthRow(
            item=str(item),
            dimension=name,
            label=plain(truth.label[place]),
            median=plain(truth.median[place]),
            mean=plain(truth.mean[place]),
            confidence=float(truth.confidence[place]),
            tied=bool(truth.tied[place]),
            probabilities=[float(p) for p in truth.probabilities[place]],
            n_ratings=int(n_ratings),
        )
        for name, truth in inferred.truths.items()
        for place, (item, n_ratings) in enumerate(
            zip(truth.items, inferred.tables[name].counts().sum(axis=1), strict=True)
        )
    ]


def verdict_rows(verdict: Verdict, *, number: int, policy_hash: str) -> list[VerdictRow]:
    """Overall verdict and those of the dimensions as the store keeps them."""
    by_name: dict[str, Verdict | DimensionVerdict] = {ALL_DIMENSIONS: verdict}
    by_name |= verdict.by_dimension
    return [
        VerdictRow(
            round=number,
            dimension=name,
            decision=part.decision,
            grade=part.grade,
            reasons=list(part.reasons),
            needed_items=part.needed_items,
            actions=verdict.actions if name == ALL_DIMENSIONS else (),
            policy_hash=policy_hash,
        )
        for name, part in by_name.items()
    ]
