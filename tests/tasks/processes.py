"""Processes that do something at the same moment."""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def at_once(program, *arguments, count):
    """Return what each of some processes says; they say that they are ready, and start together."""
    runs = [
        subprocess.Popen(
            [sys.executable, str(program), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(count)
    ]
    assert [run.stdout.readline() for run in runs] == ["ready\n"] * count
    start = time.time() + 0.2
    said = [run.communicate(f"{start}\n")[0].strip() for run in runs]
    assert [run.returncode for run in runs] == [0] * count
    return said
