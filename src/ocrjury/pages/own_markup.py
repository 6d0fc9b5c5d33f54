"""HTML that may stand in a block that somebody brings: words, lists and tables.

Nothing that hides, moves or fetches anything: what is outside the block stays as it is.
"""

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

from jinja2 import nodes

_WORDS = "p br b i em strong small sub sup s span div a h2 h3"
_LISTS = "ul ol li dl dt dd table caption thead tbody tr th td figure figcaption"
TAGS = frozenset(f"{_WORDS} {_LISTS}".split())
_LOOKS = "lead title big caption small dense number nowrap"
CLASSES = frozenset(_LOOKS.split())
_ATTRIBUTES = {"class", "title", "lang", "colspan", "rowspan", "scope", "href"}
_ADDRESSES = ("#", "https://", "mailto:")
# Begins like a name and holds a blank: as a tag or without quotes it is nothing that is allowed.
_VALUE = "x\N{OBJECT REPLACEMENT CHARACTER} \N{OBJECT REPLACEMENT CHARACTER}"


class Problem(NamedTuple):
    """Problem on a line of a template."""

    line: int
    message: str


def markup_problems(body: Sequence[nodes.Node]) -> list[Problem]:
    """Problems of the HTML in a block, a branch or a loop, which stands for itself."""
    piece = _Piece()
    problems: list[Problem] = []
    for node in body:
        if isinstance(node, nodes.Output):
            for part in node.nodes:
                text = part.data if isinstance(part, nodes.TemplateData) else _VALUE
                piece.take(part.lineno, text)
            continue
        inner = list(_bodies(node))
        if inner and piece.unfinished:
            problems.append(Problem(node.lineno, "a tag has to be complete before {% … %}."))
        for tag in inner:
            problems += markup_problems(tag)
    return [*piece.closed(), *problems]


def values_in_tags(body: Sequence[nodes.Node]) -> list[tuple[nodes.Output, int]]:
    """Places of expressions inside a tag, where no markup may be printed."""
    piece = _Piece()
    values: list[tuple[nodes.Output, int]] = []
    for node in body:
        for inner in _bodies(node):
            values += values_in_tags(inner)
        if not isinstance(node, nodes.Output):
            continue
        for at, part in enumerate(node.nodes):
            if not isinstance(part, nodes.TemplateData) and piece.unfinished:
                values.append((node, at))
            piece.feed(part.data if isinstance(part, nodes.TemplateData) else _VALUE)
    return values


def _bodies(node: nodes.Node) -> Iterator[Sequence[nodes.Node]]:
    """Yield parts of a statement that print something."""
    for _, value in node.iter_fields():
        if isinstance(value, list) and any(isinstance(part, nodes.Stmt) for part in value):
            yield [part for part in value if isinstance(part, nodes.Stmt)]


class _Piece(HTMLParser):
    """A piece of HTML in which every tag is closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.problems: list[Problem] = []
        self.open: list[tuple[int, str]] = []
        self.refused: set[str] = set()
        self.base = 0

    def take(self, line: int, text: str) -> None:
        """Go on with text from a line of the template."""
        self.base = line - self.getpos()[0]
        self.feed(text)

    @property
    def unfinished(self) -> bool:
        """Whether a tag has begun and not ended."""
        return self.rawdata.startswith("<")

    def closed(self) -> list[Problem]:
        """All problems, at the end."""
        if self.unfinished:
            self._refuse("a tag is not complete.")
        for line, tag in self.open:
            message = f"<{tag}> is not closed in the same block, branch or loop."
            self.problems.append(Problem(line, message))
        return self.problems

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a tag and its attributes."""
        if tag not in TAGS:
            self.refused.add(tag)
            self._refuse(f"<{_plain(tag)}> has no place in a block; there may be {_listed(TAGS)}.")
            return
        for name, value in attrs:
            self._attribute(tag, name, value or "")
        if tag != "br":
            self.open.append((self._line, tag))

    def handle_endtag(self, tag: str) -> None:
        """Close the open tag."""
        if tag in self.refused:
            return
        if not self.open or self.open[-1][1] != tag:
            self._refuse(f"</{_plain(tag)}> closes nothing here.")
            return
        self.open.pop()

    def handle_comment(self, data: str) -> None:  # noqa: ARG002  # as its base
        """Refuse what readers would not see."""
        self._refuse("<!-- --> has no place in a block; write {# #}.")

    def handle_pi(self, data: str) -> None:
        """Refuse an instruction to a program."""
        self._refuse(f"<{data}> has no place in a block.")

    def handle_decl(self, decl: str) -> None:
        """Refuse a declaration."""
        self._refuse(f"<!{decl}> has no place in a block.")

    def unknown_decl(self, data: str) -> None:
        """Refuse a part of XML."""
        self._refuse(f"<![{data}]> has no place in a block.")

    def _attribute(self, tag: str, name: str, value: str) -> None:
        if name not in _ATTRIBUTES:
            allowed = _listed(_ATTRIBUTES)
            message = f"{_plain(name)} of <{tag}> has no place in a block; there may be {allowed}."
            self._refuse(message)
        elif name == "class" and (strange := set(value.split()) - CLASSES):
            message = f"{_plain(min(strange))} is no class of a block; there may be"
            self._refuse(f"{message} {_listed(CLASSES)}.")
        elif name == "href" and not value.startswith(_ADDRESSES):
            self._refuse(f"an address begins with {', '.join(_ADDRESSES)}.")

    @property
    def _line(self) -> int:
        return self.getpos()[0] + self.base

    def _refuse(self, message: str) -> None:
        self.problems.append(Problem(self._line, message))


def _plain(name: str) -> str:
    """Name as the template has it."""
    return "{{ }}" if _VALUE[:2] in name or _VALUE[1] in name else name


def _listed(words: frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(words))
