"""Shortages of people in a registry who may rate the documents: by reason, not by item."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Final, NamedTuple

from ocrjury.campaign.problems import listed
from ocrjury.campaign.registry import RaterEntry, eligible, named_skills

MOST_NAMES: Final = 8


class Documents(NamedTuple):
    """Documents that are alike for raters."""

    language: str | None
    doc_type: str | None


def list_shortages(
    people: Sequence[RaterEntry],
    documents: Mapping[Documents, int],
    *,
    wanted: int,
    on: date,
    dropped: Sequence[str] = (),
) -> list[str]:
    """Sentences about documents that fewer people may rate than are wanted; none if all is well.

    Parameters
    ----------
    people
        Those of one role, such as raters.
    documents
        Number of documents of each kind.
    wanted
        Raters of a document.
    on
        The day, in the campaign's time zone.
    dropped
        Pseudonyms of those of the registry who are not among the people any more.

    Examples
    --------
    >>> people = [RaterEntry("R01", languages=("en",)), RaterEntry("R02", languages=("ko",))]
    >>> for sentence in list_shortages(
    ...     people, {Documents("ko-KR", None): 40}, wanted=2, on=date(2026, 11, 20)
    ... ):
    ...     print(f"{sentence[:85]}...")
    Only R02 reads 'ko-KR', the language of 40 documents; 2 raters are wanted. Add it to ...
    """
    skilled = named_skills(people)
    present = _able(people, Documents(None, None), on=on)
    if len(present) < wanted:
        return [_too_few(present, people, wanted=wanted, dropped=dropped)]
    by_language = _counted(documents, lambda kind: kind.language)
    short = {
        language: readers
        for language in by_language
        if len(readers := _able(present, Documents(language, None), on=on)) < wanted
    }
    sentences = [
        _about(
            ("reads", "read"),
            f"{language!r}, the language of {_documents(by_language[language])}",
            short[language],
            wanted=wanted,
            remedy="Add it to the languages of more people in raters.csv.",
        )
        for language in short
    ]
    rest = {kind: number for kind, number in documents.items() if kind.language not in short}
    able = partial(_able, present, on=on, skilled=skilled)
    return [*sentences, *_by_type(rest, able, wanted)]


def too_little_capacity(
    people: Sequence[RaterEntry], documents: Mapping[Documents, int], *, ratings: int, on: date
) -> list[str]:
    """Sentences about capacities that do not hold a round of so many ratings; none if they do.

    Ratings fall to languages and types of documents in proportion to their numbers.

    Examples
    --------
    >>> people = [RaterEntry("R01", languages=("ko",), capacity=10), RaterEntry("R02")]
    >>> too_little_capacity(
    ...     people[:1], {Documents("ko", None): 40}, ratings=40, on=date(2026, 11, 20)
    ... )[0][:83]
    'A round asks for 40 ratings; the capacities of the 1 rater in raters.csv hold 10. R'
    >>> too_little_capacity(people, {Documents("ko", None): 40}, ratings=40, on=date(2026, 11, 20))
    []
    """
    skilled = named_skills(people)
    able = _able_to_any(people, documents, on=on, skilled=skilled)
    held = _capacity(able)
    if held is not None and held < ratings:
        whose = "in raters.csv" if len(able) == len(people) else "who may rate its documents"
        return [
            (
                f"A round asks for {ratings:,} ratings; the capacities of the {_raters(able)} "
                f"{whose} hold {held:,}. Raise capacity, add raters, or lower sampling.n or "
                "raters.per_item."
            )
        ]
    share = ratings / max(sum(documents.values()), 1)
    return [
        sentence
        for about, kinds in _groups(documents)
        if (sentence := _full(people, about, kinds, share=share, on=on, skilled=skilled))
    ]


def _groups(documents: Mapping[Documents, int]) -> Iterator[tuple[str, Mapping[Documents, int]]]:
    """Documents of each language and of each type, and what they are called."""
    for language in dict.fromkeys(kind.language for kind in documents if kind.language):
        own = {kind: n for kind, n in documents.items() if kind.language == language}
        yield f"in the language {language!r}", own
    for doc_type in dict.fromkeys(kind.doc_type for kind in documents if kind.doc_type):
        own = {kind: n for kind, n in documents.items() if kind.doc_type == doc_type}
        yield f"of the type {doc_type!r}", own


def _full(
    people: Sequence[RaterEntry],
    about: str,
    kinds: Mapping[Documents, int],
    *,
    share: float,
    on: date,
    skilled: frozenset[str],
) -> str | None:
    """Sentence about documents whose raters have too little capacity, None if they have enough."""
    raters = _able_to_any(people, kinds, on=on, skilled=skilled)
    demand = round(share * sum(kinds.values()))
    held = _capacity(raters)
    if held is None or held >= demand:
        return None
    return (
        f"About {demand:,} ratings of a round are on documents {about}; the capacities of the "
        f"{_raters(raters)} who may rate them hold {held:,}. Raise capacity, or let more raters "
        "rate them."
    )


def _capacity(people: Sequence[RaterEntry]) -> int | None:
    """Ratings that people can give together; None without a limit, or where there is nobody."""
    limits = [entry.capacity for entry in people]
    return None if not people or None in limits else sum(filter(None, limits))


def _raters(people: Sequence[RaterEntry]) -> str:
    return f"{len(people)} rater{'' if len(people) == 1 else 's'}"


def _able(
    people: Sequence[RaterEntry],
    kind: Documents,
    *,
    on: date,
    skilled: frozenset[str] = frozenset(),
) -> list[RaterEntry]:
    """People who may rate documents of a kind."""
    facts = {"doc_type": kind.doc_type, "language": kind.language}
    return [
        entry for entry in people if eligible(entry, **facts, doc_id="", on=on, skilled=skilled)
    ]


def _able_to_any(
    people: Sequence[RaterEntry],
    kinds: Mapping[Documents, int],
    *,
    on: date,
    skilled: frozenset[str],
) -> list[RaterEntry]:
    """People who may rate documents of at least one of some kinds."""
    able = {
        entry.pseudonym: entry
        for kind in kinds
        for entry in _able(people, kind, on=on, skilled=skilled)
    }
    return list(able.values())


def _by_type(
    documents: Mapping[Documents, int],
    able: Callable[[Documents], list[RaterEntry]],
    wanted: int,
) -> Iterator[str]:
    """Sentences about types of documents that need a skill, or are somebody's conflict."""
    short: dict[str | None, list[RaterEntry]] = {}
    for kind in documents:
        if len(raters := able(kind)) < wanted:
            short.setdefault(kind.doc_type, raters)
    by_type = _counted(documents, lambda kind: kind.doc_type)
    for doc_type, raters in short.items():
        yield _about(
            ("may rate", "may rate"),
            f"documents of the type {doc_type!r} ({_documents(by_type[doc_type])}), by "
            "languages, skills and conflicts",
            raters,
            wanted=wanted,
            remedy="Change those of more people in raters.csv.",
        )


