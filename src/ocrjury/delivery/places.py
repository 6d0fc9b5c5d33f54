"""A folder on this machine or a bucket elsewhere, to which files come whole or not at all."""

import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ocrjury.readers.addresses import EXTRAS, check_address, is_address
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
    """What a bucket may raise besides `OSError`: of its library, if that is loaded at all."""
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
        import fsspec  # noqa: PLC0415  # only campaigns that publish need it

        with address_errors(address):
            if is_address(address):
                check_address(address)
            system, folder = fsspec.core.url_to_fs(address)
        system.invalidate_cache()  # what others published meanwhile
        return cls(address.rstrip("/"), system, folder.rstrip("/"))

    def address_of(self, name: str) -> str:
        """Full address of a file, for people."""
        return f"{self.address}/{name}"

    def read(self, name: str) -> bytes | None:
        """Content of a file, None where there is none."""
        try:
            return bytes(self.system.cat_file(self._path(name)))
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    def write(self, name: str, body: bytes, *, part: str = "") -> None:
        """Bring a file: it goes up under another name and is moved into place.

        Parameters
        ----------
        part
            Word in that other name, where several processes may bring the file at once.
        """
        path = self._path(name)
        if self._is_here:
            _make_folders(Path(path).parent, root=Path(self.folder))
        elif not self._is_bucket:
            self.system.makedirs(path.rpartition("/")[0], exist_ok=True)
        self.system.pipe_file(path + part + PART, body)
        if self._is_here:
            _share(Path(path + part + PART))
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
        """Names of what lies in a folder, without that of the folder."""
        try:
            found = self.system.ls(self._path(name), detail=False)
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted({path.rstrip("/").rpartition("/")[2] for path in found} - {""})

    @property
    def _is_bucket(self) -> bool:
        """Whether folders come and go by themselves with their files."""
        return self.address.partition("://")[0] in EXTRAS

    @property
    def _is_here(self) -> bool:
        """Whether it is a folder of this machine."""
        return bool(getattr(self.system, "local_file", False))

    def _path(self, name: str) -> str:
        return f"{self.folder}/{name}".rstrip("/")


def _make_folders(folder: Path, *, root: Path) -> None:
    """Make a folder and those above it; inside the root they are as open as the root."""
    if folder == root:
        folder.mkdir(parents=True, exist_ok=True)
    elif not folder.exists():
        _make_folders(folder.parent, root=root)
        folder.mkdir(exist_ok=True)
        _share(folder)


def _share(path: Path) -> None:
    """Let a file or folder be read by whoever may read the folder in which it lies.

    Other files of ours are for one account, but what is published is for those who come here.
    """
    mode = stat.S_IMODE(path.parent.stat().st_mode)
    path.chmod(mode if path.is_dir() else mode & 0o666)
