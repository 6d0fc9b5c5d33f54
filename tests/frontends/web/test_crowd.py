"""Many raters at once, and a server that dies: nothing is lost and nothing is stored twice."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

from tests.frontends.web.conftest import Client, item, open_place, serving, store_in

RATERS = tuple(f"R{number:02}" for number in range(1, 11))


def test_ten_raters_at_once_lose_nothing(rounds):
    place = rounds(raters=RATERS, items=[item(f"d{n}") for n in range(1, 4)])
    codes = {rater: place.link(rater) for rater in RATERS}
    statuses = []

    def work(rater):
        client = Client(place.server)
        client.enter(codes[rater])
        statuses.extend(client.hand_in().status for _ in range(3))

    threads = [threading.Thread(target=work, args=(rater,)) for rater in RATERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert statuses == [200] * 30
    found = place.rows("ratings", "assignment", "dimension", "rev")
    assert len(found) == 60
    assert {row["rev"] for row in found} == {1}
    assert place.own("signals", "name") == [{"name": "ocrjury.round.complete"}]


def test_a_killed_server_has_kept_every_rating_that_it_took(tmp_path):
    with store_in(tmp_path) as base:
        place = open_place(base, raters=("R01",), items=[item(f"d{n}") for n in range(1, 40)])
        code, taken = place.link("R01"), 0
        with serving(place) as server:
            client = Client(server)
            client.enter(code)
            killer = threading.Timer(0.02, os.kill, (server.child.pid, signal.SIGKILL))
            with suppress(OSError, HTTPException):  # amid one of the next few
                while client.hand_in().status == 200:
                    taken += 1
                    if taken == 5:
                        killer.start()
            killer.join(60)
            server.child.wait(60)
        with serving(place) as server:
            client = Client(server)
            client.enter(code)
            client.hand_in()

        stored = len({row["assignment"] for row in place.rows("ratings", "assignment")})
        assert 5 <= taken <= stored - 1 <= taken + 1


def test_other_machines_are_kept_out_without_a_proxy():
    command = ["-m", "ocrjury.cli", "serve", "--host", "0.0.0.0"]
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, timeout=120
    )

    assert done.returncode == 2
    assert "would be open to other machines" in done.stderr


class Prefect(BaseHTTPRequestHandler):
    """What stands in for Prefect: it keeps the events that it is sent."""

    events: ClassVar[list] = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.events.extend(json.loads(body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        """Say nothing."""


def test_the_last_rating_of_a_round_reaches_prefect_by_itself(tmp_path):
    with store_in(tmp_path) as base, ThreadingHTTPServer(("127.0.0.1", 0), Prefect) as prefect:
        threading.Thread(target=prefect.serve_forever, daemon=True).start()
        place = open_place(base, raters=("R01",), items=[item("d1")])
        api = f"http://127.0.0.1:{prefect.server_port}/api"
        with serving(place, PREFECT_API_URL=api) as server:
            client = Client(server)
            client.enter(place.link("R01"))
            client.hand_in()
            end = time.monotonic() + 60
            while not place.own("signals", "sent_at")[0]["sent_at"]:
                assert time.monotonic() < end
                time.sleep(0.02)
        prefect.shutdown()

    event = Prefect.events[0]
    assert event["event"] == "ocrjury.round.complete"
    assert event["payload"] == {"evaluation": place.evaluation, "round": "1"}
