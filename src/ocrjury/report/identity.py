"""Identity of the evaluation behind a report, and how to reproduce its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from ocrjury.campaign.brand import Brand
from ocrjury.campaign.content_hashes import content_hash
from ocrjury.campaign.origin import Origin
from ocrjury.language import phrase
from ocrjury.pages.own_templates import Failure
from ocrjury.report_choices import ReportKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Identity of the evaluation, and how to reproduce its numbers.

    Hashes are hexadecimal, with or without ``sha256:`` before them; None where there is none (a
    report on bare ratings has no configuration). ``issued_at`` is aware and, as every time in the
    report, stored, so that the same evaluation gives the same bytes.
    """

    evaluation: str
    title: str
    issued_at: datetime
    package_version: str
    seed: int | None = None
    period: str | None = None
    kind: ReportKind = "final"
    version: int = 1
    simulated: bool = False
    language: str = "en"
    brand: Brand | None = None
    """Brand of the report, None without one."""
    templates: Mapping[str, str] = field(default_factory=dict)
    """Templates of the campaign that replace blocks of ours, by name of file."""
    failures: tuple[Failure, ...] = ()
    """Blocks of theirs that could not be printed with these data."""
    config_hash: str | None = None
    rubric_hash: str | None = None
    pool_hash: str | None = None
    ratings_hash: str | None = None
    archived: bool = False
    """Whether the PDF has the evaluation's tables attached."""
    origin: Origin = field(default_factory=Origin)
    """Origin of the pool."""
    software: tuple[tuple[str, str], ...] = ()
    """Name and version of what computed the numbers."""
    reproduce: str | None = None
    """The command that renders this report again."""

    @property
    def digests(self) -> dict[str, str]:
        """Hashes that are known, by what they are of, which is a phrase."""
        hashes = {
            phrase("configuration"): self.config_hash,
            phrase("rubric"): self.rubric_hash,
            phrase("pool"): self.pool_hash,
            phrase("ratings"): self.ratings_hash,
            phrase("templates"): content_hash(dict(self.templates)) if self.templates else None,
        }
        return {word: digest for word, digest in hashes.items() if digest}
