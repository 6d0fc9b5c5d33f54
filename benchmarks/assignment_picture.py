"""Draw ``docs/assignment.svg``: meetings of raters in two plans, and the queue of a rater.

Run as ``.venv/bin/python -m benchmarks.assignment_picture``.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.assignment_cases import Conditions, alike, ours
from ocrjury.assignment import order_sessions

PICTURE = Path(__file__).parents[1] / "docs" / "assignment.svg"
CELL, RATERS, ITEMS = 44, 6, 385
DARK = "#1f4e79"
COLOURS = {"item": "#d5dde5", "gold": "#e0a100", "repeat": "#1f4e79"}
FONT = 'font-family="Noto Sans, Arial, sans-serif"'


def picture() -> str:
    """Picture."""
    of = alike(ITEMS, RATERS, 2)
    plan = ours(of)
    body = [
        *_meetings(_in_list_order(of), "Dealt in the order of a list", left=60),
        *_meetings(plan, "assign_raters", left=430),
        *_queue(plan, top=420),
    ]
    size = 'width="760" height="520" viewBox="0 0 760 520"'
    white = '<rect width="760" height="520" fill="#ffffff"/>'
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT}>', white, *body, "</svg>\n"]
    )


def _in_list_order(of: Conditions) -> pd.DataFrame:
    """Plan that gives every item the next two raters of the list."""
    rater = np.arange(2 * ITEMS) % RATERS
    return pd.DataFrame({"item": np.repeat(of.items, 2), "rater": np.array(of.raters)[rater]})


def _meetings(plan: pd.DataFrame, title: str, *, left: int) -> Iterator[str]:
    """Yield a square for every pair of raters: the number of items that they share."""
    shared = pd.crosstab(plan["item"], plan["rater"]).to_numpy()
    met = shared.T @ shared
    most = 2 * ITEMS / (RATERS * (RATERS - 1))
    yield _text(left, 36, title, size=18, weight="bold")
    yield _text(left, 60, "items that two raters share", size=13)
    for row in range(RATERS):
        yield _text(left - 8, 110 + row * CELL, f"R{row + 1}", anchor="end", size=13)
        yield _text(left + 22 + row * CELL, 366, f"R{row + 1}", anchor="middle", size=13)
        for column in range(row):
            number = int(met[row, column])
            opacity = min(number / most, 1) * 0.75 + 0.04
            x, y = left + column * CELL, 82 + row * CELL
            yield (
                f'<rect x="{x}" y="{y}" width="{CELL - 3}" height="{CELL - 3}" fill="{DARK}" '
                f'fill-opacity="{opacity:.2f}"/>'
            )
            colour = "#ffffff" if number else "#444444"
            yield _text(x + 20, y + 26, str(number), anchor="middle", size=15, colour=colour)


def _queue(plan: pd.DataFrame, *, top: int) -> Iterator[str]:
    """Yield the turns of one rater, a row for each session."""
    gold = [f"g{place}" for place in range(30)]
    turns = order_sessions(plan, gold=gold, repeats=8, session_minutes=60, seed=4)
    own = turns[turns["rater"] == turns["rater"].iloc[0]]
    yield _text(60, top - 14, "The queue of R1: a row is a session of at most an hour", size=15)
    for session, rows in own.groupby("session"):
        for place, kind in enumerate(rows["kind"]):
            x, y = 60 + place * 11, top + (int(str(session)) - 1) * 22
            yield f'<rect x="{x}" y="{y}" width="9" height="17" fill="{COLOURS[kind]}"/>'
    for place, (kind, colour) in enumerate(COLOURS.items()):
        x = 60 + place * 110
        yield f'<rect x="{x}" y="{top + 74}" width="9" height="17" fill="{colour}"/>'
        yield _text(x + 16, top + 88, kind, size=13)


def _text(
    x: int,
    y: int,
    words: str,
    *,
    size: int,
    weight: str = "normal",
    anchor: str = "start",
    colour: str = "#222222",
) -> str:
    """Text element."""
    style = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}"'
    return f'<text x="{x}" y="{y}" {style}>{words}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
