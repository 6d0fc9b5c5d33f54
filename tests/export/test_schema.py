import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from ocrjury.evaluation.exported_ratings import COLUMNS
from ocrjury.export.evaluation_export import FILES
from ocrjury.export.schema import evaluation_schema
from ocrjury.export.tables import ESTIMATES, RATINGS, TABLES
from ocrjury.text.metrics import METRICS

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "export.md"
SCHEMA = evaluation_schema()


def described(body):
    """Every property of a schema."""
    for shape in (body, *body.get("$defs", {}).values()):
        yield from shape["properties"].items()


def test_it_is_a_schema_in_which_everything_is_described():
    Draft202012Validator.check_schema(SCHEMA)

    assert all(entry["description"] for _, entry in described(SCHEMA))
    assert {f"{table.name}_row" for table in TABLES} <= set(SCHEMA["$defs"])
    references = set(re.findall(r"#/\$defs/(\w+)", str(SCHEMA)))
    assert references <= set(SCHEMA["$defs"])


def test_it_refuses_a_column_that_nobody_described_and_a_word_that_nobody_knows():
    row = {column.name: None for column in ESTIMATES.columns}
    row |= {"statistic": "mean", "group": "pool", "headline": True, "few": False, "unit": "points"}
    row |= {"n_items": 1, "n_raters": 1, "n_ratings": 1}
    validator = Draft202012Validator({"$ref": "#/$defs/estimates_row", "$defs": SCHEMA["$defs"]})

    validator.validate(row)
    for wrong in ({"y": 1}, {"statistic": "mode"}, {"value": "4"}, {"n_items": 1.5}):
        with pytest.raises(ValidationError):
            validator.validate({**row, **wrong})


def test_columns_of_the_ratings_are_those_of_the_ratings_file():
    assert tuple(column.name for column in RATINGS.columns) == COLUMNS
    documents = next(table for table in TABLES if table.name == "documents")
    assert set(METRICS) <= {column.name for column in documents.columns}


def guide_tables():
    """Draw the tables of the guide: column, type, unit, meaning."""
    lines = []
    for table in TABLES:
        lines += [f"### `{table.name}`", "", f"One row: {table.row}.", ""]
        lines += ["| column | type | unit | meaning |", "|---|---|---|---|"]
        for column in (*table.columns, *table.more):
            name = f"{column.name}..." if column in table.more else column.name
            known = column.choices.items()
            words = ", ".join(f"`{word}`{about and f' ({about})'}" for word, about in known)
            meaning = f"{column.meaning}: {words}" if words else column.meaning
            lines.append(f"| `{name}` | {column.type} | {column.unit or '–'} | {meaning} |")
        lines.append("")
    return "\n".join(lines).rstrip()


def test_the_guide_holds_every_column_and_file(request):
    start, end = "<!-- columns: written by make golden -->\n", "\n<!-- /columns -->"
    text = GUIDE.read_text("utf-8")
    before, _, rest = text.partition(start)
    tables, _, after = rest.partition(end)

    if request.config.getoption("--regen-golden"):
        GUIDE.write_text(before + start + guide_tables() + end + after, "utf-8")
    else:
        assert tables == guide_tables()
        assert all(f"`{Path(name).stem}" in text for name in FILES)
