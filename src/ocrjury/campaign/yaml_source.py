"""Read a YAML file so that an error can name the line, and no word turns into something else."""

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from yaml.reader import ReaderError

from ocrjury.campaign.yaml_limits import MAX_BYTES, BoundedLoader, TooMuchError
from ocrjury.errors import InputError

Place = Sequence[int | str]


class _Loader(BoundedLoader):
    """Reads words as YAML 1.2 does: ``off`` is a word, ``2026-11-20`` a text, ``1e-3`` a number."""

    yaml_implicit_resolvers = {  # noqa: RUF012  # PyYAML wants a plain class attribute
        first: [(tag, pattern) for tag, pattern in rules if tag == "tag:yaml.org,2002:merge"]
        for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_WORDS = {
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    "int": (r"[-+]?[0-9]+", list("-+0123456789")),
    "float": (
        r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?",
        list("-+.0123456789"),
    ),
}
for _name, (_pattern, _first) in _WORDS.items():
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_name}", re.compile(f"^(?:{_pattern})$"), _first
    )
# PyYAML's own reader takes 012 for ten (octal).
_Loader.add_constructor("tag:yaml.org,2002:int", lambda _, node: int(node.value))


@dataclass(frozen=True, slots=True)
class YamlSource:
    """Content of a YAML file, and the line of each key."""

    path: Path
    data: dict[str, object]
    root: yaml.Node

    def line(self, place: Place) -> int:
        """Line (from 1) of a key, or of the nearest section that the file has."""
        node, line = self.root, self.root.start_mark.line + 1
        for part in place:
            child = _child(node, part)
            if child is None:
                break
            line, node = child
        return line


def read_yaml(path: Path) -> YamlSource:
    """Mapping in a YAML file.

    Raises
    ------
    InputError
        If there is no such file, it is not UTF-8 text, not YAML, not a mapping at its top, names a
        key twice, or holds more than any campaign needs.
    """
    text = _read_text(path)
    try:
        root, data = _parse(path, text)
    except yaml.MarkedYAMLError as error:
        raise InputError(_syntax_sentence(path, error)) from error
    except TooMuchError as error:
        raise InputError(f"{path}, line {error.line}: {error}.") from error
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise InputError(
            f"{path}, line {line}: YAML does not allow the character "
            f"U+{ord(text[error.position]):04X}; remove it."
        ) from error
    if root is None or not isinstance(data, dict):
        kind = "nothing" if data is None else f"a {_KINDS.get(type(data), 'single value')}"
        raise InputError(
            f"{path} holds {kind} at its top; it must hold keys such as `name: my-campaign`, "
            "one on a line."
        )
    return YamlSource(path, {str(key): value for key, value in data.items()}, root)


_KINDS: dict[type, str] = {list: "list"}


def _parse(path: Path, text: str) -> tuple[yaml.Node | None, object]:
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return None, None
        # Before the values are made: that writes merged keys into the tree.
        if twice := next(_repeated_keys(root), None):
            raise InputError(f"{path}, {twice}")
        return root, loader.construct_document(root)
    finally:
        loader.dispose()


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise InputError(f"{path} is larger than {MAX_BYTES >> 10} kB, which no campaign is.")
        return body.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(
            f"There is no file {path}. `ocrjury campaign new` writes a commented one."
        ) from error
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder; name the YAML file in it.") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 text (byte {error.start}); save it again as UTF-8."
        ) from error


def _syntax_sentence(path: Path, error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    why = ", ".join(part for part in (error.context, error.problem) if part)
    return (
        f"{path}{where}: this is not YAML ({why}). Look for a missing colon, quote or bracket, "
        "or an indent that differs from its neighbours."
    )


def _repeated_keys(node: yaml.Node) -> Iterator[str]:
    seen: dict[Hashable, int] = {}
    for key, value in _pairs(node):
        line = key.start_mark.line + 1
        if key.value in seen:
            yield f"line {line}: {key.value} is already given on line {seen[key.value]}; keep one."
        seen[key.value] = line
        yield from _repeated_keys(value)
    for value in node.value if isinstance(node, yaml.SequenceNode) else ():
        yield from _repeated_keys(value)


def _child(node: yaml.Node, part: int | str) -> tuple[int, yaml.Node] | None:
    """Line and node of a key or of a place in a list; None where there is none."""
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        child = node.value[part]
        return child.start_mark.line + 1, child
    for key, value in _pairs(node):
        if key.value == str(part):
            return key.start_mark.line + 1, value
    return None


def _pairs(node: yaml.Node) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
    """Yield keys and values of a mapping that has plain keys."""
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(key, yaml.ScalarNode):
            yield key, value
