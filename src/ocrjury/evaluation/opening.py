"""Open an evaluation of a campaign for a period."""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ocrjury import __version__
from ocrjury.campaign.config import Campaign
from ocrjury.campaign.gold_file import read_gold
from ocrjury.campaign.period import PERIOD, period_name
from ocrjury.campaign.problems import listed, shown
from ocrjury.campaign.registry import RaterEntry, read_raters
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Work
from ocrjury.evaluation.truth_methods import FITTING
from ocrjury.readers.masks import read_masks
from ocrjury.scales import Scale
from ocrjury.store.database import writing
from ocrjury.store.evaluations import Evaluation, Opening, add_evaluation, read_evaluation
from ocrjury.store.moves import FLOW
from ocrjury.store.raters import keep_raters, keep_registry

READ_BY = ("path", "reference", "format", "encoding", "options", "judges", "auxiliaries")
"""Keys of the section ``pool`` on which its scored snapshot depends."""
NEEDS_CATEGORIES = ("kappa", "gdpval")
"""Policies of the gate that no agreement on a continuous scale can meet."""


class Opened(NamedTuple):
    """The evaluation of a campaign and period, whether it is new, and the campaign's file."""

    evaluation: str
    new: bool
    file: str

    def already(self, path: str) -> str:
        """Name of the open evaluation, with its file if that is not the one at this path."""
        if Path(self.file).resolve() == Path(path).resolve():
            return self.evaluation
        return f"{self.evaluation}, of another file with this name and period: {self.file}"


def open_campaign(
    work: Work, campaign: Campaign, *, period: str | None, seed: int | None, scheduled: datetime
) -> Opened:
    """Read the raters of a campaign, and open its evaluation unless there is one.

    Parameters
    ----------
    period
        Name of the period; None takes the ISO week of `scheduled` in the campaign's time zone.
    seed
        Instead of the campaign's own.
    """
    if period is not None and not re.fullmatch(PERIOD, period):
        raise InputError(
            f"the period {shown(period)} cannot be part of a name; use letters, digits, dots, "
            "hyphens and underscores, such as 2026w47."
        )
    people = read_raters(campaign.raters_path)
    opening = opening_of(
        campaign,
        people,
        period=period or period_name(scheduled, campaign.time_zone),
        seed=campaign.seed if seed is None else seed,
    )
    with writing(work.engine) as connection:
        keep_raters(connection, people)
        evaluation, new = add_evaluation(
            connection, opening, now=work.now, actor=FLOW, run_id=work.run_id
        )
        if new:
            keep_registry(connection, evaluation, people)
    return Opened(evaluation, new, read_evaluation(work.engine, evaluation).config_path)


def opening_of(
    campaign: Campaign, people: Sequence[RaterEntry], *, period: str, seed: int
) -> Opening:
    """Facts fixed when an evaluation opens; its gold file is read again at the draw."""
    _refuse_method(campaign)
    if campaign.gold_path is not None:
        read_gold(campaign.gold_path, campaign.rubric)
    if campaign.masks_path is not None:
        read_masks(campaign.masks_path)
    return Opening(
        campaign,
        period=period,
        raters=[person.pseudonym for person in people],
        seed=seed,
        package_version=__version__,
    )


def refuse_another_pool(row: Evaluation, before: Campaign, fixed: Campaign) -> None:
    """Raise where a corrected campaign would have its pool read otherwise than it was scored.

    ``before`` is the campaign by which it was, with its rubric.
    """
    changed = [
        f"pool.{name}"
        for name in READ_BY
        if getattr(fixed.pool, name) != getattr(before.pool, name)
    ]
    if fixed.privacy.masks != before.privacy.masks:
        changed.append("privacy.masks")
    # Scores of judges were checked against the scale; another one would be met at the gate.
    judged = {name for columns in fixed.pool.judges.values() for name in columns}
    if any(before.rubric.scales.get(name) != fixed.rubric.scales[name] for name in judged):
        changed.append("rubric.scale")
    if changed:
        raise InputError(
            f"{fixed.source}: {listed(changed)} changed, but the pool of {row.evaluation} is "
            "scored already and stays as it was read. Undo that; or abort, and open the campaign "
            "again."
        )


def _refuse_method(campaign: Campaign) -> None:
    """Raise where a campaign infers or simulates what its scale does not have.

    Checked when it opens, because nobody can fix it once people have rated.
    """
    scales = dict.fromkeys(campaign.rubric.scales.values())
    # Where scales differ, a dimension that the method does not fit has another; see `method_on`.
    nowhere = all(campaign.truth.method not in _methods(scale, campaign) for scale in scales)
    for scale in scales:
        _refuse_on(scale, campaign, nowhere=nowhere)


def _methods(scale: Scale, campaign: Campaign) -> tuple[str, ...]:
    """Methods of inference that fit a scale."""
    return FITTING.get(scale.kind, (campaign.truth.method,))


def _refuse_on(scale: Scale, campaign: Campaign, *, nowhere: bool) -> None:
    method, fitting = campaign.truth.method, _methods(scale, campaign)
    if nowhere:
        raise InputError(
            f"{campaign.source}: truth.method is {method}, which does not fit the rubric's scale "
            f"({scale}). Set it to {' or '.join(fitting)}."
        )
    if scale.kind == "interval" and campaign.gate.policy in NEEDS_CATEGORIES:
        raise InputError(
            f"{campaign.source}: gate.policy is {campaign.gate.policy}, which compares categories; "
            f"the rubric's scale ({scale}) has none. Set it to default or strict."
        )
    if campaign.simulated and not scale.ordered:
        raise InputError(
            f"{campaign.source}: simulated raters need an ordered scale; the rubric's is {scale}. "
            "Set rounds.frontend to file."
        )
