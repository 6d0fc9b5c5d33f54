"""Ten raters at once on a full disk, or as PostgreSQL dies: what was acknowledged is stored."""

import threading
import time
from contextlib import contextmanager, suppress

import psutil
import pytest

from tests.conftest import new_cluster, start_postgres
from tests.frontends.web.conftest import asked, item, open_place, serving, store_in
from tests.frontends.web.test_store_trouble import full

RATERS = tuple(f"T{number:02d}" for number in range(10))
ITEMS = [item(f"d{number}") for number in range(1, 9)]
PATIENCE = 60.0
VALUES = {"meaning": 4, "layout": 5}


class Raters:
    """Ten raters who hand in all they are asked for, and send again what was not taken."""

    def __init__(self, place):
        self.place, self.acknowledged, self.refused, self.strange = place, [], [], []
        self._end = time.monotonic() + PATIENCE
        clients = {rater: place.client() for rater in RATERS}
        for rater, client in clients.items():
            assert client.enter(place.link(rater)).status == 303
        self._threads = [
            threading.Thread(target=self._rate, args=(rater, client))
            for rater, client in clients.items()
        ]

    @contextmanager
    def at_work(self):
        """Yield while they rate; afterwards everybody has handed in everything."""
        for thread in self._threads:
            thread.start()
        yield
        for thread in self._threads:
            thread.join(PATIENCE)
        assert self.strange == [], (self.place.home / "serve.log").read_text()[-6000:]
        assert len(self.acknowledged) == len(RATERS) * len(ITEMS)

    def wait_for(self, answers, *, number):
        """Wait until there are so many answers of a kind."""
        while len(answers) < number:
            assert time.monotonic() < self._end, (len(answers), self.strange)
            time.sleep(0.01)

    def _rate(self, rater, client):
        while time.monotonic() < self._end:
            visit, rev, rubric, page = client.open()
            if visit is None and rev == 503:
                self.refused.append(rater)
                time.sleep(0.05)
            elif visit is None:
                if rev != 200:
                    self.strange.append((rev, page))
                break
            else:
                event = f"{rater}-{len(self.acknowledged)}-{time.monotonic_ns()}"
                body = {"event_id": event, "base": rev, "rubric_hash": rubric, "values": VALUES}
                self._send(client, f"/api/ratings/{visit}", body)

    def _send(self, client, path, body):
        """Hand in until it is taken, as a page does."""
        while time.monotonic() < self._end:
            answer = client.ask("POST", path, body)
            if answer.status == 200:
                self.acknowledged.append(body["event_id"])
                return
            kept = self.refused if answer.status == 503 else self.strange
            kept.append(answer.text)
            time.sleep(0.05)


def stored(place):
    """Hand-in of every value that is stored."""
    rows = place.rows("ratings", "event_id")
    return sorted(row["event_id"].partition("/")[0] for row in rows)


def told(place, begin):
    """What the log of the server says since it had `begin` characters."""
    return (place.home / "serve.log").read_text()[begin:].splitlines()


def test_what_ten_raters_were_told_is_stored_is_stored_while_the_disk_is_full(rounds):
    place = rounds(items=ITEMS, raters=RATERS, plan=asked(RATERS, [one.item for one in ITEMS]))
    raters, begin = Raters(place), len((place.home / "serve.log").read_text())

    with raters.at_work():
        raters.wait_for(raters.acknowledged, number=10)
        with full(place.server):
            raters.wait_for(raters.refused, number=20)
            before = set(raters.acknowledged)
            assert set(stored(place)) == before

    assert stored(place) == sorted([*raters.acknowledged] * len(VALUES))
    lines = [line for line in told(place, begin) if "is full" in line]
    assert len(lines) <= 1  # one a minute, also of other tests
    assert not [line for line in told(place, begin) if "Traceback" in line]


@pytest.fixture
def cluster():
    """A PostgreSQL server of this test's own, which it may kill."""
    with new_cluster() as folder:
        yield folder


def kill_postgres(folder):
    """Kill PostgreSQL's first process and all that it started."""
    leader = psutil.Process(int((folder / "data" / "postmaster.pid").read_text().split()[0]))
    family = [leader, *leader.children()]
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs(family, timeout=30)
    (folder / "data" / "postmaster.pid").unlink(missing_ok=True)


def test_what_ten_raters_were_told_is_stored_outlives_the_death_of_postgresql(cluster, tmp_path):
    with (
        store_in(tmp_path, url=f"postgresql://postgres@/postgres?host={cluster}") as base,
        serving(base, "--behind-proxy") as base.server,
    ):
        asks = asked(RATERS, [one.item for one in ITEMS])
        place = open_place(base, items=ITEMS, raters=RATERS, plan=asks)
        raters = Raters(place)
        with raters.at_work():
            raters.wait_for(raters.acknowledged, number=10)
            kill_postgres(cluster)
            raters.wait_for(raters.refused, number=5)
            start_postgres(cluster)

        assert stored(place) == sorted([*raters.acknowledged] * len(VALUES))
        assert not [line for line in told(place, 0) if "Traceback" in line]
