"""Several outputs of one page as their page shows them: one image, one reference, A and B."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ocrjury.campaign.config import Campaign
from ocrjury.frontends.web.item_view import Chosen, DimensionView, ItemView, view_item
from ocrjury.frontends.web.marked_texts import MarkedTexts, TextPiece, mark_texts
from ocrjury.frontends.web.pairs import PREFERENCE, Outputs, of_output

_SHORT = 160


@dataclass(frozen=True, slots=True)
class OutputView:
    """What one system read, under its letter."""

    letter: str
    text: Sequence[TextPiece]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A dimension, and the answers about every output on it, by letter."""

    asked: DimensionView
    answers: Sequence[tuple[str, DimensionView]]


@dataclass(frozen=True, slots=True)
class PairView:
    """What the template of a pair prints.

    Attributes
    ----------
    first
        The first output as an item: what is the same for all.
    image
        The output whose image and place are shown.
    reference
        The reference without marks, which are in every output; None where there is none to show.
    choices
        What can be preferred: a letter, or None for no difference; empty where nobody asks.
    preferred
        The number of the chosen one from 1, None without one; `undecided`: cannot judge.
    """

    first: ItemView
    image: ItemView
    reference: Sequence[TextPiece] | None
    outputs: Sequence[OutputView]
    questions: Sequence[QuestionView]
    choices: Sequence[str | None]
    preferred: int | None
    undecided: bool

    @property
    def marked(self) -> bool:
        """Return whether differences can be shown."""
        return self.reference is not None and self.first.page.diff != "hidden"

    @property
    def one_line(self) -> bool:
        """Return whether all texts are short enough to stand above each other."""
        pieces = [*(self.reference or ()), *(one for text in self.outputs for one in text.text)]
        return sum(len(one.text) for one in pieces) <= _SHORT * len(self.outputs) and not any(
            "\n" in one.text for one in pieces
        )


def view_pair(
    outputs: Outputs, visits: Sequence[str], chosen: Chosen, *, campaign: Campaign, language: str
) -> PairView:
    """Return the outputs of a page for their page; `visits` name the visit of each."""
    page = campaign.rounds.page
    views = [
        view_item(
            task,
            visit,
            replace(
                chosen,
                values=of_output(chosen.values or {}, letter),
                flags=of_output(chosen.flags or {}, letter),
            ),
            rubric=campaign.rubric,
            page=page,
            language=language,
        )
        for (letter, task), visit in zip(outputs.by_letter.items(), visits, strict=True)
    ]
    preferred = (chosen.values or {}).get(PREFERENCE)
    shown = outputs.tasks[0].reference if page.reference == "shown" else None
    texts = [
        merged(view.texts)
        if page.diff != "hidden"
        else mark_texts(None, task.hypothesis).hypothesis
        for view, task in zip(views, outputs.tasks, strict=True)
    ]
    return PairView(
        first=views[0],
        image=next((one for one in views if one.has_image), views[0]),
        reference=None if shown is None else mark_texts(None, shown).hypothesis,
        outputs=[OutputView(*one) for one in zip(outputs.letters, texts, strict=True)],
        questions=_questions(outputs.letters, views),
        choices=outputs.choices if page.preference else [],
        preferred=None if preferred is None else int(preferred),
        undecided=PREFERENCE in (chosen.flags or {}),
    )


def merged(texts: MarkedTexts) -> list[TextPiece]:
    """Return an output with what is missing from it in its place.

    Examples
    --------
    >>> [(piece.mark, piece.text) for piece in merged(mark_texts("abcdef", "axdef!"))]
    [('equal', 'a'), ('replace', 'x'), ('delete', 'c'), ('equal', 'def'), ('insert', '!')]
    """
    left = list(texts.hypothesis)
    found: list[TextPiece] = []
    for piece in texts.reference or ():
        if piece.mark == "delete":
            found.append(piece)
            continue
        # All else of the reference has its counterpart, before which there may be more.
        while left and left[0].mark == "insert":
            found.append(left.pop(0))
        found += [left.pop(0)] if left else []
    return found + left


def _questions(letters: Sequence[str], views: Sequence[ItemView]) -> list[QuestionView]:
    """Return the dimensions, each with its answers about every output."""
    return [
        QuestionView(
            asked,
            [
                (letter, replace(view.dimensions[number], name=f"{letter}:{asked.name}"))
                for letter, view in zip(letters, views, strict=True)
            ],
        )
        for number, asked in enumerate(views[0].dimensions)
    ]
