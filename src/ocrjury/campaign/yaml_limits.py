"""Limits on YAML files, counted during reading, with an alias as large as its target."""

import yaml

from ocrjury.surrogates import HALF, has_surrogate

MAX_BYTES = 256 << 10
"""Bytes of a file."""

MAX_NODES = 20_000
"""Keys, values and lists of a file; aliases count as often as they are used."""

MAX_DEPTH = 30
"""Sections and lists inside one another."""

LONGEST_NUMBER = 100
"""Characters of a number."""

_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class TooMuchError(ValueError):
    """A file holds more than any campaign needs; names the line, from 1."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.line = line


class BoundedLoader(yaml.SafeLoader):
    """Composes nodes and counts them; raises `TooMuchError` before there are too many."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._nodes = self._depth = self._deepest = 0
        self._anchored: dict[str, tuple[int, int]] = {}

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose a node within the limits."""
        event = self.peek_event()  # type: ignore[no-untyped-call]
        anchor = getattr(event, "anchor", None)
        if isinstance(event, yaml.AliasEvent) and anchor in self.anchors:
            self._count_alias(event)
            return super().compose_node(parent, index)
        self._count(event, nodes=1, depth=1)
        before, deepest = self._nodes, self._deepest
        self._depth += 1
        self._deepest = self._depth
        node = super().compose_node(parent, index)
        if anchor is not None:
            self._anchored[anchor] = (self._nodes - before + 1, self._deepest - self._depth + 1)
        self._depth -= 1
        self._deepest = max(deepest, self._deepest)
        _check_scalar(node)
        return node

    def _count_alias(self, event: yaml.Event) -> None:
        """Count what an alias stands for."""
        nodes, depth = self._anchored.get(event.anchor, (0, 0))  # type: ignore[attr-defined]
        if not nodes:
            raise TooMuchError("an alias inside what it stands for", _line(event))
        self._count(event, nodes=nodes, depth=depth)

    def _count(self, event: yaml.Event, *, nodes: int, depth: int) -> None:
        """Count nodes that begin at an event, and levels below the place that is reached."""
        self._nodes += nodes
        self._deepest = max(self._deepest, self._depth + depth)
        if self._nodes > MAX_NODES:
            what = f"more than {MAX_NODES:,} keys and values, those of aliases included"
            raise TooMuchError(what, _line(event))
        if self._depth + depth > MAX_DEPTH:
            raise TooMuchError(f"more than {MAX_DEPTH} levels inside one another", _line(event))


def _check_scalar(node: yaml.Node | None) -> None:
    """Refuse a number without end and half a character."""
    if not isinstance(node, yaml.ScalarNode):
        return
    if node.tag in _NUMBERS and len(node.value) > LONGEST_NUMBER:
        what = f"a number of more than {LONGEST_NUMBER} characters"
        raise TooMuchError(what, node.start_mark.line + 1)
    if has_surrogate(node.value):
        raise TooMuchError(HALF, node.start_mark.line + 1)


def _line(event: yaml.Event) -> int:
    """Line of an event, from 1."""
    return event.start_mark.line + 1 if event.start_mark else 1
