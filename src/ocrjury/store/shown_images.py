"""Images that changed or went after the draw, as raters saw them or did not."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading, writing
from ocrjury.store.locks import StoreLock, take
from ocrjury.store.rows import add_rows
from ocrjury.store.schema.material import shown_images

_NONE = ""
"""Stands for the hash where there was nothing to show."""


class ShownImage(NamedTuple):
    """The image of a document at the draw, and the one that a rater was to see.

    Both are hashes of files; None where there was none, or none that could be read.
    """

    doc_id: str
    drawn: str | None
    shown: str | None

    @property
    def changed(self) -> bool:
        """Whether a rater saw another image, or none; what was unknown cannot have changed."""
        return self.shown is None or self.drawn not in {None, self.shown}


class ChangedImages(NamedTuple):
    """Documents that were shown with another image than was drawn, and with none, by name."""

    other: tuple[str, ...] = ()
    none: tuple[str, ...] = ()


UNCHANGED = ChangedImages()


def note_shown(
    engine: Engine, evaluation: str, images: Iterable[ShownImage], *, now: datetime
) -> None:
    """Keep what was shown in place of an image of the draw, each once."""
    changed = {(image.doc_id, image.shown or _NONE) for image in images if image.changed}
    if not changed:
        return
    with reading(engine) as connection:  # it is nearly always known already
        if not changed - _known(connection, evaluation):
            return
    with writing(engine) as connection:
        take(connection, StoreLock.SHOWN_IMAGES)
        fresh = sorted(changed - _known(connection, evaluation))
        rows = [
            {"evaluation": evaluation, "doc_id": doc_id, "sha256": sha256, "at": now}
            for doc_id, sha256 in fresh
        ]
        add_rows(connection, shown_images, rows)


def changed_images(engine: Engine, evaluation: str) -> ChangedImages:
    """Documents of an evaluation whose images changed since the draw, as raters saw them."""
    with reading(engine) as connection:
        return _changed(_known(connection, evaluation))


def list_changed_images(engine: Engine) -> dict[str, ChangedImages]:
    """Result of `changed_images` for every evaluation in which an image changed."""
    columns = [shown_images.c[name] for name in ("evaluation", "doc_id", "sha256")]
    known: dict[str, set[tuple[str, str]]] = {}
    with reading(engine) as connection:
        for evaluation, *image in connection.execute(sa.select(*columns)):
            known.setdefault(evaluation, set()).add((image[0], image[1]))
    return {evaluation: _changed(images) for evaluation, images in known.items()}


def _changed(known: set[tuple[str, str]]) -> ChangedImages:
    other = {doc_id for doc_id, sha256 in known if sha256 != _NONE}
    none = {doc_id for doc_id, sha256 in known if sha256 == _NONE}
    return ChangedImages(tuple(sorted(other)), tuple(sorted(none)))


def _known(connection: Connection, evaluation: str) -> set[tuple[str, str]]:
    query = sa.select(shown_images.c.doc_id, shown_images.c.sha256).where(
        shown_images.c.evaluation == evaluation
    )
    return set(connection.execute(query).tuples())
