"""How often one may try within a time; kept in memory, since there is one process."""

import time
from collections import OrderedDict, deque
from threading import Lock

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
        """Whether one more try is allowed; it is counted if so."""
        if self.full(who, at=at):
            return False
        self.count(who, at=at)
        return True

    def full(self, who: str, *, at: float | None = None) -> bool:
        """Whether no more try is allowed."""
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
