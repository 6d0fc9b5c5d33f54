"""Evaluations at which a sweep need not look: nothing is new, and nothing is due by time yet."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from ocrjury import __version__
from ocrjury.campaign.capabilities import ASKED, RATING_PAGE
from ocrjury.campaign.content_hashes import content_hash
from ocrjury.campaign.history import FINAL_STATES
from ocrjury.campaign.settings import Settings
from ocrjury.campaign.state import accepts_ratings
from ocrjury.delivery.invitations import raters_to_invite
from ocrjury.delivery.notices import is_told, notice_of
from ocrjury.delivery.reminders import reminder_moment, reminders_of
from ocrjury.evaluation.case import Case, Work, at_work
from ocrjury.evaluation.overview import overview_page, raters_shut_out
from ocrjury.store.links import list_links
from ocrjury.store.raters import list_addresses
from ocrjury.store.rests import Marks, Rest, keep_rest, list_rests, read_marks

LONGEST = timedelta(hours=6)
"""Longest time for which an evaluation is not looked at, whatever the store says."""

Shown = Callable[[Sequence[str]], Mapping[str, str] | None]
"""Texts of the pages that Prefect shows of some evaluations; None if it cannot be asked."""


class Resting(NamedTuple):
    """Evaluations at rest by name, and where all stood, and amid what, when this was found out."""

    rests: Mapping[str, Rest]
    marks: Marks
    surroundings: str


def find_resting(shown: Shown) -> Resting:
    """Evaluations about which nothing is new, and whose pages are as they were left."""
    with at_work() as work, work.snapshot():
        marks, surroundings = read_marks(work.engine), _surroundings(work)
        kept = list_rests(work.engine, surroundings=surroundings, now=work.now)
        # One that lasts longer was found out while the clock was ahead.
        rests = {name: rest for name, rest in kept.items() if rest.until <= work.now + LONGEST}
    pages = shown([rest.evaluation for rest in rests.values() if rest.page])
    if pages is not None:
        same = {name: _hash(text) for name, text in pages.items()}
        rests = {name: rest for name, rest in rests.items() if rest.page in ("", same.get(name))}
    return Resting(rests, marks, surroundings)


def keep_resting(evaluation: str, before: Resting, *, word: str, sentence: str, page: bool) -> bool:
    """Keep that nothing is to do for an evaluation, nor to tell; whether that is so.

    Parameters
    ----------
    before
        How all stood before somebody looked at it and did what there was to do.
    word, sentence
        How that ended.
    page
        Whether Prefect shows its page.
    """
    with at_work() as work, work.snapshot():
        case = work.case(evaluation)
        until = idle_until(case)
        if until is None or case.row.version != before.marks.versions.get(evaluation):
            return False
        rest = Rest(
            evaluation,
            case.row.version,
            before.marks.line,
            word,
            sentence,
            _hash(overview_page(case).markdown) if page else "",
            before.surroundings,
            until,
        )
        keep_rest(work.engine, rest)
        return True


def idle_until(case: Case) -> datetime | None:
    """Moment until which there is nothing to do without news; None if there is something now.

    Workbooks and Label Studio tell no news by themselves: somebody has to ask.
    """
    history, now = case.standing.history, case.work.now
    if history.state not in (*FINAL_STATES, "held", "collecting"):
        return None
    notice = notice_of(case)
    if notice is not None and not is_told(case, notice):
        return None
    if not accepts_ratings(history):
        return now + LONGEST
    overdue = history.state == "collecting" and history.last.overdue
    if overdue or case.row.simulated or is_anything_to_hand_out(case):
        return None
    return min([now + LONGEST, *(moment for moment in _moments(case) if moment > now)])


def is_anything_to_hand_out(case: Case) -> bool:
    """Return whether the last round goes elsewhere, or somebody needs an email or a link for it."""
    last = case.rounds[-1]
    if last.frontend != RATING_PAGE:
        return last.frontend in ASKED
    return bool(raters_to_invite(case, last) or reminders_of(case, last) or raters_shut_out(case))


def _moments(case: Case) -> Iterator[datetime]:
    """Moments of a round, past and to come, from which something is due."""
    last = case.rounds[-1]
    yield last.deadline
    yield reminder_moment(case.campaign, last)
    for link in list_links(case.work.engine, case.name):
        if link.ends_at is not None:
            yield link.ends_at


def _surroundings(work: Work) -> str:
    """Hash of what an evaluation depends on outside it: settings of this process and addresses.

    Any evaluation that is opened, or reads its raters again, may bring the addresses.
    """
    settings = Settings.from_environment()
    page = [settings.rating_url, settings.rating_port, settings.sign_in_header]
    return content_hash([__version__, *page, list_addresses(work.engine)])


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
