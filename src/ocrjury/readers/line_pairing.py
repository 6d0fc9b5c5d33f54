"""Pairing of two pages' lines by what they say and where they stand, not by how many there are.

The lines are aligned in reading order, so that no two pairs cross (`line_grid`). What the alignment
leaves alone joins a pair beside it if it is part of the same longer line, such as a paragraph.
Between two pairs, a missed and an invented line with no other candidate are a pair, and several
missed and invented lines of comparable length are a group, whose texts are compared as a whole.

Lines that are almost equal to one elsewhere, but not paired with it, guide another alignment if
they are in order. The lines of a page cannot be paired if more than a tenth of the text stands in
another order, if more than a quarter, or every line, has no counterpart on both sides, or if there
is far too much for a page. What only one side has is no obstacle: a page of which half was missed
is scored line by line.
"""

from bisect import bisect_right
from collections.abc import Container, Iterable, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from ocrjury.language import phrase
from ocrjury.readers.line_grid import UNLIKE, Grid, Side, Snippet, compared, least_work, work

MOVED = 0.1
"""Share of a page's text that may be found out of order."""

ALONE = 0.25
"""Share of a page's text that may remain without a counterpart on both sides."""

_ALIKE, _SHORTEST, _MOST = 0.3, 4, 2000
_COMPARABLE = 0.5
_WIDTH, _WIDEST, _PASSES = 8, 64, 4
_WORK, _MOST_WORK = 6e9, 1.6e10
_TOO_MUCH = "too much text to be paired"
_PARAGRAPH, _PAGE = 5000, 100_000
_Twin = tuple[int, int]
_differ = Levenshtein.normalized_distance


class Group(NamedTuple):
    """Lines of the reference and of the output that belong together; one side may be empty."""

    reference: range
    output: range


class _Alike(NamedTuple):
    pairs: list[_Twin]
    twins: list[_Twin]


class Pairing(NamedTuple):
    """Groups in reading order, which hold every line once; or why there are none."""

    groups: list[Group]
    problem: str | None = None


def pair_lines(reference: Sequence[Snippet], output: Sequence[Snippet]) -> Pairing:
    """Groups of lines that belong together.

    >>> page = [Snippet("진단서"), Snippet("합계 3,000원"), Snippet("서울병원")]
    >>> for group in pair_lines(page, [Snippet("합게 3,000원"), Snippet("서울병원")]).groups:
    ...     list(group.reference), list(group.output)
    ([0], [])
    ([1], [0])
    ([2], [1])
    """
    if 2 * _WIDTH * least_work(len(reference)) > _MOST_WORK:
        return Pairing([], _TOO_MUCH)
    left, right = Side(reference), Side(output)
    if left.n == right.n == 1:
        return Pairing([Group(range(1), range(1))])
    column = 2 * work(left, right)
    if _WIDTH * column > _MOST_WORK:
        return Pairing([], _TOO_MUCH)
    width = min(_WIDTH + abs(left.n - right.n), _WIDEST, max(_WIDTH, _WORK / column))
    groups: list[Group] = []
    guide: list[_Twin] = []
    moved = 0.0
    for _ in range(_PASSES):
        groups = _closed(Grid(left, right, guide=guide, width=width))
        pairs, twins = _alike(groups, left, right)
        guide = _in_order(sorted([*pairs, *twins]))
        moved = _share({*pairs, *twins} - set(guide), left, right)
        if moved > MOVED or set(twins).isdisjoint(guide):
            break
    alone = _alone(groups, left, right)
    if moved > MOVED:
        share = f"{moved:.0%}"
        return Pairing([], phrase("{share} of the text stands in another order", share=share))
    if alone > ALONE:
        share = f"{alone:.0%}"
        return Pairing(
            [], phrase("{share} of the text has no counterpart or is cut differently", share=share)
        )
    return Pairing(groups)


def distance(left: str, right: str) -> int:
    """Edits between two texts, compared as lines are."""
    return _distance(compared(left), compared(right))


def _closed(grid: Grid) -> list[Group]:
    """Groups of the cheapest path, and of what it leaves alone between two of them."""
    left, right = grid.left, grid.right
    steps = [Group(range(i - up, i), range(j - over, j)) for i, j, (up, over) in grid.path()]
    steps = _absorbed(_absorbed(steps, left, right)[::-1], left, right)
    groups: list[Group] = []
    for paired, run in groupby(steps, key=_is_paired):
        between = list(run)
        groups += between if paired else _gap(between, left, right)
    return groups


def _absorbed(steps: Iterable[Group], left: Side, right: Side) -> list[Group]:
    """Groups that took in the lines alone after them that are part of the same longer line."""
    groups: list[Group] = []
    for step in steps:
        groups.append(step)
        if len(groups) > 1 and _is_part(groups[-2], step, left=left, right=right):
            groups[-2:] = [_whole(groups[-2:])]
    return groups


