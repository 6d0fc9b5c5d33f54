"""The rubric's versions as the desk shows them, and the boundary cases that leads add."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ocrjury.campaign.boundary_cases import (
    CaseText,
    languages_of,
    offered_levels,
    rubric_yaml,
)
from ocrjury.campaign.guideline import DimensionGuide, guideline, level_text
from ocrjury.campaign.rubric import Example, Rubric
from ocrjury.campaign.texts import ANY_LANGUAGE, in_language
from ocrjury.errors import StateError
from ocrjury.frontends.web.access.leads import Lead
from ocrjury.frontends.web.access.people import note
from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.live_pages import look
from ocrjury.frontends.web.desk.rubric_bodies import (
    CaseBody,
    RubricBody,
    RubricVersionBody,
    UndoCaseBody,
)
from ocrjury.language import language, tr
from ocrjury.store.database import writing
from ocrjury.store.evaluations import Evaluation
from ocrjury.store.rubric_counts import count_by_rubric
from ocrjury.store.rubric_versions import (
    NewCase,
    RubricVersion,
    add_case,
    cases_in_force,
    example_of,
    list_rubric_versions,
    undo_case,
)

RULING: Final = "="
"""Between a dimension and a level, in the value of a choice."""


class SeenCase(NamedTuple):
    """A boundary case of the newest version; `version` is that which added it, None the first."""

    case: str
    advice: str
    level: str
    dimension: str | None
    example: Example | None
    version: int | None
    item: str | None


class Choice(NamedTuple):
    """A dimension with its levels, each as its value in the form and as its name."""

    title: str
    levels: Sequence[tuple[str, str]]


def see_rubric(lead: Lead, row: Evaluation) -> RubricBody:
    """Versions of the rubric of an evaluation; who looked at them is noted."""
    engine, name = lead.site.store.engine, row.evaluation
    versions = list_rubric_versions(engine, name)
    counts: Counter[str] = Counter()
    for count in count_by_rubric(engine, name):
        counts[count.rubric_hash] += count.ratings
    look(lead, "view rubric", evaluation=name)
    rubric = _newest(lead, name, versions)
    return RubricBody(
        in_force=max(
            (version.version for version in versions if version.rubric_hash == row.rubric_hash),
            default=1,
        ),
        newest=versions[-1].version if versions else 1,
        versions=[_body(version, counts) for version in versions] or [_first(row, counts)],
        rubric=rubric.to_json(),
    )


def seen_cases(lead: Lead, name: str) -> list[SeenCase]:
    """Boundary cases of the newest version in the lead's language."""
    versions = list_rubric_versions(lead.site.store.engine, name)
    added = {boundary.case.model_dump_json(): boundary for boundary in cases_in_force(versions)}
    cases = []
    for case in _newest(lead, name, versions).boundary_cases:
        of = added.get(case.model_dump_json())
        cases.append(
            SeenCase(
                in_language(case.case, language()) or "",
                in_language(case.advice or {}, language()) or "",
                level_text(case.level),
                case.dimension,
                case.example,
                of and of.version,
                of and of.item,
            )
        )
    return cases


def decided_items(lead: Lead, name: str) -> dict[str, int]:
    """Version that made an item a boundary case which the newest has, by item."""
    versions = list_rubric_versions(lead.site.store.engine, name)
    return {str(case.item): case.version for case in cases_in_force(versions)}


def choices(rubric: Rubric) -> list[Choice]:
    """Levels that a boundary case can have."""
    names = [dimension.name for dimension in rubric.dimensions]
    guides = guideline(rubric, names, language=language()).dimensions
    return [Choice(guide.title, _levels(rubric, guide)) for guide in guides]


def text_languages(rubric: Rubric) -> list[str]:
    """Languages in which a boundary case is written; one text is for all where there is none."""
    return languages_of(rubric) or [ANY_LANGUAGE]


def add_boundary_case(lead: Lead, name: str, body: CaseBody) -> int:
    """Add a boundary case and return the number of the new version.

    `Trouble` if the item or the rubric does not take it.
    """
    site = lead.site
    try:
        with writing(site.store.engine) as connection:
            example = example_of(
                connection,
                name,
                body.item,
                reference=body.reference,
                hypothesis=body.hypothesis,
            )
            text = CaseText(_plain(body.case), _plain(body.advice or {}), example)
            new = NewCase(body.item, body.dimension, body.level, text, body.reason, lead.who)
            return add_case(connection, name, new, address=lead.address, now=site.now())
    except StateError as error:
        raise Trouble(409, "refused", error.args[0]) from error


def take_case_back(lead: Lead, name: str, body: UndoCaseBody) -> int:
    """Take a boundary case back and return the number of the new version.

    `Trouble` if there is nothing to take back.
    """
    site = lead.site
    try:
        with writing(site.store.engine) as connection:
            return undo_case(
                connection,
                name,
                body.version,
                reason=body.reason,
                actor=lead.who,
                address=lead.address,
                now=site.now(),
            )
    except StateError as error:
        raise Trouble(409, "refused", error.args[0]) from error


def rubric_file(lead: Lead, name: str) -> str:
    """Newest version as a file for a campaign; who took it is noted."""
    versions = list_rubric_versions(lead.site.store.engine, name)
    newest = versions[-1].version if versions else 1
    with writing(lead.site.store.engine) as connection:
        note(connection, lead, "export", target=f"{name} rubric version {newest}")
    title = tr("Rubric of {evaluation}, version {version}", evaluation=name, version=newest)
    return rubric_yaml(_newest(lead, name, versions), title=title)


def _newest(lead: Lead, name: str, versions: Sequence[RubricVersion]) -> Rubric:
    return versions[-1].rubric if versions else lead.site.campaign(name).rubric


def _body(version: RubricVersion, counts: Mapping[str, int]) -> RubricVersionBody:
    """A version for the page and for programs."""
    facts = {key: value for key, value in version._asdict().items() if key != "body"}
    known = counts.get(version.rubric_hash, 0)
    return RubricVersionBody(**facts, level=version.level, ratings=known)


def _first(row: Evaluation, counts: Mapping[str, int]) -> RubricVersionBody:
    """The only version of a rubric that nobody changed."""
    nothing = dict.fromkeys(("undoes", "item", "dimension", "level"))
    return RubricVersionBody(
        version=1,
        rubric_hash=row.rubric_hash,
        change="opening",
        reason="",
        actor="",
        at=row.opened_at,
        ratings=counts.get(row.rubric_hash, 0),
        **nothing,
    )


def _levels(rubric: Rubric, guide: DimensionGuide) -> list[tuple[str, str]]:
    levels = [level_text(level) for level in offered_levels(rubric.scales[guide.name])]
    return [
        (
            f"{guide.name}{RULING}{level}",
            " · ".join(filter(None, (level, guide.anchors.get(level, "")))),
        )
        for level in levels
    ]


def _plain(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts by language with the line ends of other texts, without those that say nothing."""
    plain = {language: text.replace("\r\n", "\n").strip() for language, text in texts.items()}
    return {language: text for language, text in plain.items() if text}
