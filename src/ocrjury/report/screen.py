"""The script with which a page is read at a screen, and by which name the page allows it."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import SimpleNamespace

from markupsafe import Markup

PARTS = ("page", "sort", "scroll", "chapters", "filter", "links", "values")
"""Files of the script, in the order in which they run: what adds words to a heading runs late."""


@cache
def page_script() -> SimpleNamespace:
    """``text`` of the page's script and its ``source``, the hash that alone the page lets run."""
    folder = files("ocrjury").joinpath("templates/report/screen")
    text = "".join(folder.joinpath(f"{part}.js").read_text("utf-8") for part in PARTS)
    digest = b64encode(sha256(text.encode()).digest()).decode()
    source = f"'sha256-{digest}'"
    return SimpleNamespace(text=Markup(text), source=Markup(source))  # noqa: S704  # ours
