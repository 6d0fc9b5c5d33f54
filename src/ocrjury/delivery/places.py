"""A folder on this machine or a bucket elsewhere, to which files come whole or not at all."""

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ocrjury.readers.addresses import EXTRAS, check_address, is_address
from ocrjury.readers.patient_files import system_at
from ocrjury.readers.sources import address_errors

PART = ".part"
"""End of the name of a file that is not whole yet; nobody should read one."""


_BUCKETS = (
    ("botocore.exceptions", "BotoCoreError"),
    ("botocore.exceptions", "ClientError"),
    ("gcsfs.retry", "HttpError"),
    ("google.auth.exceptions", "GoogleAuthError"),
    ("azure.core.exceptions", "AzureError"),
    ("aiohttp.client_exceptions", "ClientError"),
)
"""Errors of the libraries behind S3, Google Cloud Storage and Azure that are no `OSError`."""


def bucket_failures() -> tuple[type[Exception], ...]:
    """Errors that a bucket may raise besides `OSError`, those of its library if it is loaded."""
    own = [getattr(sys.modules[module], name) for module, name in _BUCKETS if module in sys.modules]
    return (ValueError, RuntimeError, NotImplementedError, *own)


@dataclass(frozen=True, slots=True)
class Place:
    """A folder of a file system of fsspec; names in it are relative to the folder."""

    address: str
    system: Any
    folder: str

    @classmethod
    def at(cls, address: str) -> Self:
        """Folder at a path or an address.

        Raises
        ------
        MissingDependencyError
            If the library for the address is not installed; the sentence says what to install.
        InputError
            If there is no such kind of address.
        """
        with address_errors(address):
            if is_address(address):
                check_address(address)
            system, folder = system_at(address)
        if getattr(system, "local_file", False):
            # Only campaigns that publish need what this loads.
            from ocrjury.delivery.shared_folder import SharedFolder  # noqa: PLC0415

            system = SharedFolder()
        system.invalidate_cache()  # what others published meanwhile
        return cls(address.rstrip("/"), system, folder.rstrip("/"))

    def address_of(self, name: str) -> str:
        """Full address of a file, for people."""
        return f"{self.address}/{name}"

    def read(self, name: str, *, most: int) -> bytes | None:
        """Content of a file, None where there is none, or one that is longer."""
        try:
            body = bytes(self.system.cat_file(self._path(name), start=0, end=most + 1))
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        return body if len(body) <= most else None

    def holds(self, name: str) -> bool:
        """Return whether something is there under a name."""
        return bool(self.system.exists(self._path(name)))

    def write(self, name: str, body: bytes, *, part: str = "") -> None:
        """Bring a file: it goes up under another name and is moved into place.

        Parameters
        ----------
        part
            Word in that other name, where several processes may bring the file at once.
        """
        path = self._path(name)
        if self._is_here:
            from ocrjury.delivery.shared_folder import make_folders  # noqa: PLC0415  # as above

            make_folders(Path(path).parent, root=Path(self.folder))
        elif not self._is_bucket:
            self.system.makedirs(path.rpartition("/")[0], exist_ok=True)
        self.system.pipe_file(path + part + PART, body)
        self.system.mv(path + part + PART, path)

    def rename(self, name: str, new: str) -> None:
        """Give a file another name."""
        self.system.mv(self._path(name), self._path(new))

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with suppress(FileNotFoundError):
            self.system.rm_file(self._path(name))

    def remove_folder(self, name: str) -> None:
        """Remove a folder if nothing is left in it; a bucket has none."""
        if not self._is_bucket and not self.list(name):
            with suppress(FileNotFoundError):
                self.system.rmdir(self._path(name))

    def list(self, name: str) -> list[str]:
        """Names of what lies in a folder, without that of the folder and of links."""
        try:
            entries = self.system.ls(self._path(name), detail=True)
        except (FileNotFoundError, NotADirectoryError):
            return []
        own = [entry["name"] for entry in entries if not entry.get("islink")]
        return sorted({path.rstrip("/").rpartition("/")[2] for path in own} - {""})

    @property
    def _is_bucket(self) -> bool:
        """Whether folders come and go by themselves with their files."""
        return self.address.partition("://")[0] in EXTRAS

    @property
    def _is_here(self) -> bool:
        """Whether the place is a folder of this machine."""
        return bool(getattr(self.system, "local_file", False))

    def _path(self, name: str) -> str:
        """Path of a file; where others may write, no link of theirs is followed."""
        path = f"{self.folder}/{name}".rstrip("/")
        if self._is_here:
            from ocrjury.delivery.shared_folder import refuse_links  # noqa: PLC0415  # as above

            refuse_links(Path(path), root=Path(self.folder))
        return path
