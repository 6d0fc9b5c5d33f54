"""Work that our processes skip: frequent garbage collection, unused imports, threads."""

import atexit
import gc
import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_OBJECTS = 50_000
"""New ones before garbage is looked for; Python looks after 700."""
_AT_FIRST = 300_000
"""The same until it is looked for once: about what a report imports."""

_SELDOM = {
    f"numpy.{part}" for part in ("char", "ctypeslib", "f2py", "polynomial", "rec", "testing")
}
"""Parts of NumPy that nothing of ours needs. SciPy imports them with all other parts when it
starts, for which it takes half as long again."""


def spare_work() -> None:
    """Look for garbage rarely, load no module that nobody uses, multiply matrices in one thread.

    Call it before anything else is imported: imports make up to half a million objects that stay,
    and looking for garbage among them takes a tenth of their time. Python looks for it once more
    when the process ends, for up to half a second, although all memory goes then. Our matrices are
    small; threads that wait for the next one burn a fifth of a short command's time.
    """
    gc.set_threshold(_AT_FIRST)
    gc.callbacks.append(_look_sooner)
    atexit.register(gc.freeze)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if _AtFirstUse not in sys.meta_path:
        sys.meta_path.insert(0, _AtFirstUse)


def _look_sooner(_phase: str, _found: Mapping[str, int]) -> None:
    """Have garbage looked for more often from now on: a server runs for long."""
    gc.set_threshold(_OBJECTS)
    gc.callbacks.remove(_look_sooner)


class _AtFirstUse:
    """Finder of modules whose code runs when something in them is first asked for."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Spec of a module that can wait; None leaves the module to the other finders."""
        spec = PathFinder.find_spec(name, path) if name in _SELDOM else None
        if spec and spec.loader:
            spec.loader = importlib.util.LazyLoader(spec.loader)
        return spec
