"""Templates as compiled once, beside the modules that Python compiled.

Compiling those of a report takes as long as filling them in five times.
"""

import sys
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path

from jinja2 import FileSystemBytecodeCache, compiler
from jinja2.bccache import Bucket

_HERE = Path(__file__)


class CompiledTemplates(FileSystemBytecodeCache):
    """Code of templates in a folder, for as long as they and our code stay as they are.

    Code that is read from a file is run: the folder is one where whoever may write can change what
    Python itself runs.
    """

    def get_source_checksum(self, source: str) -> str:
        """Checksum of a template and of all that it is compiled with."""
        return super().get_source_checksum(f"{our_code()} {source}")

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template, where Python keeps that of modules."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


def compiled_templates() -> CompiledTemplates | None:
    """Cache of compiled templates; None where Python cannot keep compiled modules either."""
    try:
        folder = Path(cache_from_source(str(_HERE))).parent / "templates"
        if not sys.dont_write_bytecode:
            folder.mkdir(parents=True, exist_ok=True)
    except (NotImplementedError, OSError):
        return None
    return CompiledTemplates(str(folder))


@cache
def our_code() -> str:
    """Names, sizes and times of the files that make constants of a template, and of Jinja's."""
    beside = [*_HERE.parent.glob("*.py"), *_HERE.parents[1].glob("*.py"), Path(compiler.__file__)]
    stats = ((path, path.stat()) for path in sorted(beside))
    return " ".join(f"{path.name}:{stat.st_size}:{stat.st_mtime_ns}" for path, stat in stats)
