"""Parts of a page beside what the reference has in their place."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ocrjury.readers.field_pairing import pair_fields
from ocrjury.readers.line_grid import Snippet
from ocrjury.readers.line_pairing import Group, distance, pair_lines
from ocrjury.readers.ocr_pages import Page, mean, union
from ocrjury.readers.parts import Part, Unit, parts_of, uniquely_named
from ocrjury.readers.spacing import as_one_line

TRUST = 1.25
"""Edits by the files' own names over those by content, up to which the names are believed."""


class Match(NamedTuple):
    """A part of a page and its right text; None if there is no reference."""

    part: Part
    reference: str | None


class Matching(NamedTuple):
    """Matches of a page, with the number of each kind, or why its parts cannot be paired.

    Kinds are ``paired`` (one with one), ``joined`` (several on a side), ``missed`` and
    ``invented``.
    """

    matches: list[Match]
    kinds: Counter[str]
    problem: str | None = None


def matched(page: Page, reference: Page | None, unit: Unit) -> Matching:
    """Parts of a page with their references.

    What was missed becomes a part without text; an invented line or word has an empty reference, a
    field without a counterpart none.
    """
    parts = parts_of(page, unit)
    if reference is None:
        return Matching([Match(part, None) for part in parts], Counter())
    right = parts_of(reference, unit)
    if unit == "page":
        return Matching([Match(parts[0], right[0].text)], Counter())
    if unit == "field":
        return _fields(parts, right)
    return _paired(parts, right, named=_named(page, unit) and _named(reference, unit))


def _fields(parts: Sequence[Part], right: Sequence[Part]) -> Matching:
    """Fields paired by their keys."""
    pairs, missed = pair_fields(parts, right)
    matches = [
        Match(part, right[pairs[place]].text if place in pairs else None)
        for place, part in enumerate(parts)
    ]
    for other in map(right.__getitem__, missed):
        part = other._replace(name=f"missed-{other.name}", text="", confidence=None)
        matches.append(Match(part, other.text))
    kinds = Counter({"paired": len(pairs), "missed": len(missed)})
    return Matching(_named_apart(matches), kinds)


def _paired(parts: Sequence[Part], right: Sequence[Part], *, named: bool) -> Matching:
    """Lines or words paired by content, or by name where the content agrees with that."""
    groups, problem = pair_lines(_snippets(right), _snippets(parts))
    by_name = _by_name(parts, right) if named else []
    if by_name:
        half = sum(distance(part.text, "") for part in right) / 2
        most = half if problem else TRUST * _edits(groups, parts, right)
        if _edits(by_name, parts, right) <= most:
            groups, problem = by_name, None
    # A line without text was neither missed nor invented, nor read without an error.
    confirmed = [group for group in groups if any(map(str.strip, _texts(group, parts, right)))]
    matches = [_match(group, parts, right) for group in confirmed]
    kinds = Counter(map(_kind, confirmed, matches))
    return Matching(_named_apart(matches), kinds, problem)


def _named_apart(matches: Sequence[Match]) -> list[Match]:
    """Matches whose parts have names of their own."""
    unique = uniquely_named(match.part for match in matches)
    return list(map(Match, unique, (match.reference for match in matches)))


def _snippets(parts: Iterable[Part]) -> list[Snippet]:
    return [Snippet(part.text, part.box) for part in parts]


def _by_name(parts: Sequence[Part], right: Sequence[Part]) -> list[Group]:
    """Parts with those of the same name; none if one has no namesake."""
    places = {part.name: place for place, part in enumerate(right)}
    if any(part.name not in places for part in parts):
        return []
    names = {part.name for part in parts}
    missed = [place for name, place in places.items() if name not in names]
    return [
        *(Group(_just(places[part.name]), _just(place)) for place, part in enumerate(parts)),
        *(Group(_just(place), range(0)) for place in missed),
    ]


def _just(place: int) -> range:
    return range(place, place + 1)


def _edits(groups: Iterable[Group], parts: Sequence[Part], right: Sequence[Part]) -> int:
    return sum(distance(*_texts(group, parts, right)) for group in groups)


def _texts(group: Group, parts: Sequence[Part], right: Sequence[Part]) -> tuple[str, str]:
    """Text of the reference and of the output, several lines joined into one."""
    return (
        as_one_line(right[place].text for place in group.reference),
        as_one_line(parts[place].text for place in group.output),
    )


def _match(group: Group, parts: Sequence[Part], right: Sequence[Part]) -> Match:
    """Group as one part with its reference."""
    reference, text = _texts(group, parts, right)
    own = [parts[place] for place in group.output]
    if not own:
        first = right[group.reference.start]
        return Match(Part(f"missed-{first.name}", "", box=first.box), reference)
    confidence = mean(part.confidence for part in own)
    box = union(part.box for part in own)
    return Match(own[0]._replace(text=text, confidence=confidence, box=box), reference)


def _kind(group: Group, match: Match) -> str:
    if not match.part.text.strip():
        return "missed"
    if not (match.reference or "").strip():
        return "invented"
    return "joined" if len(group.reference) + len(group.output) > 2 else "paired"


def _named(page: Page, unit: Unit) -> bool:
    """Return whether the file names all lines or words of a page."""
    if unit == "line":
        return all(line.name for line in page.lines)
    return all(line.words and all(word.name for word in line.words) for line in page.lines)
