"""docs/campaign.md: every key of a campaign and its rubric, what it may hold, and its default."""

import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic_core import PydanticUndefined

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.registry import COLUMNS
from ocrjury.campaign.rubric import Rubric
from ocrjury.campaign.scale_text import ScaleText
from ocrjury.campaign.section_values import Section

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "campaign.md"
TEMPLATE = ROOT / "templates" / "campaign" / "campaign.yaml"
START, END = "<!-- {}: written by make golden -->\n", "\n<!-- /{} -->"
KEY = re.compile(r"(?P<pad> *)(?:# )?(?P<key>[a-z_]+):(?P<rest>(?: .*)?)")
FAR = 25  # a comment so far to the right belongs to the key above


def comments():
    """Comment of every key of the template, beside or above it, and the default that it names."""
    known, path, above = {}, [], []
    for line in TEMPLATE.read_text("utf-8").splitlines():
        key = KEY.fullmatch(line)
        text = line.strip().removeprefix("#").strip()
        if key and len(key["pad"]) < FAR:
            path[len(key["pad"]) // 2 :] = [key["key"]]
            _, mark, beside = key["rest"].partition("  # ")
            known[".".join(path)] = beside if mark else " ".join(above)
            above = []
        elif len(line) - len(line.lstrip()) >= FAR:
            known[".".join(path)] += f" {text}"
        else:
            above = [*above, text] if line.lstrip().startswith("#") else []
    parts = {key: re.fullmatch(r"(.*?):?(?: ?\[([^][]*)\])?", text) for key, text in known.items()}
    return {key: (part[1].strip(), part[2]) for key, part in parts.items()}


def inner(annotation):
    """Section that a key holds, alone or in a list or mapping of them."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    return next(filter(None, map(inner, get_args(annotation))), None)


def keys(section, path="", given=None):
    """Each key with its field and default, the keys of the sections in it after it."""
    for name, field in section.model_fields.items():
        key, value = f"{path}{field.alias or name}", getattr(given, name, field.default)
        yield key, field, value
        part = inner(field.annotation)
        if part not in {None, Rubric, ScaleText}:
            yield from keys(part, f"{key}.", value)


def words(annotation):
    """Words that a key may hold, where it may hold no others."""
    found = [word for part in get_args(annotation) for word in words(part)]
    return found or [part for part in get_args(annotation) if isinstance(part, str)]


def allowed(field):
    """Say what a key may hold."""
    return field.description or ", ".join(f"`{word}`" for word in words(field.annotation))


def default(field, value, noted=None):
    """Say what applies without the key; where that is no value, in the words of the template."""
    if field.is_required():
        return "**required**"
    if isinstance(value, ScaleText):
        return str(value.scale())
    if value is PydanticUndefined or value in (None, "", (), {}) or isinstance(value, Section):
        return noted or "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def campaign_table():
    """Draw the table of every section of a campaign, in the order of the template."""
    notes, lines, part = comments(), [], None
    order = list(notes)

    def place(row):
        """Line of the template, that of the section for a key that has none; plain keys first."""
        key, field, _ = row
        known = key
        while known not in notes:
            known = known.rpartition(".")[0]
        return "." in key or is_section(field), order.index(known)

    for key, field, value in sorted(keys(Campaign), key=place):
        head = key.partition(".")[0]
        heading = f"`{head}`" if is_section(field) or "." in key else "The campaign"
        if heading != part:
            intro = [notes[head][0], ""] if heading == f"`{head}`" else []
            lines += ["", f"## {heading}", "", *intro]
            lines += ["| key | what it sets | what it may hold | default |", "|---|---|---|---|"]
            part = heading
        if "." in key or not is_section(field):
            note, noted = notes.get(key, ("", None))
            lines.append(
                f"| `{key}` | {note} | {allowed(field)} | {default(field, value, noted)} |"
            )
    return "\n".join(lines).strip("\n")


def is_section(field):
    """Whether a key holds a section of the campaign; the rubric has a table of its own."""
    return inner(field.annotation) not in {None, Rubric}


def rubric_table():
    """Draw the table of a rubric."""
    lines = ["| key | what it may hold | default |", "|---|---|---|"]
    for key, field, value in keys(Rubric):
        lines.append(f"| `{key}` | {allowed(field)} | {default(field, value)} |")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "table"), [("settings", campaign_table), ("rubric", rubric_table)]
)
def test_the_guide_holds_every_key(name, table, request):
    text = GUIDE.read_text("utf-8")
    before, start, rest = text.partition(START.format(name))
    stored, end, after = rest.partition(END.format(name))

    assert start
    assert end
    if request.config.getoption("--regen-golden"):
        GUIDE.write_text(before + start + table() + end + after, "utf-8")
    else:
        assert stored == table()


def test_every_comment_of_the_template_is_that_of_a_key():
    known = {key for key, *_ in keys(Campaign)}

    assert [key for key in comments() if key not in known] == []


def test_every_column_of_the_raters_is_in_the_guide():
    text = GUIDE.read_text("utf-8")

    assert [column for column in COLUMNS if f"`{column}`" not in text] == []
