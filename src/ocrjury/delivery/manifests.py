"""The manifest of a published report: which files belong to it, and what it found."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Self

from pydantic import AwareDatetime

from ocrjury.errors import InputError
from ocrjury.findings.cover import Cover
from ocrjury.findings.record import Record
from ocrjury.store.evaluations import Evaluation
from ocrjury.store.reports import ReportRow

MANIFEST, REMOVING, LATEST = "manifest.json", "removing.json", "latest.json"
LARGEST = 10_000_000
"""Bytes of a manifest at most; those of others may be of any size."""
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile(Record):
    """A file of a publication, beside its manifest."""

    name: str
    sha256: str
    size: int

    @classmethod
    def of(cls, name: str, body: bytes) -> Self:
        """File with a content."""
        return cls(name=name, sha256=digest(body), size=len(body))


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(Record):
    """A published report; a folder without one holds no report, or only a part of it.

    ``cover`` says what the report found: without a headline there, ``cover.withheld`` is why.
    """

    writer: Literal["ocrjury"] = "ocrjury"
    format: Literal[1] = 1
    campaign: str
    evaluation: str
    period: str
    version: int
    language: str
    at: AwareDatetime
    cover: Cover
    files: tuple[PublishedFile, ...]

    @classmethod
    def of(cls, report: ReportRow, bodies: Mapping[str, bytes], *, evaluation: Evaluation) -> Self:
        """Manifest of a report with its files."""
        return cls(
            campaign=evaluation.campaign,
            evaluation=evaluation.evaluation,
            period=evaluation.period,
            version=report.version,
            language=report.language,
            at=report.at,
            cover=report.cover,
            files=tuple(PublishedFile.of(name, body) for name, body in bodies.items()),
        )

    @classmethod
    def read(cls, body: bytes | None, folder: str) -> Self | None:
        """Manifest that this program wrote for a folder; None for anything else."""
        try:
            manifest = cls.from_json(json.loads(body or b""))
        except (ValueError, TypeError, RecursionError, InputError):
            return None
        plain = all(_FILE.fullmatch(file.name) for file in manifest.files)
        return manifest if plain and manifest.folder == folder else None

    @property
    def folder(self) -> str:
        """Folder of the publication, below that of the campaign."""
        return folder_of(self.evaluation, self.version)

    @property
    def age(self) -> tuple[AwareDatetime, str, int]:
        """Sort key of publications, the newest last."""
        return self.at, self.evaluation, self.version

    def body(self) -> bytes:
        """The same bytes whenever it is written."""
        return as_json(self.to_json())


def folder_of(evaluation: str, version: int) -> str:
    """Folder of a report, below that of its campaign.

    >>> folder_of("claims-2026w47", 1)
    'claims-2026w47/v1'
    """
    return f"{evaluation}/v{version}"


def as_json(body: object) -> bytes:
    """JSON that people can read, the same for the same content."""
    return (json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def digest(body: bytes) -> str:
    """SHA-256 of a content."""
    return hashlib.sha256(body).hexdigest()
