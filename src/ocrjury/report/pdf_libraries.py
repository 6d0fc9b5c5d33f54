"""Loading of Pango and HarfBuzz in the child process, without what it rarely needs."""

import ctypes.util
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

_RARE = ("fontTools.subset", "fontTools.varLib.instancer", "fontTools.ttLib.woff2")


@contextmanager
def known_by_file() -> Iterator[None]:
    """Load libraries by the names of their files, without a search, within this context.

    WeasyPrint tries the names of other systems first. On Linux, ``find_library`` starts the C
    compiler and the linker for each of them (0.15 s for one PDF), and then the name of the file,
    which is enough, comes.
    """
    searched = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda name: None  # noqa: ARG005  # its argument has this name
    try:
        yield
    finally:
        ctypes.util.find_library = searched


class Unused(ModuleType):
    """A module of fontTools that WeasyPrint imports at its start and nearly never uses.

    Importing them takes a third of the time of importing WeasyPrint. One cuts fonts where HarfBuzz
    cannot, one makes a plain font of a variable one, one reads fonts that a page brings along.
    """

    def __getattr__(self, name: str) -> Callable[..., object]:
        """Function that calls the function or class of the real module."""
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*given: object, **named: object) -> object:
            return getattr(import_module(self.__name__), name)(*given, **named)

        return call


@contextmanager
def without_unused() -> Iterator[None]:
    """Import no rare module of fontTools within this context, but when it is used."""
    absent = [name for name in _RARE if name not in sys.modules]
    sys.modules |= {name: Unused(name) for name in absent}
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


@contextmanager
def without_search() -> Iterator[None]:
    """Look for no garbage within this context, and later not among what it leaves: imports stay."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()
