"""Field rules in a sheet, shown once a row is rated: a formula over texts out of sight.

The text is computed when the sheet is written and stands in the hidden sheet. It is a function of
the two texts of its row, so that a file tells nothing with it that it did not tell before; what
counts is that nobody reads it before their own choice. So the formula, which is alike in all
rows, names neither text nor limit, is itself out of sight, and is empty until every dimension that
a rule may bind has a value.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from openpyxl.utils import get_column_letter

from ocrjury.campaign.guideline import guideline
from ocrjury.campaign.rating_sections import RatingPage
from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.ingest import Facts, Limit, bound_dimensions, facts_about, limits_told
from ocrjury.frontends.sheets.assigned_rows import AssignedRow
from ocrjury.frontends.sheets.signatures import MANIFEST
from ocrjury.pages.catalogues import speaker

ABOVE = "▲ "
"""Mark before a rule that a rating exceeds."""
UNBOUND = 1e15
"""Limit where no rule applies: above every value of a scale."""


class RuleCells(NamedTuple):
    """Cells of the hidden sheet for one row: a text, and a limit for each bound dimension."""

    text: str
    limits: Sequence[float]


class ToldRules(NamedTuple):
    """Field rules in a workbook: the bound dimensions, and cells by the key of a row."""

    bound: Sequence[str]
    cells: Mapping[str, RuleCells]


def tell_rules(
    rows: Iterable[AssignedRow],
    rubric: Rubric,
    dimensions: Sequence[str],
    *,
    page: RatingPage,
    language: str,
    facts: Facts,
) -> ToldRules:
    """Apply the field rules to some rows, in the words of the rating page."""
    bound = bound_dimensions(dimensions, rubric)
    titles = {guide.name: guide.title for guide in guideline(rubric, bound, language=language)[1]}
    nothing = speaker("rating", language)("no_difference")
    cells = {}
    for row in rows:
        fact = facts.get(row.item.item)
        limits = limits_told(fact, bound, rubric, page=page, language=language)
        same = fact is not None and fact.exact and page.countable
        text = _sentences(limits, titles) if limits or not same else nothing
        highest = [limits[name].at_most if name in limits else UNBOUND for name in bound]
        cells[row.key] = RuleCells(text, highest)
    return ToldRules(bound, cells)


def facts_of(rows: Iterable[AssignedRow], rubric: Rubric) -> Facts:
    """Facts about the items of all raters, each compared once."""
    return facts_about({row.item.item: row.item for row in rows}.values(), rubric)


def rule_formula(columns: Sequence[str], row: int, *, at: int, hidden_row: int) -> str:
    """Formula of a row whose bound cells are in the columns `asked`.

    The text is in the hidden sheet's column `at` and its row `hidden_row`, the limits follow.

    Examples
    --------
    >>> rule_formula(["G"], 5, at=4, hidden_row=1)
    '=IF(COUNTA($G5)<1,"",IF(OR(N($G5)>manifest!$E$1),"▲ ","")&manifest!$D$1)'
    """
    cells = [f"${letter}{row}" for letter in columns]
    letters = [get_column_letter(at + number) for number in range(len(cells) + 1)]
    text, *limits = [f"{MANIFEST}!${letter}${hidden_row}" for letter in letters]
    above = ",".join(f"N({cell})>{limit}" for cell, limit in zip(cells, limits, strict=True))
    given = f"COUNTA({','.join(cells)})<{len(cells)}"
    return f'=IF({given},"",IF(OR({above}),"{ABOVE}","")&{text})'


def _sentences(limits: Mapping[str, Limit], titles: Mapping[str, str]) -> str:
    """One sentence where all are the same; else each with what it is about."""
    sentences = dict.fromkeys(limit.sentence for limit in limits.values())
    if len(sentences) < 2:
        return "".join(sentences)
    return "\n".join(f"{titles[name]}: {limit.sentence}" for name, limit in limits.items())
