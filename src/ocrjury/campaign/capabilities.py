"""Capabilities that a round needs of the place where raters work, and those each place lacks."""

from collections.abc import Mapping
from typing import Literal

Capability = Literal[
    "blind", "per_rater_assignment", "order", "timing", "image", "diff", "server_validation"
]
NEEDED: frozenset[Capability] = frozenset({"blind", "per_rater_assignment"})
"""Without these, ratings are not independent."""

LACKING: Mapping[str, frozenset[Capability]] = {
    "web": frozenset(),
    # A rater can jump from row to row, and no sheet measures time.
    "sheets": frozenset({"diff", "order", "timing"}),
    # Every user of the server sees and changes what others rated.
    "labelstudio": frozenset({"blind", "timing", "diff", "server_validation"}),
    # Whoever has no eyes needs none of these.
    "simulated": frozenset({"timing", "image", "diff"}),
}
"""Capabilities that each frontend of `rounds.frontend` lacks; unknown for a file."""


def missing_capabilities(frontend: str) -> tuple[Capability, ...]:
    """Capabilities that a frontend lacks, in order; empty if that is unknown.

    Examples
    --------
    >>> missing_capabilities("sheets"), missing_capabilities("file")
    (('diff', 'order', 'timing'), ())
    """
    return tuple(sorted(LACKING.get(frontend, ())))
