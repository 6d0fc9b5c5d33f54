"""Logs as lines of JSON, for servers whose logs a program collects; ``OCRJURY_LOG=json``.

No line holds a text of a document, an address of a person or a secret: of errors it holds the kind
and the places in the code, never the message, because messages quote what was wrong.
"""

import io
import json
import logging
import os
import re
import sys
import threading
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, TextIO

JSON: Final = "json"
PREFECT_AS_JSON: Final = {
    "PREFECT_LOGGING_FORMATTERS_JSON_CLASS": f"{__name__}.JsonLines",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_FORMATTER": JSON,
    "PREFECT_LOGGING_HANDLERS_DEBUG_FORMATTER": JSON,
    "PREFECT_LOGGING_COLORS": "false",
}
"""Variables with which Prefect's processes write such lines too."""
START: Final = '{"time":'
LONGEST: Final = 2000
HIDDEN: Final = "[hidden]"
_QUOTED = (
    re.compile(r"\b(\w{0,100}(?:Error|Exception|Warning))\b[:(].*", re.DOTALL),
    re.compile(r"\b(exception: \w{1,100}).*", re.DOTALL),
)
_ADDRESS = re.compile(r"[^\s@<>\"'(),;:/]{1,64}@[\w.-]{1,253}")
_SECRET = re.compile(r"[\w-]{32,}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HEX = re.compile(r"[0-9a-f]+")
_PLACES = 12


def log_as_json() -> None:
    """Write everything that this process says as lines of JSON, from now on."""
    os.environ |= PREFECT_AS_JSON
    stream = sys.stderr
    sys.stdout, sys.stderr = JsonStream("stdout", sys.stdout), JsonStream("stderr", stream)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    # A traceback quotes the message, whose second line nobody would take for one of an error.
    sys.excepthook = _name_uncaught
    threading.excepthook = lambda ended: _name_uncaught(*ended[:3])


def _name_uncaught(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    """Log an error that nobody caught."""
    if error is not None:
        logging.getLogger("ocrjury").critical(error, exc_info=(kind, error, trace))


class JsonLines(logging.Formatter):
    """A record as one line of JSON.

    Parameters
    ----------
    _format, _date_format, _style
        Given by whoever configures formatters by name, and not used.
    """

    def __init__(
        self, _format: object = None, _date_format: object = None, _style: str = ""
    ) -> None:
        super().__init__()

    def format(self, record: logging.LogRecord) -> str:
        """Line of a record."""
        error = record.exc_info[1] if record.exc_info else None
        more: dict[str, object] = {
            key: getattr(record, name)
            for key, name in (("run", "flow_run_name"), ("task", "task_run_name"))
            if isinstance(getattr(record, name, None), str)
        }
        if error is not None:
            more["error"] = {"type": type(error).__name__, "at": _places(error)}
        return line(record.levelname, record.name, _message(record, error), **more)


class JsonStream(io.TextIOBase):
    """A stream that makes lines of JSON of what is printed, and leaves those that are."""

    def __init__(self, name: str, stream: TextIO) -> None:
        self.name, self.stream = name, stream
        self._rest = ""
        self._quoting = False
        self._lock = threading.RLock()  # the handler of a signal may print while this writes

    def writable(self) -> bool:
        """Return True: the stream can always be written to."""
        return True

    def fileno(self) -> int:
        """Descriptor of the stream below."""
        return self.stream.fileno()

    def write(self, text: str) -> int:
        """Write every whole line of a text; keep the rest."""
        with self._lock:
            *lines, self._rest = (self._rest + text).split("\n")
            for each in filter(str.strip, lines):
                self._write_line(each)
            # Whoever prints an error writes its message at once, however many lines it has.
            self._quoting = self._quoting and bool(self._rest)
            self.stream.flush()
        return len(text)

    def _write_line(self, text: str) -> None:
        """Write a line, unless it goes on with the message of an error."""
        whole = text.startswith(START)
        if whole or not self._quoting:
            self.stream.write(f"{self._as_json(text)}\n")
            self._quoting = not whole and any(quoted.search(text) for quoted in _QUOTED)

    def flush(self) -> None:
        """Flush the stream below."""
        if not self.stream.closed:
            self.stream.flush()

    def _as_json(self, text: str) -> str:
        return text if text.startswith(START) else line("INFO", self.name, discreet(text))


def line(level: str, logger: str, message: str, **more: object) -> str:
    """One line of JSON."""
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    body = {"time": time, "level": level.lower(), "logger": logger, "message": message, **more}
    return json.dumps(body, ensure_ascii=False)


def discreet(text: str) -> str:
    """Text without what an error quotes, without addresses of people and without secrets.

    Examples
    --------
    >>> discreet("Finished in state Failed('ValueError: 김철수 1,200')")
    "Finished in state Failed('ValueError"
    >>> discreet("550 kim@example.org at postgresql://o:pw@db/x")
    '550 [hidden] at postgresql://o:[hidden]/x'
    >>> discreet("link /enter#" + "Zx9_" * 10)
    'link /enter#[hidden]'
    """
    text = text[:LONGEST]
    for quoted in _QUOTED:
        text = quoted.sub(r"\1", text)
    return _SECRET.sub(_hide, _ADDRESS.sub(HIDDEN, text))


def _message(record: logging.LogRecord, error: BaseException | None) -> str:
    """Message of a record, in which errors are named and not quoted."""
    if isinstance(record.msg, BaseException):
        return type(record.msg).__name__
    if isinstance(record.args, tuple):
        record.args = tuple(
            type(arg).__name__ if isinstance(arg, BaseException) else arg for arg in record.args
        )
    try:
        message = record.getMessage()
    except (TypeError, ValueError):  # a template that does not fit its values
        message = str(record.msg)
    if error is not None and str(error):
        message = message.replace(str(error), type(error).__name__)
    return discreet(message)


def _places(error: BaseException) -> list[str]:
    """Places in the code that an error came through, the last ones."""
    frames = traceback.extract_tb(error.__traceback__)[-_PLACES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


def _hide(match: re.Match[str]) -> str:
    """Nothing of a key, a code or a hash; names and ids stay."""
    word = match[0]
    mixed = {str.isupper, str.islower, str.isdigit}
    secret = all(any(map(kind, word)) for kind in mixed) or bool(_HEX.fullmatch(word))
    return HIDDEN if secret and not _UUID.fullmatch(word) else word
