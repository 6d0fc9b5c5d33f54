"""Tell leads by email and webhook that runs of their evaluations are stuck, once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from ocrjury.campaign.config import Campaign, read_campaign
from ocrjury.delivery.notices import Notice, is_told, make_notice, tell
from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.case import Case, Work
from ocrjury.language import speaking, trn
from ocrjury.pages.moments import local_minute
from ocrjury.pages.numbers import paragraph
from ocrjury.signals.stuck_runs import StuckRun, Trouble, explain
from ocrjury.store.evaluations import ENDED, Evaluation, list_evaluations

LATE_AFTER = timedelta(minutes=10)
"""A worker that is busy may take a run this late."""
CRASHES = 2
"""The sweep goes on after one crash; after two it crashes again."""


class Stuck(NamedTuple):
    """Runs of one evaluation, campaign or nobody that share a trouble, the oldest first."""

    trouble: Trouble
    evaluation: str | None
    campaign: str | None
    command: str
    runs: Sequence[StuckRun]


class Unopened(NamedTuple):
    """A campaign before its first evaluation."""

    work: Work
    campaign: Campaign

    @property
    def name(self) -> str:
        """Name under which the ledger has what was sent."""
        return self.campaign.name


def tell_of_stuck(work: Work, runs: Iterable[StuckRun], *, now: datetime) -> int:
    """Tell whoever was not told yet; the number of evaluations whose leads are told.

    Parameters
    ----------
    now
        Present moment of Prefect's server, which a clock that stands still is not.
    """
    new, number = list(_worth_telling(runs, now=now)), 0
    rows = list_evaluations(work.engine) if new else []
    for stuck in new:
        cases = work.cases(_concerned(stuck, rows))
        for of in cases or _before_the_first(work, stuck):
            notice = _notice(of, stuck)
            if not is_told(of, notice):
                tell(of, notice)
                number += 1
    return number


def _before_the_first(work: Work, stuck: Stuck) -> list[Unopened]:
    """A campaign whose first evaluation was not opened, if its file can be read all the same."""
    file = stuck.runs[0].file
    if not (stuck.command and file):
        return []
    try:
        campaign = read_campaign(file)
    except OcrjuryError:
        return []
    return [Unopened(work, campaign)] if campaign.name == stuck.campaign else []


def _notice(of: Case | Unopened, stuck: Stuck) -> Notice:
    """News of the runs, in the language of the campaign."""
    with speaking(of.campaign.language):
        detail = _detail(of.campaign, stuck)
    return make_notice(
        of,
        "unopened" if stuck.command else "stuck",
        detail=detail,
        key=_key(of, stuck),
        owner=of.name if stuck.evaluation else of.campaign.name,
    )


def _worth_telling(runs: Iterable[StuckRun], *, now: datetime) -> Iterator[Stuck]:
    """Runs by their trouble and owner, without what may end by itself or is told elsewhere."""
    groups = defaultdict(list)
    for run in runs:
        if run.trouble != "late" or run.due <= now - LATE_AFTER:
            groups[run.trouble, run.evaluation, run.campaign, run.command].append(run)
    for of, group in groups.items():
        if _needs_somebody(group):
            yield Stuck(*of, sorted(group, key=lambda run: run.due))


def _needs_somebody(group: Sequence[StuckRun]) -> bool:
    """Return whether the runs stay stuck, and unmentioned, unless somebody is told."""
    first = group[0]
    if first.command:  # one without a campaign was started by hand, with a path that is wrong
        return first.campaign is not None
    if first.trouble == "failed":  # the sweep tells of an evaluation that fails again
        return False
    return first.trouble != "crashed" or len(group) >= CRASHES


def _key(of: Case | Unopened, stuck: Stuck) -> str:
    """Key of the news: an opening that fails every hour is told of once a day."""
    first = stuck.runs[0]
    if stuck.command:
        return f"unopened {first.due:%Y-%m-%d}"
    if stuck.trouble == "crashed" and isinstance(of, Case):  # again until the evaluation has moved
        return f"crashed {of.row.version}"
    return f"{stuck.trouble} {first.flow_run}"


def _concerned(stuck: Stuck, rows: Sequence[Evaluation]) -> list[Evaluation]:
    """The evaluation; else the newest one of the campaign, or of each that has an open one."""
    if stuck.evaluation is not None:
        return [row for row in rows if row.evaluation == stuck.evaluation]
    newest: dict[str, Evaluation] = {}
    for row in rows:
        if row.campaign == stuck.campaign or (not stuck.campaign and row.state not in ENDED):
            newest.setdefault(row.campaign, row)
    return list(newest.values())


def _detail(campaign: Campaign, stuck: Stuck) -> str:
    """Sentences on the stuck runs, since when, and the remedy, in the current language."""
    first = stuck.runs[0]
    sentence = explain(first, moment=local_minute(first.due, campaign.time_zone))
    others = len(stuck.runs) - 1
    more = trn("{n} more run is stuck.", "{n} more runs are stuck.", others) if others else ""
    return paragraph([sentence.sentence, more, sentence.remedy])