def _too_few(
    present: Sequence[RaterEntry],
    people: Sequence[RaterEntry],
    *,
    wanted: int,
    dropped: Sequence[str],
) -> str:
    """Sentence about a registry with too few people for any document."""
    away = len(people) - len(present)
    absent = f", {away} of them absent today" if away else ""
    gone = f" without {listed(dropped)} (dropped)" if dropped else ""
    return (
        f"{wanted} raters of a document are wanted; raters.csv has {len(people)} of that "
        f"role{gone}{absent}. Add people, or lower raters.per_item."
    )


def _about(
    verbs: tuple[str, str], what: str, raters: Sequence[RaterEntry], *, wanted: int, remedy: str
) -> str:
    """Sentence on a shortage; the verbs are those of one rater and of several."""
    names = [entry.pseudonym for entry in raters[:MOST_NAMES]]
    who = f"Only {listed(names)}" if names else "No rater"
    need = f"; {wanted} raters are wanted" if raters else ""
    return f"{who} {verbs[len(raters) > 1]} {what}{need}. {remedy}"


def _counted(
    documents: Mapping[Documents, int], key: Callable[[Documents], str | None]
) -> Mapping[str | None, int]:
    counts: Counter[str | None] = Counter()
    for kind, number in documents.items():
        counts[key(kind)] += number
    return counts


def _documents(number: int) -> str:
    return f"{number:,} document{'' if number == 1 else 's'}"


def too_few_to_practise_on(wanted: int, *, gold: int | None, others: int) -> str:
    """Sentence about a pilot of more items than there are outside the sample.

    Parameters
    ----------
    gold
        None where the draw decides how many of the others are gold.
    """
    left = f"{gold} gold documents and {others} others"
    if gold is None:
        left = f"{others} documents, gold among them,"
    return (
        f"the pilot asks for {wanted} items, but only {left} are left outside the sample. Lower "
        "rounds.pilot.items or sampling.n, or name more gold."
    )
