"""Lengths of the texts that people write, and of the spans that decisions and commands take."""

from typing import Final

SHORTEST_REASON: Final = 2
LONGEST_REASON: Final = 2_000
"""Characters of a lead's reason; `ocrjury.campaign.reasons` says when a short one is enough."""

LONGEST_COMMENT: Final = 2_000
"""Characters of a rater's comment, and of a lead's answer to it."""

LONGEST_DISCUSSION: Final = 4_000
"""Characters of a panel's discussion of an item."""

LONGEST_CASE: Final = 1_000
"""Characters of each text of a boundary case that is added: raters read them beside an item."""

MOST_DAYS: Final = 90
"""Days by which one decision extends a round or a rater's links, and that a lead's link works."""

TEN_YEARS: Final = 3650
"""Days of a span that a command takes; a longer one is a mistake, and no date may overflow."""

LINK_DAYS: Final = 7
"""Days by which the desk extends the links of a rater."""

SWEEP_MINUTES: Final = 30
"""Minutes between two sweeps, which take every evaluation on that waits for nobody."""

MOST_ITEMS: Final = 100_000
"""Items that one decision adds after an inconclusive gate."""
