"""A server on 127.0.0.1 that answers as Label Studio 1.23 was recorded to answer."""

import itertools
import json
import re
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qs, urlsplit

TOKEN = "0123456789abcdef0123456789abcdef01234567"
PERSONAL = "eyJhbGciOiJIUzI1NiJ9.eyJ0eXBlIjoicmVmcmVzaCJ9.c2lnbmF0dXJl"
LEAD, FIRST, SECOND = 1, 2, 3
"""Numbers of the users: the lead, R01 and R02."""


class StandIn:
    """The state of the server, and what it is told to do wrong."""

    def __init__(self):
        self.release = "1.23.2"
        self.users = {LEAD: "lead@example.org", FIRST: "r01@example.org", SECOND: "R02@example.org"}
        self.projects, self.tasks, self.webhooks = {}, {}, {}
        self.sends_webhooks = True
        self.numbers = itertools.count(1)
        self.clock = datetime(2026, 11, 20, 9, tzinfo=UTC)
        self.requests, self.tokens, self.refreshes = [], [], 0
        self.busy, self.lost = [], set()
        self.lock = Lock()

    def annotate(self, task, by, said=None, **changes):
        """Annotate a task as a browser does; return the annotation."""
        self.clock += timedelta(seconds=1)
        made = {
            "id": next(self.numbers),
            "completed_by": by,
            "updated_by": by,
            "was_cancelled": False,
            "created_at": f"{self.clock:%Y-%m-%dT%H:%M:%S.%fZ}",
            "updated_at": f"{self.clock:%Y-%m-%dT%H:%M:%S.%fZ}",
            "result": result(said or {}),
            **changes,
        }
        self.tasks[task]["annotations"].append(made)
        return made

    def change(self, annotation, by, said):
        """Change an annotation."""
        self.clock += timedelta(seconds=1)
        changed = f"{self.clock:%Y-%m-%dT%H:%M:%S.%fZ}"
        annotation.update(updated_by=by, updated_at=changed, result=result(said))

    def tasks_of(self, rater):
        """The numbers of a rater's tasks in their order."""
        [project] = [one for one, body in self.projects.items() if body["title"].endswith(rater)]
        return [number for number, one in sorted(self.tasks.items()) if one["project"] == project]

    def sent(self, method=None):
        """The paths that were asked for."""
        return [path for verb, path in self.requests if method in {None, verb}]


def result(said):
    """What the controls of a page hold, as a browser sends it."""
    kinds = {"comment": ("textarea", "text")}
    return [
        {
            "from_name": name,
            "to_name": "hypothesis",
            "type": kinds.get(name, ("choices", "choices"))[0],
            "value": {kinds.get(name, ("choices", "choices"))[1]: [value]},
        }
        for name, value in said.items()
    ]


@contextmanager
def serving(state):
    """Yield the address of a server with this state."""
    handler = type("Bound", (Handler,), {"state": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(60)


class Handler(BaseHTTPRequestHandler):
    """What is answered to each request."""

    state: StandIn
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        """Print nothing."""

    def do_GET(self):
        self._serve("GET")

    def do_POST(self):
        self._serve("POST")

    def do_PATCH(self):
        self._serve("PATCH")

    def do_DELETE(self):
        self._serve("DELETE")

    def _serve(self, method):
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        with self.state.lock:
            self.state.requests.append((method, parts.path))
            number = len(self.state.requests)
            if self.state.busy:
                status, headers = self.state.busy.pop(0)
                self._answer(status, {"detail": "busy"}, headers)
                return
            status, content = self._do(method, parts.path, query, body)
            if number in self.state.lost:
                self.close_connection = True
                self.connection.close()
                return
        self._answer(status, content)

    def _do(self, method, path, query, body):
        """Status and content of an answer."""
        if path == "/api/version":
            return 200, {"release": self.state.release, "edition": "Community"}
        if path == "/api/token/refresh/":
            return self._refresh(body)
        if not self._allowed():
            return 401, {"detail": "Invalid token."}
        for verb, pattern, answer in self._answers():
            found = re.fullmatch(pattern, path)
            if verb == method and found:
                return answer(*map(int, found.groups()), query if verb == "GET" else body)
        return 404, {"detail": "Not found."}

    def _answers(self):
        """What is answered to which requests."""
        return [
            ("GET", "/api/current-user/whoami", lambda _: (200, {"id": LEAD})),
            ("GET", "/api/users/", self._list_users),
            ("GET", "/api/projects/", self._list_projects),
            ("POST", "/api/projects/", self._make_project),
            ("PATCH", r"/api/projects/(\d+)/", self._change_project),
            ("DELETE", r"/api/projects/(\d+)/", lambda one, _: self._drop("projects", one)),
            ("POST", r"/api/projects/(\d+)/import", self._import),
            ("POST", "/api/webhooks/", self._make_webhook),
            ("DELETE", r"/api/webhooks/(\d+)/", lambda one, _: self._drop("webhooks", one)),
            ("GET", "/api/tasks", self._list_tasks),
            ("DELETE", r"/api/tasks/(\d+)/", lambda one, _: self._drop("tasks", one)),
        ]

    def _refresh(self, body):
        self.state.refreshes += 1
        good = body["refresh"] == PERSONAL
        return (200, {"access": f"short-{self.state.refreshes}"}) if good else (401, {})

    def _list_users(self, _query):
        return 200, [{"id": one, "email": mail} for one, mail in self.state.users.items()]

    def _make_webhook(self, body):
        if not self.state.sends_webhooks:
            return 400, {"detail": "Validation error", "validation_errors": {"url": ["private"]}}
        number = next(self.state.numbers)
        self.state.webhooks[number] = {"id": number, **body}
        return 201, self.state.webhooks[number]

    def _change_project(self, project, body):
        self.state.projects[project].update(body)
        return 200, self.state.projects[project]

    def _drop(self, kind, number):
        gone = getattr(self.state, kind).pop(number, None)
        return (404, {"detail": "Not found."}) if gone is None else (204, None)

    def _allowed(self):
        sent = self.headers.get("Authorization", "")
        self.state.tokens.append(sent)
        return sent in {f"Token {TOKEN}", f"Bearer short-{self.state.refreshes}"}

    def _list_projects(self, query):
        everything = sorted(self.state.projects.values(), key=lambda one: -one["id"])
        page, size = int(query["page"]), int(query["page_size"])
        wanted = query["include"].split(",")
        shown = [
            {name: one[name] for name in wanted}
            for one in everything[(page - 1) * size : page * size]
        ]
        more = page * size < len(everything)
        return 200, {
            "count": len(everything),
            "next": "http://x" if more else None,
            "results": shown,
        }

    def _make_project(self, body):
        if not 3 <= len(body["title"]) <= 50:
            return 400, {"detail": "Validation error", "validation_errors": {"title": ["length"]}}
        number = next(self.state.numbers)
        self.state.projects[number] = {"id": number, **body}
        return 201, self.state.projects[number]

    def _import(self, project, body):
        for one in body:
            number = next(self.state.numbers)
            self.state.tasks[number] = {
                "id": number,
                "project": project,
                "data": one["data"],
                "annotations": [],
            }
        return 201, {"task_count": len(body)}

    def _list_tasks(self, query):
        those = [
            task for task in self.state.tasks.values() if task["project"] == int(query["project"])
        ]
        page, size = int(query["page"]), int(query["page_size"])
        shown = those[(page - 1) * size : page * size]
        if page > 1 and not shown:
            return 404, {"detail": "Invalid page."}
        return 200, {"total": len(those), "tasks": shown}

    def _answer(self, status, content, headers=()):
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
