"""What tests keep for later ones of the same run, in whichever process these are."""

import contextlib
import os
import pickle
import shutil
import tempfile
from pathlib import Path


class Kept:
    """A folder in which every result has a folder of its own, named by what decides it."""

    def __init__(self, folder):
        self.folder = folder

    def find(self, key):
        """The folder of a result and what was noted with it; None where there is none."""
        folder = self.folder / key
        try:
            return folder, pickle.loads((folder / "note").read_bytes())
        except FileNotFoundError:
            return None

    def keep(self, key, note, copy):
        """Let a function copy a result into an empty folder, and keep it with a note."""
        self.folder.mkdir(exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".", dir=self.folder))
        copy(fresh)
        (fresh / "note").write_bytes(pickle.dumps(note))
        with contextlib.suppress(OSError):  # another process may keep the same at this moment
            fresh.rename(self.folder / key)
        shutil.rmtree(fresh, ignore_errors=True)


def of_the_run(tmp_path_factory):
    """What the processes of this run of the tests keep; pytest removes it with their folders."""
    base = tmp_path_factory.getbasetemp()
    return Kept((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kept")
