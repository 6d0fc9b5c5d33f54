"""Problems of templates that somebody brings, listed before anything is printed with them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from jinja2 import TemplateSyntaxError, meta, nodes

from ocrjury.campaign.problems import nearest
from ocrjury.campaign.report_templates import ENDING
from ocrjury.pages.environment import environment, packaged
from ocrjury.pages.own_markup import Problem, markup_problems
from ocrjury.pages.own_syntax import REMOVED
from ocrjury.pages.own_templates import OURS

Path = tuple[str, ...]
"""A name and attributes: ``report.identity.title``."""
_SHARED = "shared/"


class Given(NamedTuple):
    """Names available to the templates of a folder.

    ``look`` says what is wrong with a path that begins with one of the names, None for nothing.
    """

    folder: str
    names: Collection[str]
    look: Callable[[Path], str | None]


@cache
def blocks(folder: str) -> Mapping[str, Sequence[str]]:
    """Blocks of each of our templates in a folder that has some, in their order."""
    paths = [path for path in environment().list_templates() if path.endswith(ENDING)]
    templates = {
        path.removeprefix(f"{folder}/"): _blocks_in(_ours(path))
        for path in paths
        if path.startswith(f"{folder}/")
    }
    return {file: names for file, names in templates.items() if names}


def replaced(text: str) -> Sequence[str]:
    """Blocks that a template without a problem replaces."""
    return _blocks_in(environment().parse(text))


def problems(files: Mapping[str, str], given: Given) -> list[str]:
    """Sentences on templates, each with its file and line."""
    return [
        f"{file}, line {line}: {message}"
        for file, text in sorted(files.items())
        for line, message in sorted(set(_of_file(file, text, given)))
    ]


def _of_file(file: str, text: str, given: Given) -> Iterator[Problem]:
    known, path = blocks(given.folder), f"{given.folder}/{file}"
    if file not in known:
        yield Problem(1, _unknown("template", file, list(known)))
        return
    try:
        tree = environment().parse(text)
        # Before Jinja refuses an unknown filter, in fewer words.
        if forbidden := list(_forbidden(tree)):
            yield from forbidden
            return
        missing = meta.find_undeclared_variables(tree)
    except TemplateSyntaxError as error:
        yield Problem(error.lineno, f"this is not Jinja ({(error.message or '').rstrip('.')}).")
        return
    yield from _outside(tree, f"{OURS}/{path}")
    for block in tree.find_all(nodes.Block):
        if block.name not in known[file]:
            yield Problem(block.lineno, _unknown("block", block.name, known[file]))
        yield from markup_problems(block.body)
    yield from _names(tree, missing - {*given.names, *_exported(_ours(path).body)}, given)
    for line, names in _paths(tree):
        if wrong := given.look(names):
            yield Problem(line, wrong)


def _outside(tree: nodes.Template, parent: str) -> Iterator[Problem]:
    """Yield what stands outside of blocks, which are all that is printed of a template."""
    loose = [node for node in tree.body if _words(node).strip()]
    first = loose[0] if loose else None
    if not isinstance(first, nodes.Extends) or first.template != nodes.Const(parent):
        yield Problem(1, f'it has to begin with {{% extends "{parent}" %}}.')
        return
    for node in loose[1:]:
        if not isinstance(node, nodes.Block):
            words = _words(node)
            line = node.lineno + words[: -len(words.lstrip())].count("\n")
            yield Problem(line, "this stands outside of a block, where nothing is printed.")


def _words(node: nodes.Node) -> str:
    """Text of a node, with a mark for what is none."""
    parts = node.nodes if isinstance(node, nodes.Output) else [node]
    return "".join(p.data if isinstance(p, nodes.TemplateData) else "{{ }}" for p in parts)


def _forbidden(tree: nodes.Template) -> Iterator[Problem]:
    """Yield what would leave the escaping, the folder, or what Jinja knows."""
    made = environment()
    for scope in tree.find_all(nodes.ScopedEvalContextModifier):
        yield Problem(scope.lineno, "escaping stays on; take {% autoescape %} out.")
    ours = [path for path in made.list_templates() if path.startswith(_SHARED)]
    for taken in tree.find_all((nodes.Include, nodes.Import, nodes.FromImport)):
        path = getattr(getattr(taken, "template", None), "value", None)
        if path not in ours:
            hint = nearest(str(path), ours)
            yield Problem(taken.lineno, f"a block takes nothing but what is in {_SHARED}.{hint}")
    yield from _filters(tree)


def _filters(tree: nodes.Template) -> Iterator[Problem]:
    """Yield filters and tests that nobody knows, and filters that make markup of a text."""
    made = environment()
    for block in tree.find_all((nodes.FilterBlock, nodes.AssignBlock)):
        if isinstance(block, nodes.FilterBlock) or getattr(block, "filter", None) is not None:
            yield Problem(block.lineno, "escaping stays on; use no filter on what tags enclose.")
    for node in tree.find_all((nodes.Filter, nodes.Test)):
        known = made.filters if isinstance(node, nodes.Filter) else made.tests
        name = getattr(node, "name", "")
        if name in REMOVED:
            yield Problem(node.lineno, f"escaping stays on; take |{name} out.")
        elif name not in known:
            yield Problem(node.lineno, _unknown(type(node).__name__.lower(), name, sorted(known)))


def _names(tree: nodes.Template, missing: Collection[str], given: Given) -> Iterator[Problem]:
    """Yield names that nothing has."""
    known = f"a block knows {', '.join(given.names)} and functions such as language()"
    for name in tree.find_all(nodes.Name):
        if name.name in missing and name.ctx == "load":
            hint = nearest(name.name, [*given.names, *environment().globals])
            yield Problem(name.lineno, f"nothing is called {name.name!r}; {known}.{hint}")


def _exported(body: Sequence[nodes.Node]) -> set[str]:
    """Names that a template of ours gives to its blocks."""
    names: set[str] = set()
    for node in body:
        match node:
            case nodes.Assign() | nodes.AssignBlock():
                names |= {name.name for name in node.find_all(nodes.Name) if name.ctx == "store"}
            case nodes.Macro():
                names.add(node.name)
            case nodes.FromImport():
                names |= {name if isinstance(name, str) else name[1] for name in node.names}
            case nodes.If():
                names |= _exported([*node.body, *node.elif_, *node.else_])
    return names


def _paths(tree: nodes.Template) -> Iterator[tuple[int, Path]]:
    """Yield names followed by attributes, with their lines."""
    for node in tree.find_all(nodes.Getattr):
        if path := _path(node):
            yield node.lineno, path


def _path(node: nodes.Node) -> Path:
    match node:
        case nodes.Name():
            return (node.name,)
        case nodes.Getattr():
            before = _path(node.node)
            return (*before, node.attr) if before else ()
    return ()


def _unknown(kind: str, name: str, known: Sequence[str]) -> str:
    return f"there is no {kind} {name!r}; there are {', '.join(known)}.{nearest(name, known)}"


def _blocks_in(tree: nodes.Template) -> Sequence[str]:
    return tuple(block.name for block in tree.find_all(nodes.Block))


def _ours(path: str) -> nodes.Template:
    """Template of ours, taken apart."""
    made = environment()
    return made.parse(packaged().get_source(made, path)[0])
