"""Label Studio, for teams that have it: publish a round there, and take in what comes back."""

from ocrjury.frontends.labelstudio.frontend import (
    LabelStudioFrontend,
    Published,
    audit_of,
    left_to_take_back,
    open_frontend,
)

__all__ = [
    "LabelStudioFrontend",
    "Published",
    "audit_of",
    "left_to_take_back",
    "open_frontend",
]
