"""Actions after a verdict in words: those that are alike on several dimensions, once."""

from collections.abc import Callable, Sequence

from ocrjury.gate.verdict import Action
from ocrjury.language import said, tr
from ocrjury.pages.numbers import listing
from ocrjury.sentences import changed


def action_texts(actions: Sequence[Action], name: Callable[[str], str] = str) -> list[str]:
    """Sentences on what to do, in order.

    Parameters
    ----------
    name
        Gives the printed name of a dimension.

    Examples
    --------
    >>> from ocrjury.language import phrase
    >>> text = "Collect {n} items on {dimension}."
    >>> actions = [
    ...     Action("collect_items", phrase(text, n=n, dimension=dimension), dimension, items=n)
    ...     for n, dimension in ((7, "meaning"), (9, "layout"))
    ... ]
    >>> action_texts(actions, str.title)
    ['Collect 9 items on Meaning and Layout.']
    """
    return [action_text(same, name) for same in alike(actions)]


def alike(actions: Sequence[Action]) -> list[list[Action]]:
    """Actions that say the same of one dimension or several, those of each text together."""
    groups: dict[tuple[object, ...], list[Action]] = {}
    for action in actions:
        # Items that are collected are rated on every dimension: the most are enough for all.
        same = action.kind if action.kind == "collect_items" else _without_place(action.text)
        groups.setdefault((action.kind, action.rater, same), []).append(action)
    return list(groups.values())


def _without_place(text: str) -> str:
    """Text of an action without its dimension, and how many of the items there show a sign."""
    return str(changed(changed(text, "dimension", lambda _: ""), "n", lambda _: ""))


def action_text(same: Sequence[Action], name: Callable[[str], str]) -> str:
    """Sentence on actions that are alike, on however many dimensions."""
    most, dimensions = largest(same), dimensions_of(same)
    if len(dimensions) < 2:
        return str(said(changed(most.text, "dimension", name)))
    names = listing([name(dimension) for dimension in dimensions])
    text = changed(most.text, "dimension", lambda _: names)
    if most.kind == "discuss" and len({action.items for action in same}) > 1:
        text = changed(text, "n", lambda n: tr("up to {n}", n=n))
    return str(said(text))


def largest(same: Sequence[Action]) -> Action:
    """The action that is about most items."""
    return max(same, key=lambda action: action.items or 0)


def dimensions_of(same: Sequence[Action]) -> list[str]:
    """Dimensions of actions, each once."""
    return list(dict.fromkeys(action.dimension for action in same if action.dimension))
