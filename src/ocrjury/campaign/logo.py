"""The file of a logo, read once and kept as text; nothing in it may run or fetch anything."""

import base64
import io
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ocrjury.errors import InputError

MOST_BYTES, MOST_PIXELS = 200_000, 4_000_000
_MODES = {"1", "L", "LA", "P", "RGB", "RGBA"}
"""Kinds of pixels that a PDF can hold."""
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, struct.error, zlib.error)
"""Errors of the PNG and JPEG decoders on a broken file; a truncated chunk is a SyntaxError."""
_SVG = "http://www.w3.org/2000/svg"
_SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"}
_FILLS = {"linearGradient", "radialGradient", "stop", "clipPath", "mask", "pattern", "marker"}
_GROUPS = {"svg", "g", "defs", "symbol", "use", "switch", "style", "title", "desc", "metadata"}
_DRAWING = _SHAPES | _FILLS | _GROUPS
# Notes of drawing programs, which nobody renders.
_NOTES = (
    "http://www.inkscape.org/",
    "http://sodipodi.sourceforge.net/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://creativecommons.org/ns#",
    "http://purl.org/dc/",
)
# Backslashes and comments could hide an address.
_OUTSIDE = re.compile(
    r"url\(\s*+['\"]?+\s*+(?!['\"\s]|#)|@import|@font-face|image\(|image-set\(|src\(|\\|/\*",
    re.IGNORECASE,
)

_NUMBER = r"[-+]?(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d+)?"
_FOUR_NUMBERS = re.compile(rf"{_NUMBER}(?:(?:\s*,\s*|\s+){_NUMBER}){{3}}", re.ASCII)

Element = Any
"""A node of XML; lxml has no types."""


def read_logo(path: Path) -> str:
    """Content of a PNG, JPEG or SVG file as a ``data:`` address.

    Raises
    ------
    InputError
        If there is no such picture, it is too large, or an SVG holds more than a drawing.
    """
    try:
        with path.open("rb") as file:
            body = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"there is no file {path} that can be read.") from error
    if len(body) > MOST_BYTES:
        raise InputError(f"{path} is larger than {MOST_BYTES // 1000} kB; make the logo smaller.")
    kind = _kind(path, body)
    return f"data:image/{kind};base64,{base64.b64encode(body).decode()}"


def _kind(path: Path, body: bytes) -> str:
    """Type of a picture, by its content."""
    if body.startswith(b"\x89PNG\r\n\x1a\n"):
        _check_pixels(path, body, "PNG")
        return "png"
    if body.startswith(b"\xff\xd8\xff"):
        _check_pixels(path, body, "JPEG")
        return "jpeg"
    _check_drawing(path, body)
    return "svg+xml"


def _check_pixels(path: Path, body: bytes, kind: str) -> None:
    from PIL import Image  # noqa: PLC0415  # heavy: the web process imports this package

    try:
        with Image.open(io.BytesIO(body), formats=[kind]) as picture:
            mode, width, height = picture.mode, picture.width, picture.height
            if fits := width * height <= MOST_PIXELS:
                picture.load()
    except (*_BROKEN, Image.DecompressionBombError) as error:
        raise InputError(f"{path} is a damaged {kind} file ({error}); save it again.") from error
    if not fits:
        most = MOST_PIXELS // 1_000_000
        raise InputError(f"{path} has {width} x {height} pixels; take at most {most} million.")
    if mode == "CMYK":
        raise InputError(
            f"{path} has the colours of a printing press (CMYK), which PDF/A forbids beside those "
            "of a screen; save it in RGB."
        )
    if mode not in _MODES:
        raise InputError(f"{path} has 16 bits for each colour; save it with 8.")


def _check_drawing(path: Path, body: bytes) -> None:
    from lxml import etree  # noqa: PLC0415  # as above

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        raise InputError(f"{path} is neither PNG, JPEG nor SVG ({error.msg}).") from error
    if root.tag != f"{{{_SVG}}}svg":
        raise InputError(f"{path} is neither PNG, JPEG nor SVG: it holds the element {root.tag}.")
    if root.getroottree().docinfo.internalDTD is not None:
        raise InputError(f"{path} has a DOCTYPE, which can define entities; remove that line.")
    _check_geometry(path, root)
    beside = [*root.itersiblings(preceding=True), *root.itersiblings()]
    nodes = [*beside, *root.iter()]
    if reason := next((why for node in nodes for why in _more_than_drawn(node)), None):
        raise InputError(
            f"{path}, line {reason[0]}: {reason[1]} has no place in a logo, which may only draw. "
            "Save it as plain SVG, with text as paths, or as PNG."
        )


def _check_geometry(path: Path, root: Element) -> None:
    """Refuse what would keep a PDF from being written, or make it endless."""
    box = root.get("viewBox")
    if box is not None and not _FOUR_NUMBERS.fullmatch(box.strip()):
        raise InputError(f"{path}: the viewBox {box!r} is not four numbers.")
    repeats = list(root.iter(f"{{{_SVG}}}use"))
    repeating = {
        f"#{node.get('id')}" for repeat in repeats for node in (repeat, *repeat.iterancestors())
    }
    for repeat in repeats:
        target = repeat.get("href") or repeat.get("{http://www.w3.org/1999/xlink}href")
        # One that repeats others could repeat itself, or without measure.
        if target in repeating:
            raise InputError(
                f"{path}, line {repeat.sourceline}: <use> repeats {target}, which has a <use> "
                "itself; draw it out."
            )


def _more_than_drawn(node: Element) -> Iterator[tuple[int, str]]:
    """Yield line and name of what in a node could run, or fetch something."""
    from lxml import etree  # noqa: PLC0415  # as above

    if isinstance(node, etree._Comment):  # noqa: SLF001  # its only name
        return
    if not isinstance(node.tag, str):
        yield node.sourceline, f"the instruction {str(node)[:40]}"
        return
    name = etree.QName(node)
    if not (name.namespace or "").startswith(_NOTES) and (
        name.namespace != _SVG or name.localname not in _DRAWING
    ):
        yield node.sourceline, f"the element <{name.localname}>"
    if name.localname == "style" and _OUTSIDE.search("".join(node.itertext())):
        yield node.sourceline, "a style with an address"
    for key, value in node.attrib.items():
        attribute = etree.QName(key).localname.lower()
        refers = attribute in {"href", "src", "base"} and not value.startswith("#")
        if attribute.startswith("on") or (refers and name.namespace == _SVG):
            yield node.sourceline, f"the attribute {attribute}"
        elif name.namespace == _SVG and _OUTSIDE.search(value):
            yield node.sourceline, f"an address in the attribute {attribute}"
