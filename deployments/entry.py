"""Entry point of services in containers and of systemd: their secrets come from files.

``python -m ocrjury.deployments.entry PROGRAM ...`` puts the content of the file that ``NAME_FILE``
names into ``NAME``, and lets the program take its place. So no secret stands in a unit, in a
compose file or in what `docker inspect` shows.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ocrjury.campaign.settings import LOG
from ocrjury.deployments.json_logs import JSON, PREFECT_AS_JSON
from ocrjury.errors import InputError

SUFFIX, OURS = "_FILE", "OCRJURY_"
SECRETS: Final = (
    "PREFECT_API_AUTH_STRING",
    "PREFECT_API_KEY",
    "PREFECT_SERVER_API_AUTH_STRING",
    "PREFECT_SERVER_DATABASE_PASSWORD",
    "PGPASSWORD",
)
"""Variables of Prefect and of PostgreSQL that may be named so, beside every one of ocrjury's."""


def main(arguments: list[str]) -> None:
    """Run a program in place of this one, or say in one sentence why not."""
    if not arguments:
        sys.exit("What is to be started? Name a program, such as: ocrjury serve")
    try:
        environment = from_files(os.environ)
        os.umask(0o077)
        os.execvpe(arguments[0], arguments, environment)  # noqa: S606  # what the service names
    except OSError as error:
        sys.exit(f"{error.filename or arguments[0]}: {error.strerror}.")
    except InputError as error:
        sys.exit(str(error))


def from_files(given: Mapping[str, str]) -> dict[str, str]:
    """Environment with the content of files; a variable that is set itself stays as it is.

    Raises
    ------
    OSError
        A file that is named cannot be read.
    InputError
        It holds no text: a server without its password would let everybody in.
    """
    read = {
        name.removesuffix(SUFFIX): _secret(name, Path(path))
        for name, path in given.items()
        if _names_a_file(name) and path
    }
    others = {name: value for name, value in given.items() if not _names_a_file(name)}
    logs = PREFECT_AS_JSON if given.get(LOG) == JSON else {}
    return {**read, **logs, **others}


def _secret(variable: str, path: Path) -> str:
    """Content of a file."""
    secret = path.read_bytes().decode("utf-8", "replace").strip()
    if not secret or "\ufffd" in secret or "\0" in secret:
        raise InputError(f"{path}, which {variable} names, is empty or no text.")
    return secret


def _names_a_file(name: str) -> bool:
    """Return whether a variable holds the path of a file with a secret."""
    stem = name.removesuffix(SUFFIX)
    return stem != name and (stem.startswith(OURS) or stem in SECRETS)


if __name__ == "__main__":
    main(sys.argv[1:])
