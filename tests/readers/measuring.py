"""Memory that reading takes, in processes of their own: forks of one that has loaded the readers.

To load them anew takes half a second each.
"""

import atexit
import importlib
import json
import os
import resource
import subprocess
import sys
import textwrap
import traceback
from functools import cache
from pathlib import Path

from ocrjury import InputError
from ocrjury.readers import iter_pool, read_pool
from tests.children import end, exit_code_of, next_line

LOADED = (
    *("numpy", "pandas", "lxml.etree", "pyarrow.parquet", "pyarrow.compute"),
    "ocrjury.readers.pool_frame",
)
ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}


def measured(code, limit=1500):
    """Run code in a process that may take so many MB, and return the MB it took at its peak."""
    parent = _parent()
    order = {"code": textwrap.dedent(code), "limit": limit}
    print(json.dumps(order), file=parent.stdin, flush=True)
    answer = json.loads(next_line(parent, 2 * SECONDS))
    assert answer["code"] == 0, answer["error"]
    return answer["took"]


@cache
def _parent():
    """The process that forks, which ends with this one."""
    command = [sys.executable, "-m", "tests.readers.measuring"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    known = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    parent = subprocess.Popen(command, cwd=ROOT, text=True, env=known | ENVIRONMENT, **pipes)

    atexit.register(end, parent)
    return parent


def peak():
    """Most memory in MB that this process has had since it was forked."""
    # getrusage would tell the peak of the process that started this one
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def run(order, answers):
    """Run the code of an order in this process, and write what became of it."""
    resource.setrlimit(resource.RLIMIT_AS, (order["limit"] << 20, order["limit"] << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    names = {"InputError": InputError, "iter_pool": iter_pool, "read_pool": read_pool}
    before = peak()
    answer = {"code": 0, "took": 0}
    try:
        exec(order["code"], names)  # the code of a test
        answer["took"] = peak() - before
    except BaseException:  # noqa: BLE001  # SystemExit too
        answer = {"code": 1, "error": traceback.format_exc()[-2000:]}
    os.write(answers, json.dumps(answer).encode())


def main():
    """Fork at every order, and say what became of it."""
    for name in LOADED:
        importlib.import_module(name)
    for line in sys.stdin:
        answers, told = os.pipe()
        if (pid := os.fork()) == 0:
            run(json.loads(line), told)
            os._exit(0)
        os.close(told)
        code = exit_code_of(pid, SECONDS)  # no answer is longer than what a pipe holds
        with open(answers, "rb") as pipe:  # noqa: PTH123
            answer = pipe.read().decode()
        ended = {"code": 1, "error": f"it ended with {code}"}
        print(answer or json.dumps(ended), flush=True)


if __name__ == "__main__":
    main()