def _is_part(group: Group, alone: Group, *, left: Side, right: Side) -> bool:
    """Return whether joining an unpaired line to a group saves half of the line's length."""
    whole = group.output if alone.reference else group.reference
    if not _is_paired(group) or _is_paired(alone) or len(whole) > 1:
        return False
    if max(left.length(group.reference), right.length(group.output)) > _PARAGRAPH:
        return False
    length = left.length(alone.reference) + right.length(alone.output)
    saved = _edits(group, left, right) + length - _edits(_whole([group, alone]), left, right)
    return saved > length / 2


def _whole(groups: Sequence[Group]) -> Group:
    """Adjacent groups as one."""
    references, outputs = zip(*groups, strict=True)
    return Group(_around(references), _around(outputs))


def _around(ranges: Sequence[range]) -> range:
    return range(min(part.start for part in ranges), max(part.stop for part in ranges))


def _edits(group: Group, left: Side, right: Side) -> int:
    return _distance(left.text(group.reference), right.text(group.output))


def _distance(left: str, right: str) -> int:
    """Edits between two texts; of texts longer than any page, all of the longer one."""
    length = max(len(left), len(right))
    return Levenshtein.distance(left, right) if length <= _PAGE else length


def _is_paired(group: Group) -> bool:
    return bool(group.reference and group.output)


def _gap(steps: list[Group], left: Side, right: Side) -> list[Group]:
    """Groups of the lines between two pairs."""
    whole = _whole(steps)
    lengths = left.length(whole.reference), right.length(whole.output)
    if len(whole.reference) == len(whole.output) == 1:
        return [whole]
    if min(lengths) and min(lengths) >= _COMPARABLE * max(lengths):
        return [whole]
    return steps


def _is_loose(group: Group, left: Side, right: Side) -> bool:
    """Return whether a group was left alone by the alignment and its texts do not agree."""
    if len(group.reference) == len(group.output) == 1:
        return False
    length = max(left.length(group.reference), right.length(group.output))
    return not _is_paired(group) or _edits(group, left, right) > UNLIKE * length


def _alone(groups: Iterable[Group], left: Side, right: Side) -> float:
    """Share of the text without a counterpart on both sides; all of it where no lines pair."""
    groups = list(groups)
    if min(left.n, right.n) > 1 and not any(map(_is_paired, groups)):
        return 1.0
    loose = [group for group in groups if _is_loose(group, left, right)]
    missed = sum(left.length(group.reference) for group in loose)
    invented = sum(right.length(group.output) for group in loose)
    return min(missed, invented) / max(left.total, right.total, 1)


def _alike(groups: Iterable[Group], left: Side, right: Side) -> _Alike:
    """Lines with almost the same text: those that are pairs, and others."""
    pairs = [
        (i, j)
        for (i, *more), (j, *others) in filter(_is_paired, groups)
        if not more and not others and _differ(left.lines[i].text, right.lines[j].text) <= _ALIKE
    ]
    missed = _known(left, {i for i, _ in pairs})
    invented = _known(right, {j for _, j in pairs})
    twins = []
    for i, text in missed.items():
        twin = process.extractOne(text, invented, scorer=_differ, score_cutoff=_ALIKE)
        if twin is not None:
            twins.append((i, twin[2]))
    return _Alike(pairs, twins)


def _known(side: Side, paired: Container[int]) -> dict[int, str]:
    """Texts of lines that are no pair, long enough to be recognised elsewhere."""
    texts = ((place, line.text) for place, line in enumerate(side.lines) if place not in paired)
    return dict(islice(((place, text) for place, text in texts if len(text) >= _SHORTEST), _MOST))


def _in_order(twins: Iterable[_Twin]) -> list[_Twin]:
    """Longest list of twins, sorted by the reference, that is in order on the other page too."""
    ends: list[int] = []
    chains: list[tuple[_Twin, int | None]] = []
    last: list[int] = []
    for twin in twins:
        length = bisect_right(ends, twin[1])
        chains.append((twin, last[length - 1] if length else None))
        ends[length:] = [twin[1], *ends[length + 1 :]]
        last[length:] = [len(chains) - 1, *last[length + 1 :]]
    chosen, place = [], last[-1] if last else None
    while place is not None:
        twin, place = chains[place]
        chosen.append(twin)
    return chosen[::-1]


def _share(twins: Iterable[_Twin], left: Side, right: Side) -> float:
    """Share of the text that twins are."""
    return sum(left.lengths[place] for place, _ in twins) / max(left.total, right.total, 1)
