"""Label Studio as one of the frontends: a project for every rater and round."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from ocrjury.campaign.capabilities import Capability
from ocrjury.campaign.config import Campaign
from ocrjury.campaign.guideline import guideline
from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.evaluation.case import Case
from ocrjury.frontends.ingest import OpenRound, RawRating, check_capabilities
from ocrjury.frontends.labelstudio.annotations import (
    event_id,
    last_words,
    read_answer,
    sender,
)
from ocrjury.frontends.labelstudio.labelling_config import FOLDER, labelling_config
from ocrjury.frontends.labelstudio.projects import (
    FoundProject,
    NewProject,
    ensure_project,
    ensure_tasks,
    find_projects,
    find_tasks,
    remove_tasks,
)
from ocrjury.frontends.labelstudio.rater_projects import (
    RaterProject,
    plan_projects,
    refuse_strangers,
    task_data,
)
from ocrjury.frontends.labelstudio.server import Server
from ocrjury.pages.catalogues import speaker
from ocrjury.pages.environment import render
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.audit import add_audit, noted_objects
from ocrjury.store.database import writing
from ocrjury.store.rounds import RoundRow

NAME: Literal["labelstudio"] = "labelstudio"
TAKEN_BACK = "take back"


Note = Callable[[str], None]
"""Writes down what is about to be sent, or was removed."""


def unnoted(_: str) -> None:
    """Write nothing down."""


class Published(NamedTuple):
    """Outcome of publishing for one rater; `address` is where the rater works."""

    rater: str
    address: str
    new_tasks: int
    removed_tasks: int
    open_tasks: int


@dataclass(frozen=True, slots=True)
class LabelStudioFrontend:
    """Raters work in Label Studio; ocrjury keeps the plan and believes nothing that comes back."""

    campaign: Campaign
    server: Server

    def publish(
        self, round_: OpenRound, *, now: datetime | None = None, tick: Tick = unwatched
    ) -> list[Published]:
        """Bring every rater's project to what is open now; going on where it stopped.

        With a time, the audit log notes whose projects changed.
        """
        self.lacking()
        planned, done = self.plan(round_), []
        parts = Parts(tick, len(planned))
        for wanted in planned:
            parts.begin(f"project of {wanted.rater}")
            note = unnoted if now is None else audit_of(round_, wanted, actor="flow", now=now)
            done.append(self.publish_project(round_, wanted, note=note))
        return done

    def lacking(self) -> tuple[Capability, ...]:
        """Capabilities that raters and lead do without; `InputError` if the campaign forbids it."""
        section = self.campaign.rounds.labelstudio
        allowed = section is not None and section.allow_degraded
        return check_capabilities(NAME, allow_degraded=allowed)

    def plan(self, round_: OpenRound) -> list[RaterProject]:
        """Projects that a round needs.

        `InputError` if somebody who still has to rate is no user of Label Studio.
        """
        projects = plan_projects(round_, self.server.users())
        refuse_strangers(projects)
        return projects

    def publish_project(
        self, round_: OpenRound, wanted: RaterProject, *, note: Note = unnoted
    ) -> Published:
        """Bring the project of one rater to what is open; `note` is told before tasks leave."""
        project = ensure_project(self.server, self._project(round_, wanted))
        by_key = {task.key: task for task in wanted.open}

        def data(keys: Sequence[str]) -> Iterator[dict[str, str]]:
            tasks = [by_key[key] for key in keys]
            note(f"{len(tasks)} tasks sent")
            return task_data(round_, self.campaign, wanted, wanted=tasks)

        new = ensure_tasks(self.server, project.project, list(by_key), data=data)
        withdrawn = {task.key for task in wanted.asked if task.state == "withdrawn"}
        removed = remove_tasks(self.server, project.project, withdrawn) if withdrawn else 0
        if removed:
            note(f"{removed} tasks removed")
        address = f"{self.server.url}/projects/{project.project}/"
        return Published(wanted.rater, address, new, removed, len(by_key))

    def project_numbers(self, round_: OpenRound) -> list[int]:
        """Projects of a round as Label Studio numbers them."""
        return [project.project for _, project in self._found(round_)]

    def poll(self, round_: OpenRound, *, tick: Tick = unwatched) -> Iterator[RawRating]:
        """Yield of every task the rater's newest annotation, and what others made or changed.

        Nothing is checked here: others' annotations bear another name, and ingest refuses them.
        """
        projects = list(self._found(round_))
        parts = Parts(tick, len(projects))
        for wanted, project in projects:
            parts.begin(f"project of {wanted.rater}")
            yield from self._poll(round_, wanted, project)

    def close(self, round_: OpenRound, *, now: datetime | None = None) -> list[tuple[str, int]]:
        """Take the round back: what nobody rated disappears, and the projects say so.

        Returns each rater with the number of tasks that disappeared. With a time, the audit log
        notes it last, so that a process that was stopped amid it leaves it to be done again.
        """
        gone = []
        for wanted, project in self._found(round_):
            keys = {task.key for task in wanted.asked}
            gone.append((wanted.rater, remove_tasks(self.server, project.project, keys)))
            self.server.request(
                "PATCH",
                f"/api/projects/{project.project}/",
                body={"title": f"[closed] {wanted.title}"[:50], "is_published": False},
            )
        if now is not None:
            with writing(round_.store.engine) as connection:
                line = {"actor": "flow", "object_": _place(round_.evaluation, round_.number)}
                add_audit(connection, TAKEN_BACK, **line, address=NAME, now=now)
        return gone

    def _found(self, round_: OpenRound) -> Iterator[tuple[RaterProject, FoundProject]]:
        """Yield the projects of all raters, also of those whom Label Studio does not know."""
        projects = find_projects(self.server)
        for wanted in plan_projects(round_, self.server.users()):
            for project in projects.get(wanted.key, ()):
                yield wanted, project

    def _project(self, round_: OpenRound, wanted: RaterProject) -> NewProject:
        """Project that a rater should have."""
        rubric, dimensions, language = round_.rubric, round_.dimensions, wanted.language
        return NewProject(
            key=wanted.key,
            rubric_hash=rubric.rubric_hash,
            title=wanted.title,
            label_config=labelling_config(
                rubric,
                dimensions,
                language=language,
                reference=self.campaign.rounds.page.reference == "shown",
            ),
            instruction=render(
                "labelstudio/instruction.html.j2",
                say=speaker(FOLDER, language),
                guide=guideline(rubric, dimensions, language=language),
            ),
        )

    def _poll(
        self, round_: OpenRound, wanted: RaterProject, project: FoundProject
    ) -> Iterator[RawRating]:
        """Yield the ratings in one project."""
        assignments = {publication.key: publication.assignment for publication in wanted.asked}
        for task in find_tasks(self.server, project.project):
            for annotation in last_words(task.annotations, expected=wanted.user):
                other = sender(annotation, expected=wanted.user)
                answer = read_answer(
                    annotation.get("result") or (),
                    scale=round_.rubric.scales,
                    dimensions=round_.dimensions,
                )
                yield RawRating(
                    assignment=assignments.get(task.key, task.key),
                    rater=wanted.rater if other is None else f"user {other}",
                    values=answer.values,
                    event_id=event_id(task.key, annotation),
                    rubric_hash=project.rubric_hash,
                    source=NAME,
                    where=f"project {project.project}, task {task.task}, "
                    f"annotation {annotation['id']}",
                    flags=answer.flags,
                    confidence=answer.confidence,
                    comment=answer.comment,
                    address=NAME,
                )


def left_to_take_back(case: Case) -> list[RoundRow]:
    """Closed rounds whose projects were not taken back yet, whoever closed them."""
    closed = {
        _place(case.name, row.round): row
        for row in case.rounds
        if row.frontend == NAME and row.state != "open"
    }
    if not closed:
        return []
    done = noted_objects(case.work.engine, TAKEN_BACK, objects=closed)
    return [row for place, row in closed.items() if place not in done]


def _place(evaluation: str, number: int) -> str:
    """Round as the audit log names it."""
    return f"{evaluation}/{number}"


def audit_of(round_: OpenRound, wanted: RaterProject, *, actor: str, now: datetime) -> Note:
    """Writer of lines of the audit log: what is sent to a rater's project, and by whom."""

    def note(what: str) -> None:
        with writing(round_.store.engine) as connection:
            add_audit(
                connection,
                "export",
                actor=actor,
                object_=f"{round_.evaluation}/{round_.number}/{wanted.rater}",
                address=NAME,
                now=now,
                reason=what,
            )

    return note


