"""How far a rater is, how long the rest will take, and when a break is due."""

from typing import NamedTuple

from ocrjury.frontends.web.access.people import Guest
from ocrjury.store.database import Connection
from ocrjury.store.queue import count_queue
from ocrjury.store.visits import seconds_per_item


class Pace(NamedTuple):
    """Progress in the open round, and minutes: until the end, and at work without a break."""

    title: str
    done: int
    total: int
    waiting: int
    minutes_left: int
    minutes_at_work: float
    break_minutes: float
    must_rest: bool

    @property
    def left(self) -> int:
        """Number of items that are open."""
        return self.total - self.done - self.waiting


def pace_of(connection: Connection, guest: Guest) -> Pace:
    """Progress of a rater."""
    campaign, now = guest.campaign, guest.site.now()
    counts = count_queue(connection, guest.link)
    seconds = seconds_per_item(connection, guest.link) or 60 * campaign.raters.minutes_per_item
    at_work = (now - guest.session.working_since).total_seconds() / 60
    page = campaign.rounds.page
    return Pace(
        title=campaign.title,
        done=counts.done,
        total=counts.done + counts.open + counts.waiting,
        waiting=counts.waiting,
        minutes_left=max(round(counts.open * seconds / 60), int(counts.open > 0)),
        minutes_at_work=at_work,
        break_minutes=page.break_minutes,
        must_rest=0 < page.stop_minutes <= at_work,
    )
