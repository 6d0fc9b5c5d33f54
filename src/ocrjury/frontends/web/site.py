"""Site behind every request: the store, the clock, the addresses, and limits on tries."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.settings import LOOPBACK, in_brackets
from ocrjury.errors import OcrjuryError
from ocrjury.frontends.web.proxy import Proxy, limited_as
from ocrjury.frontends.web.refusal_counts import RefusalCounts
from ocrjury.frontends.web.watching.measures import Measures
from ocrjury.store.evaluations import read_evaluation, read_hashes, read_rubric
from ocrjury.store.workspace import Store

if TYPE_CHECKING:
    from ocrjury.signals.stuck_runs import StuckRun  # it loads an HTTP client

_KEYS = 10_000


class RateLimit:
    """A window that slides: so many tries by the same one within so many seconds.

    Examples
    --------
    >>> limit = RateLimit(2, seconds=60)
    >>> [limit.allows("a", at=0), limit.allows("a", at=1), limit.allows("a", at=2)]
    [True, True, False]
    >>> limit.allows("a", at=61)
    True
    """

    def __init__(self, tries: int, *, seconds: float) -> None:
        self.tries = tries
        self.seconds = seconds
        self._tried: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, who: str, *, at: float | None = None) -> bool:
        """Return whether one more try is allowed; it is counted if so."""
        if self.full(who, at=at):
            return False
        self.count(who, at=at)
        return True

    def full(self, who: str, *, at: float | None = None) -> bool:
        """Return whether no more try is allowed."""
        moment = time.monotonic() if at is None else at
        with self._lock:
            tried = self._tried.get(who, deque())
            while tried and moment - tried[0] >= self.seconds:
                tried.popleft()
            return len(tried) >= self.tries

    def count(self, who: str, *, at: float | None = None) -> None:
        """Count a try."""
        with self._lock:
            self._tried.setdefault(who, deque()).append(time.monotonic() if at is None else at)
            self._tried.move_to_end(who)
            # Nobody fills the memory by coming from ever new addresses.
            while len(self._tried) > _KEYS:
                self._tried.popitem(last=False)


def _print_nothing(_html: str) -> bytes:
    raise OcrjuryError("this page prints no PDF.")


@dataclass(frozen=True)
class Site:
    """One running rating page.

    Attributes
    ----------
    store
        Where everything is.
    address
        What people type, such as ``https://rate.example.org``; requests for other hosts are
        refused.
    now
        The clock.
    announce
        Called after the last rating of a round: tells Prefect, in another thread.
    follow
        Called with the evaluation after every rating: shows its progress, in another thread.
    proxy
        The proxy before it, whose ``X-Forwarded-For`` says who asks; by default there is none.
    sign_in_header
        The header in which this proxy names whom it has signed in; None: links alone let in.
    runs
        Number of Prefect's runs by state, None if its server does not answer.
    stuck
        Runs of Prefect that were stuck when somebody last looked; it answers at once.
    print_pdf
        Prints an HTML page as a PDF, in a child process with a time limit: this one is to stay
        small. `OcrjuryError` if it cannot; by default it never can.
    metrics_token
        What programs send to read ``/metrics``; None: those of this machine may.
    """

    store: Store
    address: str = "http://127.0.0.1:8080"
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    announce: Callable[[], object] = lambda: None
    follow: Callable[[str], object] = lambda _evaluation: None
    proxy: Proxy = field(default_factory=Proxy)
    sign_in_header: str | None = None
    runs: Callable[[], Mapping[str, int] | None] = lambda: None
    stuck: Callable[[], Sequence["StuckRun"]] = tuple
    print_pdf: Callable[[str], bytes] = _print_nothing
    metrics_token: str | None = field(default=None, repr=False)
    measures: Measures = field(default_factory=Measures)
    failures: RateLimit = field(default_factory=lambda: RateLimit(10, seconds=300))
    all_failures: RateLimit = field(default_factory=lambda: RateLimit(200, seconds=300))
    digits: RateLimit = field(default_factory=lambda: RateLimit(5, seconds=300))
    saves: RateLimit = field(default_factory=lambda: RateLimit(240, seconds=60))
    requests: RateLimit = field(default_factory=lambda: RateLimit(600, seconds=60))
    troubles: RateLimit = field(default_factory=lambda: RateLimit(1, seconds=60))
    looks: RateLimit = field(default_factory=lambda: RateLimit(1, seconds=300))
    refusals: RefusalCounts = field(default_factory=RefusalCounts)

    def too_many_failures(self, address: str) -> bool:
        """Return whether too many wrong codes came lately, from near an address or from all.

        Only wrong codes are turned away for it: whoever has a link comes in.
        """
        return self.failures.full(limited_as(address)) or self.all_failures.full("all")

    def count_failure(self, address: str) -> None:
        """Count a wrong code."""
        self.failures.count(limited_as(address))
        self.all_failures.count("all")

    @property
    def hosts(self) -> frozenset[str]:
        """Hosts, with their ports, that this site answers to."""
        parts = urlsplit(self.address)
        if parts.hostname not in LOOPBACK:
            return frozenset({parts.netloc})
        port = f":{parts.port}" if parts.port else ""
        return frozenset(f"{in_brackets(name)}{port}" for name in LOOPBACK)

    def single_use(self, evaluation: str) -> bool:
        """Return whether links of raters of an evaluation let in once only."""
        return self.campaign(evaluation).rounds.page.single_use

    def campaign(self, evaluation: str) -> Campaign:
        """Campaign of an evaluation as it was when its rounds began."""
        return self._campaign(evaluation, read_hashes(self.store.engine, evaluation))

    @lru_cache(maxsize=8)  # noqa: B019  # a site lives as long as its process
    def _campaign(self, evaluation: str, hashes: tuple[str, str]) -> Campaign:
        """Campaign with its rubric; it is read once."""
        row = read_evaluation(self.store.engine, evaluation)
        rubric = read_rubric(self.store.engine, hashes[1])
        return row.config.with_rubric(rubric)

    def __hash__(self) -> int:
        """Identity: there is one site in a process."""
        return id(self)
