"""Projects that Label Studio has to have: one for each rater of a round, tasks in order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Self

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.guideline import guideline
from ocrjury.campaign.settings import Settings
from ocrjury.errors import InputError
from ocrjury.frontends.ingest import OpenRound
from ocrjury.frontends.labelstudio.labelling_config import ABOUT, FOLDER, language_of
from ocrjury.frontends.labelstudio.pictures import picture_of
from ocrjury.pages.catalogues import Say, speaker
from ocrjury.pages.document_text import harmless
from ocrjury.pages.page_images import find_image, image_hash
from ocrjury.store.documents import SampledItem, list_items
from ocrjury.store.evaluations import Evaluation, read_evaluation
from ocrjury.store.raters import list_raters
from ocrjury.store.rubric_versions import opening_rubric
from ocrjury.store.shown_images import ShownImage, note_shown

_SIZE = 16


@dataclass(frozen=True, slots=True)
class OpaqueKeys:
    """The keys of one evaluation; the same at every time and on every machine with its store.

    Examples
    --------
    >>> keys = OpaqueKeys(bytes(32))
    >>> keys.of("claims-2026w47/1/R01/0/d7")
    '019c031f46a26b342b7d62c69ff1e89b'
    """

    secret: bytes

    @classmethod
    def of_evaluation(cls, row: Evaluation) -> Self:
        """Keys of an evaluation."""
        facts = (row.evaluation, row.config_hash, row.rubric_hash, row.seed, row.opened_at)
        return cls(blake2b(repr(facts).encode(), digest_size=32).digest())

    def of(self, *parts: str) -> str:
        """Key of an assignment, or of whatever the parts name together."""
        text = "\n".join(parts).encode()
        return blake2b(text, key=self.secret, digest_size=_SIZE).hexdigest()


NOBODY = 0
"""The number of no user."""
_LONGEST_TITLE = 50
"""Length limit of Label Studio for a title."""


class Asked(NamedTuple):
    """An assignment with the key of its task."""

    key: str
    assignment: str
    item: str
    state: str


@dataclass(frozen=True, slots=True)
class RaterProject:
    """The project of one rater in one round.

    Attributes
    ----------
    key
        By which the project is found again.
    user
        The rater's number in Label Studio.
    asked
        The rater's assignments in the order in which they are to be rated.
    """

    rater: str
    key: str
    title: str
    language: str
    email: str
    user: int
    asked: tuple[Asked, ...]

    @property
    def open(self) -> tuple[Asked, ...]:
        """Assignments still to be rated."""
        return tuple(task for task in self.asked if task.state == "open")


def plan_projects(round_: OpenRound, users: Mapping[str, int]) -> list[RaterProject]:
    """Projects of a round, rater by rater.

    `users` are the numbers of Label Studio's users by email address in lower case; a rater who
    is none of them is `NOBODY`.
    """
    keys = OpaqueKeys.of_evaluation(_as_opened(round_))
    projects: dict[str, list[Asked]] = {}
    for row in round_.assignments():
        task = Asked(keys.of(row.assignment), row.assignment, row.item, row.state)
        projects.setdefault(row.rater, []).append(task)
    return [
        RaterProject(
            rater=person.pseudonym,
            key=keys.of("project", round_.evaluation, str(round_.number), person.pseudonym),
            title=_title(round_, person.pseudonym),
            language=language_of(person.languages),
            email=person.email,
            user=users.get(person.email.casefold(), NOBODY),
            asked=tuple(projects[person.pseudonym]),
        )
        for person in list_raters(round_.store.engine, projects, evaluation=round_.evaluation)
    ]


def _as_opened(round_: OpenRound) -> Evaluation:
    """Evaluation with the rubric that it opened with, so that keys of all rounds stay."""
    engine = round_.store.engine
    row = read_evaluation(engine, round_.evaluation)
    return replace(row, rubric_hash=opening_rubric(engine, row.evaluation, current=row.rubric_hash))


def task_data(
    round_: OpenRound, campaign: Campaign, project: RaterProject, *, wanted: Sequence[Asked]
) -> Iterator[dict[str, str]]:
    """Yield what a rater may see of each item: neither its name nor its system nor its scores.

    Gold and second ratings look like everything else.
    """
    section, say = campaign.rounds.labelstudio, speaker(FOLDER, project.language)
    items = {item.item: item for item in list_items(round_.store.engine, round_.evaluation)}
    for task in wanted:
        item = items[task.item]
        if section is None or section.images is None:  # else browsers fetch it elsewhere
            _note_image(round_, campaign, item)
        yield {
            "key": task.key,
            ABOUT: _about(item, round_, language=project.language),
            **(_reference(item, say) if campaign.rounds.page.reference == "shown" else {}),
            "hypothesis": str(harmless(item.hypothesis)) or say("empty"),
            "image": picture_of(
                item.image_uri,
                item.box,
                item.masks,
                folder=campaign.images_location,
                address=section.images if section else None,
            ),
        }


def _reference(item: SampledItem, say: Say) -> dict[str, str]:
    """Reference of a task, or that there is none."""
    text = say("no_reference") if item.reference is None else item.reference
    return {"reference": str(harmless(text)) or say("empty")}


def _about(item: SampledItem, round_: OpenRound, *, language: str) -> str:
    """Document type, field name and kind, and the rules for fields of this kind.

    Nothing is computed about the field: the table of tasks shows whatever a task holds before
    anybody rates it.
    """
    kind = item.kind or ("page" if item.box is None else "place")
    facts = (item.doc_type, item.field, speaker("rating", language)(f"kind_{kind}"))
    rules = guideline(round_.rubric, round_.dimensions, language=language).rules
    sentences = [rule.sentence for rule in rules if rule.rule.kind == item.kind]
    return str(harmless("\n".join([" · ".join(filter(None, facts)), *sentences])))


def _note_image(round_: OpenRound, campaign: Campaign, item: SampledItem) -> None:
    """Keep that the image in a task is not the one that was drawn; without any there is no task."""
    path = find_image([Path(campaign.images_location)], item.image_uri)
    if path is not None:
        image = ShownImage(item.doc_id, item.image_sha256, image_hash(path))
        now = Settings.from_environment().now()
        note_shown(round_.store.engine, round_.evaluation, [image], now=now)


def refuse_strangers(projects: Sequence[RaterProject]) -> None:
    """Raise an `InputError` that names all who have to rate and are no users of Label Studio."""
    missing = [project for project in projects if project.open and project.user == NOBODY]
    unnamed = [project.rater for project in missing if not project.email]
    unknown = [project.rater for project in missing if project.email]
    problems = []
    if unnamed:
        problems.append(f"{', '.join(unnamed)} without an email address in the rater registry")
    if unknown:
        problems.append(f"no user in Label Studio with the email address of {', '.join(unknown)}")
    if problems:
        raise InputError(
            f"Raters are found in Label Studio by their email addresses; found "
            f"{' and '.join(problems)}. Invite them (Organization, Add Members) or fix the "
            "registry, then publish again."
        )


def _title(round_: OpenRound, rater: str) -> str:
    """Title of a project, as long as Label Studio takes."""
    end = f" r{round_.number} {rater}"
    return round_.evaluation[: _LONGEST_TITLE - len(end)] + end
