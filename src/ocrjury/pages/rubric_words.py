"""Change that made a version of the rubric, in words."""

from ocrjury.language import tr
from ocrjury.pages.document_text import cut, visible


def change_text(
    change: str, *, item: str | None, dimension: str | None, level: str | None, undoes: int | None
) -> str:
    """Change that made a version.

    Parameters
    ----------
    change
        ``"opening"``, ``"case"`` for a boundary case that was added, or ``"undo"``.
    dimension
        Its title.
    undoes
        Version whose boundary case is taken back.

    Examples
    --------
    >>> about = {"item": "kr-041", "dimension": "Layout"}
    >>> change_text("case", **about, level="3", undoes=None)
    'Boundary case added: kr-041, Layout, level 3'
    >>> change_text("undo", **about, level=None, undoes=2)
    'Boundary case of version 2 taken back: kr-041, Layout'
    """
    if change == "opening":
        return tr("The rubric of the campaign")
    about = {"item": cut(visible(str(item)), 60), "dimension": visible(str(dimension))}
    if change == "case":
        return tr(
            "Boundary case added: {item}, {dimension}, level {level}",
            level=visible(str(level)),
            **about,
        )
    return tr(
        "Boundary case of version {version} taken back: {item}, {dimension}",
        version=str(undoes),
        **about,
    )
