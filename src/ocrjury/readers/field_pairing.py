"""Pairing of two pages' typed fields by their keys, of which several may be the same."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocrjury.readers.parts import Part


class _Field(NamedTuple):
    place: int
    text: str


def pair_fields(parts: Sequence[Part], right: Sequence[Part]) -> tuple[dict[int, int], list[int]]:
    """Place in the reference of each field that has one, and places of those that were missed.

    A field of the reference is missed if it has a text and nothing of its key is left for it.
    None is where the two pages have no key in common, since two services name keys differently.

    Examples
    --------
    >>> page = [Part("pair-1", "1,000", label="금액"), Part("pair-2", "2,000", label="금액")]
    >>> pair_fields(page[1:], [*page, Part("pair-3", "홍길동", label="이름")])
    ({0: 1}, [0, 2])
    """
    others = _by_key(right)
    pairs = {
        field.place: other.place
        for key, own in _by_key(parts).items()
        for field, other in _of_one_key(own, others.get(key, []))
    }
    if parts and not pairs:
        return {}, []
    taken = set(pairs.values())
    missed = [place for place, part in enumerate(right) if part.text and place not in taken]
    return pairs, missed


def _by_key(parts: Sequence[Part]) -> dict[str, list[_Field]]:
    """Fields of each key: its label without white space, final colons and case."""
    by_key: dict[str, list[_Field]] = {}
    for place, part in enumerate(parts):
        key = "".join(part.label.split()).rstrip(":：").casefold()
        by_key.setdefault(key, []).append(_Field(place, part.text))
    return by_key


def _of_one_key(own: list[_Field], others: list[_Field]) -> Iterator[tuple[_Field, _Field]]:
    """Yield pairs in turn; where one side has more fields, those of the same text first."""
    if len(own) == len(others):
        yield from zip(own, others, strict=True)
        return
    by_text: dict[str, deque[_Field]] = {}
    for other in others:
        by_text.setdefault(other.text, deque()).append(other)
    same = {field: by_text[field.text].popleft() for field in own if by_text.get(field.text)}
    yield from same.items()
    taken = set(same.values())
    yield from zip(
        (field for field in own if field not in same),
        (other for other in others if other not in taken),
        strict=False,
    )
