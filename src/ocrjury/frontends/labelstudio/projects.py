"""Bring Label Studio to what is wanted, from wherever an earlier attempt stopped.

Every step looks first: a project is found by the key in its description, a task by the key in its
data. So a step whose answer was lost is never done twice, and of two processes at once one clears
up what both have made.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from ocrjury.errors import MissingDependencyError
from ocrjury.frontends.labelstudio.server import Json, Server, UnansweredError

_MARK = re.compile(r"\[ocrjury:([0-9a-f]{32}):([0-9a-f]{64})\]")
_LOOKS = 3
T = TypeVar("T")
BATCH_TASKS, BATCH_BYTES = 50, 4_000_000


class FoundProject(NamedTuple):
    """A project that we made; `rubric_hash` is that of the rubric it shows."""

    project: int
    key: str
    rubric_hash: str


class FoundTask(NamedTuple):
    """A task of a project, with what was annotated."""

    task: int
    key: str
    annotations: Sequence[Json]

    @property
    def rated(self) -> bool:
        """Whether anybody annotated the task."""
        return bool(self.annotations)


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project before it is made."""

    key: str
    rubric_hash: str
    title: str
    label_config: str
    instruction: str

    def body(self) -> dict[str, object]:
        """Body for Label Studio."""
        return {
            "title": self.title,
            "description": "Made by ocrjury, which finds it by this line: "
            f"[ocrjury:{self.key}:{self.rubric_hash}]",
            "label_config": self.label_config,
            "expert_instruction": self.instruction,
            "show_instruction": True,
            "show_skip_button": False,
            "enable_empty_annotation": False,
            "show_annotation_history": False,
            "show_collab_predictions": False,
            "evaluate_predictions_automatically": False,
            "sampling": "Sequential sampling",
            "maximum_annotations": 1,
        }


def find_projects(server: Server) -> dict[str, list[FoundProject]]:
    """Projects that we made, by their keys, the oldest first."""
    projects: dict[str, list[FoundProject]] = {}
    for listed in server.projects():
        if mark := _MARK.search(listed.get("description") or ""):
            project = FoundProject(int(listed["id"]), mark[1], mark[2])
            projects.setdefault(project.key, []).append(project)
    return {key: sorted(those) for key, those in projects.items()}


def ensure_project(server: Server, wanted: NewProject) -> FoundProject:
    """Find the project with a key; make it where it is absent."""

    def look() -> FoundProject | None:
        those = find_projects(server).get(wanted.key)
        return those[0] if those else None

    def make() -> None:
        made = int(server.request("POST", "/api/projects/", body=wanted.body())["id"])
        first = look()
        if first is not None and first.project != made:
            # Another process was quicker; ours is still empty.
            server.request("DELETE", f"/api/projects/{made}/")

    return _until_there(server, look, make)


def ensure_tasks(
    server: Server,
    project: int,
    wanted: Sequence[str],
    *,
    data: Callable[[Sequence[str]], Iterator[dict[str, str]]],
) -> int:
    """Put tasks into a project in this order, those that are not there; return how many.

    `wanted` are their keys; `data` makes the data of tasks from keys.
    """
    seen: list[set[str]] = []

    def look() -> bool | None:
        seen.append(_without_doubles(server, project).intersection(wanted))
        return True if seen[-1].issuperset(wanted) else None

    def make() -> None:
        left = [key for key in wanted if key not in seen[-1]]
        for batch in _batches(data(left)):
            server.request("POST", f"/api/projects/{project}/import", body=batch)

    _until_there(server, look, make)
    return len(seen[-1]) - len(seen[0])


def find_tasks(server: Server, project: int) -> list[FoundTask]:
    """Tasks of a project that we made, the oldest first."""
    return [
        FoundTask(int(task["id"]), str(task["data"]["key"]), task.get("annotations") or ())
        for task in server.tasks(project)
        if isinstance(task.get("data"), dict) and "key" in task["data"]
    ]


def remove_tasks(server: Server, project: int, keys: set[str]) -> int:
    """Remove tasks that nobody annotated; return how many."""
    gone = [task for task in find_tasks(server, project) if task.key in keys and not task.rated]
    for task in gone:
        server.request("DELETE", f"/api/tasks/{task.task}/")
    return len(gone)


def _without_doubles(server: Server, project: int) -> set[str]:
    """Remove tasks that stand twice and nobody annotated; return the keys that are left."""
    keys: set[str] = set()
    # What is annotated stays; of the rest the oldest.
    for task in sorted(find_tasks(server, project), key=lambda task: (not task.rated, task.task)):
        if task.key in keys and not task.rated:
            server.request("DELETE", f"/api/tasks/{task.task}/")
        keys.add(task.key)
    return keys


def _until_there(server: Server, look: Callable[[], T | None], make: Callable[[], None]) -> T:
    """Find an object; make it where it is absent, and look again."""
    pause = server.pause
    for _ in range(_LOOKS):
        answer = look()
        if answer is not None:
            return answer
        try:
            make()
        except UnansweredError:
            time.sleep(pause)
            pause *= 2
    answer = look()
    if answer is None:
        raise MissingDependencyError(
            f"Label Studio at {server.url} does not keep what it is sent. Look at its log, then "
            "publish again; it goes on where it stopped."
        )
    return answer


def _batches(tasks: Iterator[dict[str, str]]) -> Iterator[list[dict[str, object]]]:
    """Yield tasks in bodies of a size that a small server takes."""
    batch: list[dict[str, object]] = []
    size = 0
    for data in tasks:
        length = len(json.dumps(data))
        if batch and (len(batch) == BATCH_TASKS or size + length > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append({"data": data})
        size += length
    if batch:
        yield batch
