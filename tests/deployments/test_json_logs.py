"""A log of JSON holds nothing that a log must not hold."""

import io
import json
import logging
import os
import subprocess
import sys
import threading
import traceback
from contextlib import redirect_stderr

import pytest

from ocrjury.deployments.json_logs import JsonLines, JsonStream, discreet

TEXT = "김철수 1,200원"  # what an error quotes
CODE = "Zx9_kQ7-" * 5
SECRETS = (TEXT, CODE, "kim@example.org", "pw1", "0123456789abcdef" * 4)


def written(say):
    """Lines of JSON that a fresh logger writes."""
    lines = []
    handler = logging.Handler()
    handler.setFormatter(JsonLines())
    handler.emit = lambda record: lines.append(json.loads(handler.format(record)))
    logger = logging.Logger("ocrjury.test")  # noqa: LOG001  # no other test hears it
    logger.addHandler(handler)
    say(logger)
    return lines


def failing(logger):
    try:
        int(TEXT)
    except ValueError as error:
        logger.exception("scoring failed: %s", error)  # noqa: TRY401  # as above
        logger.exception(f"scoring failed: {error}")  # noqa: G004, TRY401  # as others write it
        logger.warning("it said %r", error)
        logger.warning(error)


def test_an_error_is_named_and_not_quoted():
    lines = written(failing)

    assert [line["message"] for line in lines] == [
        *("scoring failed: ValueError", "scoring failed: ValueError"),
        *("it said 'ValueError'", "ValueError"),
    ]
    assert [line["error"]["type"] for line in lines[:2]] == ["ValueError", "ValueError"]
    assert lines[0]["error"]["at"][-1].endswith(" failing")
    assert TEXT not in json.dumps(lines, ensure_ascii=False)


def test_a_line_says_when_what_and_who():
    [line] = written(lambda logger: logger.warning("%d signals wait", 3))

    assert list(line) == ["time", "level", "logger", "message"]
    assert (line["level"], line["logger"]) == ("warning", "ocrjury.test")
    assert line["message"] == "3 signals wait"
    assert line["time"].endswith("+00:00")


def test_a_line_of_a_run_names_the_run():
    extra = {"flow_run_name": "claims-2026w47-advance", "task_run_name": "score-0"}

    [line] = written(lambda logger: logger.warning("done", extra=extra))

    assert (line["run"], line["task"]) == ("claims-2026w47-advance", "score-0")


def test_a_template_that_does_not_fit_is_written_as_it_is():
    template, values = "%d of %d", ("x",)

    [line] = written(lambda logger: logger.warning(template, *values))

    assert line["message"] == template


@pytest.mark.parametrize(
    "text",
    [
        f"Finished in state Failed('Flow run encountered an exception: InputError: {TEXT}')",
        f"Flow run encountered an exception: Oddity: {TEXT}",
        f"sqlalchemy.exc.OperationalError: (x) {TEXT}\nmore {TEXT}",
        f"ValueError({TEXT!r})",
        "mail to kim@example.org refused",
        "no answer from postgresql://ocrjury:pw1@database/ocrjury",
        f"http://127.0.0.1:8080/enter#{CODE}",
        f"Authorization: Bearer {'0123456789abcdef' * 4}",
        "x" * 5000 + TEXT,
    ],
)
def test_texts_addresses_and_secrets_stay_out(text):
    assert [secret for secret in SECRETS if secret in discreet(text)] == []


def test_names_and_ids_stay():
    name, run = "korean-insurance-claims-2026w47-r01", "e03cbcbf-35de-4b2b-898b-a9304164abf2"
    text = f"Flow run '{name}' {run}"

    assert discreet(text) == text


def test_what_others_print_becomes_lines_and_lines_stay(capsys):
    stream = JsonStream("stdout", sys.stdout)

    stream.write('{"time": "now", "message": "made elsewhere"}\nWorker st')
    stream.write("arted!\n\n")
    stream.write("no end")

    own, wrapped = capsys.readouterr().out.splitlines()
    assert own == '{"time": "now", "message": "made elsewhere"}'
    assert json.loads(wrapped)["message"] == "Worker started!"
    assert stream.writable()


def test_every_line_of_what_an_error_quotes_stays_out(capsys):
    error = ValueError("김철수\n1,200\nkim")
    with redirect_stderr(JsonStream("stderr", sys.stderr)):
        traceback.print_exception(error)
        print("김철수: ValueError: 김\n1,200", file=sys.stderr)
        print("began again", file=sys.stderr)
        sys.stderr.write('{"time": "now"}\nTypeError: 김\n{"time": "then"}\n')

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    said = [line.get("message", line["time"]) for line in lines]
    assert said == ["ValueError", "김철수: ValueError", "began again", "now", "TypeError", "then"]


def test_a_signal_whose_handler_prints_stops_no_line():
    class Interrupted(io.StringIO):
        """A stream in the middle of whose first line a handler prints."""

        def write(self, text):
            if not self.getvalue():
                super().write(text)
                stream.write("stopping\n")
                return len(text)
            return super().write(text)

    stream = JsonStream("stdout", Interrupted())
    writer = threading.Thread(target=stream.write, args=("first\nsecond\n",), daemon=True)
    writer.start()
    writer.join(20)

    lines = stream.stream.getvalue().splitlines()
    assert [json.loads(each)["message"] for each in lines] == ["first", "stopping", "second"]


PROGRAM = f"""
import logging, sys, threading, warnings
from ocrjury.deployments.json_logs import log_as_json
log_as_json()
from prefect.logging.configuration import setup_logging
setup_logging()
print("printed")
logging.getLogger("ocrjury.signals").warning("of ours")
logging.getLogger("prefect.workers").error("of Prefect's")
warnings.warn("careful")
def fail():
    raise ValueError("two lines" + chr(10) + {TEXT!r})
thread = threading.Thread(target=fail)
thread.start()
thread.join(60)
fail()
"""


def test_every_line_of_a_process_is_json(tmp_path):
    environment = os.environ | {
        "PREFECT_HOME": str(tmp_path),
        "PREFECT_LOGGING_TO_API_ENABLED": "0",
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=120,
    )

    lines = [json.loads(line) for line in (done.stdout + done.stderr).splitlines()]
    messages = [line["message"] for line in lines]
    assert {"printed", "of ours", "of Prefect's"} <= set(messages)
    assert messages[-2:] == ["ValueError"] * 2
    assert [line["error"]["type"] for line in lines[-2:]] == ["ValueError"] * 2
    assert TEXT not in done.stdout + done.stderr
