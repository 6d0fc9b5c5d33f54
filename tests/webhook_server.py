"""A real web server on this machine that keeps what is posted to it."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "T0ubadour/B4mboo/xyzzy"


class Receiver:
    """Keeps what arrives; answers as `answers` say, the last one from then on.

    With `silent` it never answers, until the end.
    """

    def __init__(self, answers):
        self.answers = list(answers)
        self.posts, self.headers = [], []
        self.silent, self.end = False, threading.Event()
        self.address = None

    def answer(self):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def open_webhook(*answers):
    """Open a server whose address holds a secret; 200 unless answers are given."""
    found = Receiver(answers or (200,))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):  # http.server
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.posts.append((self.path, json.loads(body)))
            found.headers.append(dict(self.headers))
            if found.silent:
                found.end.wait(30)
                return
            self.send_response(found.answer())
            self.send_header("Location", f"{found.address}/elsewhere")
            self.end_headers()
            self.wfile.write(self.path.encode())  # some repeat what they were asked

        def do_GET(self):  # http.server
            found.posts.append((self.path, None))

        def log_message(self, *_):
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.address = f"http://127.0.0.1:{server.server_port}/services/{SECRET}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        found.end.set()
        server.shutdown()
        server.server_close()
        thread.join(30)
