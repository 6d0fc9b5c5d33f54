"""No meaning is read out of a text: what code decides by is a field of its own."""

import ast

from tests.test_house import LIBRARY, ROOT, nodes, python_files

TEXTS = {"method", "sentence", "reason", "message", "label", "short_label", "warning"}
TEXTS |= {"unit", "about"}
"""Names of texts that people read, or that name something."""
CUTS = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition"}
CUTS |= {"replace", "split", "rsplit"}
OTHERS = {
    ("src/ocrjury/truth/inference.py", "method"): "the name of a method is a key",
    ("src/ocrjury/readers/problems.py", "str(error)"): "the file stands in a column of its own",
    ("src/ocrjury/ratings/csv_rows.py", "str(error)"): "a parser of Python's",
    ("src/ocrjury/report/pdf_child.py", "message"): "the log of WeasyPrint",
    ("src/ocrjury/signals/ended_runs.py", "message"): "a state of Prefect's",
    ("src/ocrjury/signals/unquoted_errors.py", "message"): "what it quotes is hidden",
    ("deployments/json_logs.py", "message"): "what it quotes is hidden",
    ("src/ocrjury/estimate.py", "reason"): "a key without words of its own",
    ("src/ocrjury/report/sections/methods.py", "method"): "a key without words of its own",
    ("src/ocrjury/readers/field_pairing.py", "part.label"): "white space does not count",
}
"""Texts that may be cut, and why."""


def is_text(node, texts):
    """Whether a node is a text for people: an attribute or local of such a name, or str(error)."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "str":
        return ast.unparse(node.args[0]) == "error"
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
    return name in texts


def is_punctuation(node):
    ends = node.elts if isinstance(node, ast.Tuple) else [node]
    return all(isinstance(end, ast.Constant) and end.value in {".", "?"} for end in ends)


def meanings(path):
    """Texts of which a file asks for a part, and where."""
    parts = [node for node in nodes(path) if isinstance(node, ast.comprehension)]
    warnings = {ast.unparse(part.target) for part in parts if "warnings" in ast.unparse(part.iter)}
    for node in nodes(path):
        text = None
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            text = node.comparators[0] if isinstance(node.left, ast.Constant) else None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            cuts = node.func.attr in CUTS and not any(map(is_punctuation, node.args[:1]))
            text = node.func.value if cuts else None
        if text is not None and is_text(text, TEXTS | warnings):
            yield ast.unparse(text), node.lineno


def test_no_meaning_is_read_out_of_a_text():
    places = [
        (str(path.relative_to(ROOT)), line, text)
        for path in python_files(*LIBRARY)
        for text, line in meanings(path)
    ]

    assert [place for place in places if (place[0], place[2]) not in OTHERS] == []
    assert {(name, text) for name, _, text in places} == set(OTHERS)


STARS = {
    "src/ocrjury/findings/record.py": "all dimensions together",
    "src/ocrjury/text/alignment_picture.py": "a unit that a text lacks",
    "src/ocrjury/ratings/files.py": "a cell without a rating",
    "src/ocrjury/delivery/announcements.py": "bold letters",
    "src/ocrjury/pages/own_templates.py": "multiplication",
    "src/ocrjury/pages/own_work.py": "multiplication",
}
"""What a star means in a file; in a call, it is the pattern of a folder's or a command's words."""


def test_a_star_that_stands_for_something_is_named_once():
    stars = set()
    for path in python_files(*LIBRARY):
        calls = [node for node in nodes(path) if isinstance(node, ast.Call)]
        patterns = {
            id(value)
            for call in calls
            for value in (
                call.args
                if ast.unparse(call.func).endswith(".rglob")
                else [keyword.value for keyword in call.keywords if keyword.arg == "nargs"]
            )
        }
        if any(
            isinstance(node, ast.Constant) and node.value == "*" and id(node) not in patterns
            for node in nodes(path)
        ):
            stars.add(str(path.relative_to(ROOT)))

    assert stars == set(STARS)
