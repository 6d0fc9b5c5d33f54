"""Another release of a peer than the installed one, in its own process, which times itself.

The release stands in a folder of its own, outside the project:

    .venv/bin/pip install --no-deps --target FOLDER pingouin==0.6.1

It runs on the installed numpy and pandas, so that nothing but the release differs. If it cannot,
leave out ``--no-deps``: the folder then holds its own.
"""

import gc
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path


class AnotherRelease:
    """Six intraclass correlations of a CSV file by the release in a folder."""

    def __init__(self, folder: Path, frame: Path) -> None:
        self.process = subprocess.Popen(  # noqa: S603  # ourselves
            [sys.executable, __file__, str(frame)],
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version = self._answer()

    def __call__(self) -> float:
        """Second coefficient, ICC(2,1)."""
        return float(self._ask()[1])

    def seconds(self) -> float:
        """Seconds of one call, as the process itself measured them."""
        return float(self._ask()[0])

    def close(self) -> None:
        """End the process."""
        self.process.communicate(timeout=7200)

    def _ask(self) -> list[str]:
        if self.process.stdin is None:
            raise RuntimeError("the process has no input.")
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self._answer().split()

    def _answer(self) -> str:
        line = "" if self.process.stdout is None else self.process.stdout.readline()
        if not line:
            raise RuntimeError("the other release ended without an answer; see its message above.")
        return line.strip()


def answer(frame: Path) -> None:
    """Print the version, then for every line of input the seconds and the coefficient."""
    import pandas as pd  # noqa: PLC0415  # the parent may have another
    import pingouin  # noqa: PLC0415

    ratings = pd.read_csv(frame)
    print(pingouin.__version__, flush=True)
    for _ in sys.stdin:
        gc.collect()
        start = time.perf_counter()
        table = pingouin.intraclass_corr(ratings, "item", "rater", "rating")
        seconds = time.perf_counter() - start
        print(seconds, float(table["ICC"].iloc[1]), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of an old release on a new pandas
    answer(Path(sys.argv[1]))
