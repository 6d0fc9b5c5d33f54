"""Label Studio, for teams that have it: publish a round there, and take in what comes back."""

from ocrjury.frontends.labelstudio.frontend import (
    LabelStudioFrontend,
    Published,
    note_published,
    open_frontend,
)

__all__ = [
    "LabelStudioFrontend",
    "Published",
    "note_published",
    "open_frontend",
]
