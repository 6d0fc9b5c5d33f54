"""Label Studio, for teams that have it: publish a round there, and take in what comes back."""

from ocrjury.frontends.labelstudio.export_notes import note_published
from ocrjury.frontends.labelstudio.frontend import (
    LabelStudioFrontend,
    Published,
    open_frontend,
)

__all__ = [
    "LabelStudioFrontend",
    "Published",
    "note_published",
    "open_frontend",
]