@contextmanager
def open_frontend(
    campaign: Campaign, environment: Mapping[str, str] | None = None
) -> Iterator[LabelStudioFrontend]:
    """Yield the frontend of a campaign, connected to its server and its token tried.

    Parameters
    ----------
    environment
        Where the token is; None: the environment of this process.

    Raises
    ------
    InputError
        If the campaign names no Label Studio server.
    MissingDependencyError
        If there is no token, nobody answers, the server is too old or refuses the token.
    """
    section = campaign.rounds.labelstudio
    if section is None:
        raise InputError(
            f"The campaign {campaign.name} names no Label Studio server. Give "
            "rounds.labelstudio: {url: http://127.0.0.1:8080, allow_degraded: true}."
        )
    variables = os.environ if environment is None else environment
    with Server(section.url, _token(variables, section.token_env)) as server:
        server.check()
        yield LabelStudioFrontend(campaign, server)


def _token(variables: Mapping[str, str], name: str) -> str:
    """Token that a variable holds."""
    token = variables.get(name, "").strip()
    if not token:
        raise MissingDependencyError(
            f"There is no token for Label Studio: {name} is not set. Make one under Account & "
            "Settings in Label Studio, and set it in the environment."
        )
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise MissingDependencyError(
            f"What {name} holds (not shown) is no token: it has spaces or characters "
            "beyond ASCII. Copy it anew from Account & Settings in Label Studio."
        )
    return token
