"""Raters without browsers, who send what the page's script sends and repeat it until accepted."""

import http.client
import json
import random
import re
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

PATIENCE = 60.0
"""Seconds after which a rater gives up to reach the server."""
_PAGE = re.compile(r'data-visit="([^"]+)" data-rev="(\d+)" data-rubric="(\w+)" data-token="(\w+)"')


class Call(NamedTuple):
    """Request; its time is recorded under `kind`."""

    kind: str
    method: str
    path: str
    body: bytes | None = None


@dataclass
class Log:
    """Log of all raters: seconds by kind of request, responses by status, acknowledged events."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    taken: dict[str, str] = field(default_factory=dict)
    again: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, kind: str, seconds: float, status: int) -> None:
        """Note one answer."""
        with self._lock:
            self.seconds[kind].append(seconds)
            self.statuses[status] += 1

    def take(self, event: str, visit: str) -> None:
        """Note that a submission was acknowledged."""
        with self._lock:
            self.taken[event] = visit

    def retry(self) -> None:
        """Note that something was sent again."""
        with self._lock:
            self.again += 1


class Rater:
    """One person with a link.

    Parameters
    ----------
    think
        Seconds on an item, from and to.
    """

    def __init__(self, port: int, code: str, *, log: Log, think: tuple[float, float]) -> None:
        self.port, self.code, self.log, self.think = port, code, log, think
        self.cookie = self.token = ""
        self.line: http.client.HTTPConnection | None = None
        self.rng = random.Random(code)

    def work(self, dimensions: tuple[str, ...]) -> None:
        """Sign in and rate until nothing is left."""
        time.sleep(self.rng.uniform(0, self.think[1]))
        self.enter()
        number, opened = 0, self.open("/rate")
        while opened is not None:
            visit, rev, rubric = opened
            number += 1
            following = self.open(f"/rate/ahead?after={visit}")
            self._rate(visit, rev, dimensions, rubric=rubric, twice=number % 10 == 0)
            if following is not None:
                self.send(Call("shown", "POST", f"/api/shown/{following[0]}"), {"held_ms": 0})
            opened = following or self.open("/rate")

    def enter(self) -> None:
        """Sign in."""
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        code = urlencode({"code": self.code}).encode()
        self.ask(Call("enter", "POST", "/enter", code), **form)

    def open(self, path: str) -> tuple[str, int, str] | None:
        """Visit, draft and rubric of an item whose page and image are fetched, None at the end."""
        page = self.ask(Call("page", "GET", path)).decode()
        match = _PAGE.search(page)
        if match is None:
            return None
        self.token = match[4]
        self.ask(Call("image", "GET", f"/images/{match[1]}/crop"))
        return match[1], int(match[2]), match[3]

    def _rate(
        self, visit: str, rev: int, dimensions: tuple[str, ...], *, rubric: str, twice: bool
    ) -> None:
        """Choose one level after the other, each saved as a draft, and submit."""
        values: dict[str, float] = {}
        pause = self.rng.uniform(*self.think) / len(dimensions)
        for name in dimensions:
            time.sleep(pause)
            values[name] = self.rng.randint(1, 5)
            body = {"event_id": self._event(), "base": rev, "values": values}
            rev = json.loads(self.send(Call("draft", "PUT", f"/api/drafts/{visit}"), body))["rev"]
        event = self._event()
        body = {"event_id": event, "base": rev, "values": values, "rubric_hash": rubric}
        body["told"] = [*values]
        for _ in range(2 if twice else 1):  # the second as after an answer that got lost
            self.send(Call("submission", "POST", f"/api/ratings/{visit}"), body)
            self.log.take(event, visit)

    def _event(self) -> str:
        """Unique name for a change."""
        return f"{self.rng.getrandbits(128):032x}"

    def send(self, call: Call, body: dict[str, object]) -> bytes:
        """Send what a script sends."""
        headers = {"Content-Type": "application/json", "X-Form-Token": self.token}
        return self.ask(call._replace(body=json.dumps(body).encode()), **headers)

    def ask(self, call: Call, **headers: str) -> bytes:
        """Body of a response; repeats the request while the server is down."""
        end = time.monotonic() + PATIENCE
        while True:
            start = time.perf_counter()
            try:
                status, body = self._once(call, headers)
            except (OSError, http.client.HTTPException):
                self._hang_up()
                if time.monotonic() > end:
                    raise
                self.log.retry()
                time.sleep(0.2)
                continue
            self.log.add(call.kind, time.perf_counter() - start, status)
            if status >= http.client.BAD_REQUEST:
                raise RuntimeError(f"{call.method} {call.path}: {status} {body[:300]!r}")
            return body

    def _once(self, call: Call, headers: dict[str, str]) -> tuple[int, bytes]:
        """One response, over a connection that stays open like a browser's."""
        if self.line is None:
            self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        self.line.request(call.method, call.path, call.body, {**headers, **cookie})
        answer = self.line.getresponse()
        body = answer.read()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie" and value.startswith("__Host-ocrjury-rating-"):
                self.cookie = value.partition(";")[0]
        return answer.status, body

    def _hang_up(self) -> None:
        """Forget a connection that broke."""
        if self.line is not None:
            self.line.close()
            self.line = None


def crowd(
    port: int, codes: dict[str, str], dimensions: tuple[str, ...], *, think: tuple[float, float]
) -> tuple[Log, list[threading.Thread]]:
    """Start all raters at once; return what they will have seen, and their threads."""
    log = Log()
    raters = [Rater(port, code, log=log, think=think) for code in codes.values()]
    threads = [threading.Thread(target=rater.work, args=(dimensions,)) for rater in raters]
    for thread in threads:
        thread.start()
    return log, threads
