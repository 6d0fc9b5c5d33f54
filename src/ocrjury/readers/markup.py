"""Parsing of XML and HTML that may be hostile.

No entity is expanded, no other file or address is opened, and depth, text and number of tags are
limited. Damage that the parser would repair silently is an error here.
"""

import re
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from lxml import etree

from ocrjury.readers.content_errors import BadContentError, line_at
from ocrjury.readers.encodings import decoded, own_encoding
from ocrjury.readers.limits import check_longest_tag, check_size, check_tags

Element = Any  # lxml has no types
P = ParamSpec("P")
T = TypeVar("T")
_LONGEST_NAME = 80
_ENTITIES = "entity declarations or references, which are refused because they can hide bombs"
_SAFE = {
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)


def parse_xml(data: bytes, encoding: str | None = None) -> Element:
    """Root of an XML file."""
    _check(data)
    encoding = own_encoding(data, encoding)
    if encoding is not None:  # overrides the file's declaration
        data, encoding = decoded(data, encoding).encode(), "utf-8"
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, encoding=encoding, **_SAFE)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(error) from None
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise BadContentError(_ENTITIES, "line 1")
    return root


def parse_html(data: bytes, encoding: str | None = None) -> Element:
    """Root of an HTML file."""
    _check(data)
    check_longest_tag(data)
    text = decoded(data, own_encoding(data, encoding) or _declared(data))
    _check_end(text)
    parser = etree.HTMLParser(encoding="utf-8", **_SAFE)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(error) from None
    fatal = [entry for entry in parser.error_log if entry.level_name == "FATAL"]
    if fatal:
        raise BadContentError(_short(fatal[0].message), f"line {fatal[0].line}")
    if root is None:
        raise BadContentError("not HTML")
    return root


def local_name(element: Element) -> str:
    """Name of an element without its namespace, which differs between versions."""
    tag = element.tag
    if not isinstance(tag, str):
        raise BadContentError(_ENTITIES, position(element))
    return tag.rpartition("}")[2]


def children(element: Element, *names: str) -> Iterator[Element]:
    """Yield the children with one of these names, in the order of the file."""
    return (child for child in element if local_name(child) in names)


def child(element: Element, name: str) -> Element | None:
    """First child with a name, None if there is none."""
    return next(children(element, name), None)


def text_of(element: Element) -> str:
    """All text in an element."""
    if len(element):
        for inner in element.iter():
            local_name(inner)  # rejects entities
    return "".join(element.itertext())


def position(element: Element) -> str:
    """Line of an element, in words."""
    return f"line {element.sourceline}"


def naming_element(
    read: Callable[Concatenate[Element, P], T],
) -> Callable[Concatenate[Element, P], T]:
    """Function that reads one element, whose errors say which one."""

    @wraps(read)
    def reading(element: Element, /, *args: P.args, **options: P.kwargs) -> T:
        try:
            return read(element, *args, **options)
        except BadContentError as error:
            if error.element is not None:
                raise
            raise BadContentError(error.reason, error.position, element=_named(element)) from None

    return reading


def _named(element: Element, *, levels: int = 2) -> str:
    """Element by its id, else by its place in those around it: many files are a single line."""
    own, outer = element.get("ID") or element.get("id"), element.getparent()
    if own or outer is None:
        return f"{_kind(element)} {own or ''}".strip()[:_LONGEST_NAME]
    before = sum(_kind(other) == _kind(element) for other in element.itersiblings(preceding=True))
    name = f"{_kind(element)} {before + 1}"
    return f"{name} of {_named(outer, levels=levels - 1)}" if levels > 1 else name


def _kind(element: Element) -> str:
    """Name of an element, in HTML its class."""
    kind: str = element.get("class") or local_name(element)
    return kind


def _check(data: bytes) -> None:
    """Reject files that would take too much memory, and declarations of entities."""
    check_size(data)
    check_tags(data)
    if not data.strip():
        raise BadContentError("an empty file")
    if (place := data.find(b"<!ENTITY")) >= 0:
        raise BadContentError(_ENTITIES, line_at(data, place))


def _declared(data: bytes) -> str | None:
    """Encoding of HTML: UTF-8 if it can be decoded so, else the declared one."""
    declaration = _CHARSET.search(data[:4096])
    try:
        data.decode()
    except UnicodeDecodeError:
        return declaration[1].decode() if declaration else None
    return "utf-8"


def _check_end(text: str) -> None:
    """Reject truncated HTML, which the parser would repair."""
    end = text[-4096:].rstrip().lower()
    complete = "</html" in end if "<html" in text[:65536].lower() else end.endswith(">")
    if not complete:
        raise BadContentError("the file is truncated", line_at(text, len(text)))


def _syntax_error(error: Any) -> BadContentError:
    """Error of the parser, with its position."""
    line, column = error.position
    return BadContentError(_short(error.msg), f"line {line}, column {column}")


def _short(message: str) -> str:
    """First part of a parser's message, without position and advice."""
    return re.split(r", line \d+|, try XML|, use XML|, see xml|\n", message or "not XML")[0][:120]
