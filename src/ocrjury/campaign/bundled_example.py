"""The example that travels with the package: a real pool with page images, and its campaign."""

from importlib.resources import files
from pathlib import Path

EXAMPLE = Path(str(files("ocrjury"))) / "examples" / "korean-claims" / "campaign.yaml"
"""The campaign; its pool, rubric, raters and images lie beside it."""
