"""What each rater's ratings look like, without any test."""

from collections.abc import Iterable
from dataclasses import dataclass

from ocrjury.findings.agreement import AgreementFinding, Profile


@dataclass(frozen=True, slots=True)
class Profiles:
    """The raters of one dimension, the strictest first."""

    dimension: str
    rows: tuple[Profile, ...]


def profiles_of(findings: Iterable[AgreementFinding]) -> tuple[Profiles, ...]:
    """The raters of every dimension that somebody rated."""
    return tuple(Profiles(row.dimension, row.profiles) for row in findings if row.profiles)
