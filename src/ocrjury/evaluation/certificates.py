"""A rater's certificate of training: who passed which pilot, on how many items, how well."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.guideline import guideline
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError
from ocrjury.findings.pilots import PilotFinding, Score
from ocrjury.gate.reading import short_in_unit
from ocrjury.language import language, said, tr
from ocrjury.pages.environment import render
from ocrjury.pages.numbers import long_date
from ocrjury.pages.statistic_numbers import in_unit
from ocrjury.rater_statistics import is_error
from ocrjury.statistics import statistic
from ocrjury.store.database import Engine
from ocrjury.store.evaluations import Evaluation, read_evaluation, read_rubric
from ocrjury.store.raters import list_raters
from ocrjury.store.results import findings_by_round
from ocrjury.store.rounds import RoundRow, list_rounds
from ocrjury.store.rubric_versions import list_rubric_versions
from ocrjury.store.working_time import list_sittings


class Training(NamedTuple):
    """A pilot that a rater passed.

    Attributes
    ----------
    name
        The rater's name, empty where the evaluation knows none.
    campaign, rubric_version
        The campaign with the rubric by which the pilot was rated, and this rubric's number.
    items
        Practice items that the rater handed in.
    completed_at
        When the pilot's round closed, by the clock of the evaluation.
    """

    evaluation: str
    rater: str
    name: str
    campaign: Campaign
    rubric_version: int
    measure: str
    items: int
    scores: Sequence[Score]
    completed_at: datetime | None


class Line(NamedTuple):
    """A dimension of a certificate, as it is printed."""

    title: str
    ratings: int
    score: str
    needed: str


def passed_raters(engine: Engine, evaluation: str) -> list[str]:
    """Raters who met the criterion of their latest pilot on every dimension; none is simulated."""
    if read_evaluation(engine, evaluation).simulated:
        return []
    return sorted(rater for rater, (_, own) in _latest(engine, evaluation).items() if _met(own))


def read_training(engine: Engine, evaluation: str, rater: str) -> Training:
    """Training of a rater; `InputError` with the reason if there is none to certify."""
    findings = _latest(engine, evaluation)
    if rater not in findings:
        raise InputError(
            tr("No pilot of {rater} has been judged, so there is no certificate.", rater=rater)
        )
    (number, measure), own = findings[rater]
    if not _met(own):
        raise InputError(
            tr("{rater} has not passed the pilot, so there is no certificate.", rater=rater)
        )
    row = read_evaluation(engine, evaluation)
    if row.simulated:
        raise InputError(tr("A rehearsal with simulated raters gives no certificate."))
    [held] = [round_ for round_ in list_rounds(engine, evaluation) if round_.round == number]
    version, rubric = _rubric_of(engine, row, held)
    sittings = list_sittings(engine, evaluation, rater=rater)
    [person] = list_raters(engine, [rater], evaluation=evaluation)
    return Training(
        evaluation=evaluation,
        rater=rater,
        name=person.name,
        campaign=row.config.with_rubric(rubric),
        rubric_version=version,
        measure=measure,
        items=sum(sitting.items for sitting in sittings if sitting.round == number),
        scores=own,
        completed_at=held.closed_at,
    )


def certificate(training: Training, *, issuer: str, issued_at: datetime, named: bool) -> str:
    """Page of a certificate in the language of the moment, to be printed as a PDF.

    Parameters
    ----------
    issuer
        Who issued it, or on whose behalf.
    issued_at
        The real time, which no clock that stands still changes.
    named
        Whether the rater's name stands on it, beside the pseudonym.
    """
    zone = ZoneInfo(training.campaign.time_zone)
    completed = training.completed_at
    return render(
        "certificate/certificate.html.j2",
        training=training,
        name=training.name if named else "",
        measure=said(statistic(training.measure).short_label),
        lines=_lines(training),
        rubric_hash=training.campaign.rubric.rubric_hash,
        completed=None if completed is None else long_date(completed.astimezone(zone)),
        issued=long_date(issued_at.astimezone(zone)),
        issued_at=issued_at.isoformat(timespec="seconds"),
        issuer=issuer,
    )


def _latest(engine: Engine, evaluation: str) -> dict[str, tuple[tuple[int, str], list[Score]]]:
    """Round, measure and scores of the latest judged pilot of each rater."""
    latest: dict[str, tuple[tuple[int, str], list[Score]]] = {}
    findings = findings_by_round(engine, evaluation, PilotFinding, kind="pilot")
    for number, finding in sorted(findings.items()):
        for rater in {score.rater for score in finding.scores}:
            own = [score for score in finding.scores if score.rater == rater]
            latest[rater] = (number, finding.criterion.measure), own
    return latest


def _rubric_of(engine: Engine, row: Evaluation, held: RoundRow) -> tuple[int, Rubric]:
    """Number and words of the rubric by which a round was rated: the newest when it opened."""
    versions = list_rubric_versions(engine, row.evaluation)
    before = [version for version in versions if version.at <= held.opened_at] or versions[:1]
    if not before:
        return 1, read_rubric(engine, row.rubric_hash)
    return before[-1].version, before[-1].rubric


def _met(scores: Sequence[Score]) -> bool:
    return all(score.outcome == "met" for score in scores)


def _lines(training: Training) -> list[Line]:
    """Scores by dimension, in the rubric's order."""
    criterion, rubric = training.campaign.rounds.pilot.criterion, training.campaign.rubric
    by_name = {score.dimension: score.accuracy for score in training.scores}
    names = [dimension.name for dimension in rubric.dimensions if dimension.name in by_name]
    lines = []
    for about in guideline(rubric, names, language=language()).dimensions:
        scale, accuracy = rubric.scales[about.name], by_name[about.name]
        limit = short_in_unit(criterion.limit_on(scale), training.measure)
        if is_error(training.measure):
            needed = tr("at most {limit}", limit=limit)
        else:
            needed = tr("at least {limit}", limit=limit)
        if training.measure == "share_within" and (off := criterion.tolerance_on(scale)):
            needed = tr("at least {limit} within {steps}", limit=limit, steps=f"{off:g}")
        score = in_unit(accuracy.of(training.measure).value, training.measure)
        lines.append(Line(about.title, accuracy.n, score, needed))
    return lines
