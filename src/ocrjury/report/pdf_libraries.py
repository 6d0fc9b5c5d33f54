"""How the child process finds Pango and HarfBuzz."""

import ctypes.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager


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
