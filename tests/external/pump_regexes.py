"""Expressions of the library that take more than linear time, found by trying: `make fuzz`.

Each is given texts that repeat a character or two of its own, of two lengths. One that takes more
than three times as long for twice the length is named, and the exit code says so.
"""

import ast
import re
import sys
import time
from itertools import chain, permutations, product
from operator import itemgetter
from pathlib import Path
from re import _parser as parser

SOURCE = Path(__file__).resolve().parents[2] / "src" / "ocrjury"
LENGTH, CHARACTERS, SECONDS = 800, 7, 0.002
METHODS = {"match", "search", "fullmatch", "findall", "finditer", "split", "sub", "subn"}
TEXT_OF = {"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "7", "CATEGORY_NOT_WORD": "-"}
ONE = {
    "LITERAL": chr,
    "RANGE": lambda ends: chr(ends[0]),
    "CATEGORY": lambda kind: TEXT_OF.get(str(kind), "w"),
}
INNER = {
    **dict.fromkeys(["IN", "ATOMIC_GROUP"], lambda parts: parts),
    **dict.fromkeys(["MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"], itemgetter(2)),
    **dict.fromkeys(["ASSERT", "ASSERT_NOT"], itemgetter(1)),
    "BRANCH": lambda branches: chain(*branches[1]),
    "SUBPATTERN": itemgetter(3),
}


def main():
    """Try every expression; return how many are slow."""
    slow = 0
    for path in sorted(SOURCE.rglob("*.py")):
        for line, pattern, methods in expressions(path):
            pump = worst_pump(pattern, methods)
            if pump is not None:
                slow += 1
                print(f"{path}:{line}: {pattern!r} on {pump!r}")
    return slow


def expressions(path):
    """Yield line, pattern and methods of each expression that a file holds as a constant."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    used = {}
    for call in calls:
        owner, _, method = ast.unparse(call.func).rpartition(".")
        used.setdefault(owner, set()).add(method)
    named = {
        node.value: node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for call in calls:
        owner, _, method = ast.unparse(call.func).rpartition(".")
        if owner == "re" and call.args and isinstance(call.args[0], ast.Constant):
            methods = used.get(named.get(call), {"match"}) if method == "compile" else {method}
            yield call.lineno, call.args[0].value, methods & METHODS or {"match"}


def characters(parts):
    """Yield a character for each part of an expression."""
    for kind, value in parts:
        if str(kind) in INNER:
            yield from characters(INNER[str(kind)](value))
        else:
            yield ONE.get(str(kind), lambda _: "z")(value)


def worst_pump(pattern, methods):
    """Beginning, repeated part and end of a text that takes too long, None if none does."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    own = [each for each in dict.fromkeys(characters(parser.parse(text))) if each.isprintable()]
    own = [*own[:CHARACTERS], "!"]
    compiled = re.compile(pattern)
    for pump in product(("", *own[:3]), [*own, *map("".join, permutations(own, 2))], ("", "!")):
        once = duration(compiled, methods, pump, LENGTH)
        if once > SECONDS and duration(compiled, methods, pump, 2 * LENGTH) > 3 * once:
            return pump
    return None


def duration(compiled, methods, pump, length):
    """How many seconds methods of an expression take on a text."""
    start, part, end = pump
    text = start + part * (length // len(part)) + end
    given = text.encode("latin-1", "replace") if isinstance(compiled.pattern, bytes) else text
    before = time.process_time()
    for method in methods:
        found = getattr(compiled, method)(*(["-", given] if method.startswith("sub") else [given]))
        list(found) if method == "finditer" else None
    return time.process_time() - before


if __name__ == "__main__":
    sys.exit(main())
