"""Transformation of a template that somebody brings, before it is compiled.

The HTML of a block is looked at as it stands in the template (`ocrjury.pages.own_markup`), so no
expression may make other HTML of it: a value inside a tag is escaped even if it is markup, and
markup is a plain text, escaped again, for whatever would take a piece of it.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from jinja2 import Environment, nodes
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from ocrjury.pages.own_markup import values_in_tags
from ocrjury.pages.own_work import check_format, spend_on

PLAIN: Final = "plain"
REMOVED: Final = ("safe", "urlize", "xmlattr")
"""Filters that make markup of any text."""
_WHOLE: Final = ("default", "d", "e", "escape", PLAIN)
"""Filters that leave markup whole or take it as a text."""
_LONE: Final = re.compile(r"<(?![A-Za-z/!?])")


def secured(tree: nodes.Template) -> nodes.Template:
    """Tree of a template in which nothing makes HTML but what stands in it."""
    for output, at in values_in_tags(tree.body):
        output.nodes[at] = _filtered(output.nodes[at], "forceescape")
    _Securing().visit(tree)
    if tree.environment is not None:
        tree.set_environment(tree.environment)
    return tree


class _Securing(NodeTransformer):
    """Change what would take markup to pieces, and count what may have no end."""

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802  # Jinja's name
        """Take a piece of a plain text only."""
        self.generic_visit(node)
        if isinstance(node.arg, nodes.Slice):
            node.node = _filtered(node.node, PLAIN)
        return node

    def visit_TemplateData(self, node: nodes.TemplateData) -> nodes.Node:  # noqa: N802  # likewise
        """Write a sign that begins no tag as a text."""
        node.data = _LONE.sub("&lt;", node.data)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802  # likewise
        """Count the length of a text that is put together."""
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Call(_ours("put_together", node), [parts], [], None, None, lineno=node.lineno)

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802  # likewise
        """Count every turn."""
        return self._counted(node)

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:  # noqa: N802  # likewise
        """Count every call."""
        return self._counted(node)

    def _counted(self, node: Any) -> nodes.Node:
        self.generic_visit(node)
        turn = nodes.Call(_ours("turn", node), [], [], None, None, lineno=node.lineno)
        node.body.insert(0, nodes.ExprStmt(turn, lineno=node.lineno))
        return node  # type: ignore[no-any-return]


def plain(value: Any) -> Any:
    """Markup as a text, which is escaped where it is printed; anything else as it is."""
    return str(value) if isinstance(value, Markup) else value


def on_plain(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that sees no markup, and takes note of its work."""
    if name in _WHOLE:
        return function

    @wraps(function)
    def filtering(*given: Any, **named: Any) -> Any:
        first = 1 if given and isinstance(given[0], Context | EvalContext | Environment) else 0
        values = [plain(value) for value in given[first:]]
        spend_on((*values, *named.values()))
        if name == "format":
            check_format(values[0])
        texts = {key: plain(value) for key, value in named.items()}
        return function(*given[:first], *values, **texts)

    return filtering


def _filtered(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


def _ours(name: str, node: nodes.Node) -> nodes.Expr:
    """A function of the environment."""
    return nodes.EnvironmentAttribute(name, lineno=node.lineno)
