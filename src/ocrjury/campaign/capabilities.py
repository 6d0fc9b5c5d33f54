"""Capabilities that a round needs of the place where raters work, and those each place lacks."""

from collections.abc import Mapping
from typing import Final, Literal

Capability = Literal[
    "blind", "per_rater_assignment", "order", "timing", "image", "diff", "server_validation"
]
Frontend = Literal["simulated", "file", "sheets", "web", "labelstudio"]
NEEDED: frozenset[Capability] = frozenset({"blind", "per_rater_assignment"})
"""Without these, ratings are not independent."""

RATING_PAGE: Final = "web"
"""Frontend whose raters come by links, and get emails and reminders."""
ASKED: Final = frozenset({"sheets", "labelstudio"})
"""Frontends that tell no news by themselves: somebody has to ask for the ratings."""
HANDED_OUT: Final = ASKED | {RATING_PAGE}
"""Frontends to which rounds are handed out."""
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
