"""What the packages hand each other has a type; what is only JSON stays where it is read."""

import ast

from tests.test_house import LIBRARY, ROOT, python_files, tree

LOOSE = ("dict[str, Any]", "Mapping[str, Any]")
WRITING = {"to_json", "from_json", "row", "payload"}
"""Methods that turn a record into JSON or a row of a table, or make it from them."""
DOORS = {
    "cli/run_wait.py": "states of Prefect's API",
    "cli/runs.py": "parameters of a run form",
    "evaluation/run_labels.py": "parameters of a run form",
    "signals/deployments.py": "parameters of a run form",
    "signals/events.py": "events of Prefect's API",
    "signals/run_ends.py": "states of Prefect's API",
    "signals/server.py": "answers of Prefect's API",
    "store/outbox.py": "events of Prefect's API, as they wait",
    "deployments/automations.py": "automations of Prefect's API",
    "deployments/campaigns.py": "deployments of Prefect's API",
    "deployments/prefect_api.py": "answers of Prefect's API",
    "deployments/switches.py": "deployments of a file of Prefect",
    "evaluation/frames.py": "rows of a DataFrame",
    "ratings/matrices.py": "attributes of an array, which NumPy names",
    "patience.py": "facts of httpcore about a request",
    "readers/batches.py": "attrs of a DataFrame, which pandas names",
    "readers/findings.py": "attrs of a DataFrame, which pandas names",
    "readers/masks.py": "rows of a file that somebody wrote",
    "readers/parquet.py": "rows of a file that somebody wrote",
    "readers/pool_frame.py": "rows of a file that somebody wrote",
    "readers/reading.py": "rows of a file that somebody wrote",
    "readers/tables.py": "rows of a file that somebody wrote",
    "readers/units.py": "rows of a file that somebody wrote",
    "report/data.py": "records of sections by name, each with its type",
    "report/pdf_boxes.py": "styles of WeasyPrint",
    "frontends/web/application.py": "the schema of OpenAPI",
    "frontends/web/desk/desk_pages.py": "what a template is given",
    "frontends/web/desk/rubric_bodies.py": "the rubric as programs read it",
    "text_files.py": "objects of a JSON file that somebody wrote",
    "store/audit_chain.py": "rows of any table",
    "store/rows.py": "rows of any table",
    "store/schema/columns.py": "options of SQLAlchemy",
    "store/results.py": "JSON that `from_json` of a finding reads",
    "store/purges.py": "JSON of a certificate, which is signed as it is",
    "store/rating_history.py": "what a browser said of a rating, kept as it came",
    "store/visits.py": "what a browser said of a rating, kept as it came",
    "store/remarks.py": "drafts of panels, kept as they came",
}
"""Files with public names that have JSON, rows or parameters of others, and whose they are."""


def test_floors_hand_each_other_records_and_no_loose_dictionaries():
    found = {
        path.relative_to(ROOT).as_posix().removeprefix("src/ocrjury/")
        for path in python_files(*LIBRARY)
        if "examples" not in path.parts and any(map(_is_loose, _public(tree(path).body)))
    }

    assert found == set(DOORS)


def _public(body):
    """Annotations of public functions, methods and fields."""
    for node in body:
        name = getattr(node, "name", "")
        if name.startswith("_") or name in WRITING:
            continue
        if isinstance(node, ast.ClassDef):
            yield from _public(node.body)
            yield from (part.annotation for part in node.body if isinstance(part, ast.AnnAssign))
        elif isinstance(node, ast.FunctionDef):
            yield from (
                part.annotation for part in ast.walk(node.args) if isinstance(part, ast.arg)
            )
            yield node.returns


def _is_loose(annotation):
    return annotation is not None and any(loose in ast.unparse(annotation) for loose in LOOSE)
