"""The JSON Schema of ``evaluation.json``, drawn from the tables and shapes."""

import re
from typing import Any, Final

from ocrjury.export.columns import Column, Part, Shape, Table
from ocrjury.export.shapes import EVALUATION, FORMAT, VERSION
from ocrjury.export.tables import TABLES

SCHEMA_FILE: Final = "evaluation.schema.json"
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
IDENTITY: Final = f"urn:ocrjury:evaluation:{VERSION}"

_TYPES: dict[str, list[str]] = {
    "text": ["string"],
    "number": ["number"],
    "integer": ["integer"],
    "flag": ["boolean"],
    "rating": ["number", "string"],
}
Body = dict[str, Any]


def evaluation_schema() -> Body:
    """Schema of ``evaluation.json``; rows of the tables are among its definitions."""
    shapes: dict[str, Body] = {}
    _define(EVALUATION, shapes)
    for table in TABLES:
        _define(table, shapes)
    whole = shapes.pop(EVALUATION.name)
    whole["properties"]["format"] = {"const": FORMAT, "description": "what this file is"}
    whole["properties"]["version"] = {"const": VERSION, "description": "version of this format"}
    return {
        "$schema": DRAFT,
        "$id": IDENTITY,
        "title": "Evaluation",
        **whole,
        "$defs": dict(sorted(shapes.items())),
    }


def _define(shape: Shape | Table, shapes: dict[str, Body]) -> Body:
    """Reference to the definition of a shape, which is made on first use."""
    name = shape.name if isinstance(shape, Shape) else f"{shape.name}_row"
    if name not in shapes:
        shapes[name] = {}
        entries = shape.entries if isinstance(shape, Shape) else shape.columns
        more = {} if isinstance(shape, Shape) else _more(shape)
        shapes[name] = {
            "description": shape.about if isinstance(shape, Shape) else f"{shape.row}.",
            "type": "object",
            "properties": {entry.name: _entry(entry, shapes) for entry in entries},
            **more,
            "required": [entry.name for entry in entries],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _more(table: Table) -> Body:
    """Columns of which there may be any number."""
    if not table.more:
        return {}
    return {"patternProperties": {f"^{re.escape(c.name)}": _column(c) for c in table.more}}


def _entry(entry: Column | Part, shapes: dict[str, Body]) -> Body:
    if isinstance(entry, Column):
        return _column(entry)
    reference = _define(entry.of, shapes)
    if entry.many:
        return {"description": entry.meaning, "type": "array", "items": reference}
    if entry.always:
        return {"description": entry.meaning, **reference}
    return {"description": entry.meaning, "anyOf": [reference, {"type": "null"}]}


def _column(column: Column) -> Body:
    """Schema of a cell."""
    unit = f" (unit: {column.unit})" if column.unit else ""
    about = f"{column.meaning}{unit}" + (f": {column.explained}" if column.explained else "")
    if column.type == "texts":
        return {"description": about, "type": "array", "items": {"type": "string"}}
    types = [*_TYPES[column.type], *([] if column.always else ["null"])]
    body: Body = {"description": about, "type": types[0] if len(types) == 1 else types}
    if column.choices:
        body["enum"] = [*column.choices, *([] if column.always else [None])]
    return body
