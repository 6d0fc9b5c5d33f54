"""Content of a rating page: never the system, a score, a stratum, gold, or other raters."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.flags import ITEM_PROBLEMS, ItemProblem
from ocrjury.campaign.guideline import DimensionGuide, Guideline, guideline
from ocrjury.campaign.rating_sections import RatingPage
from ocrjury.frontends.ingest import Limit
from ocrjury.frontends.web.limits import broken, limits_shown
from ocrjury.frontends.web.marked_texts import differ
from ocrjury.frontends.web.places import PREFERENCE, Place, lettered
from ocrjury.frontends.web.scripts import Script, script_of
from ocrjury.frontends.web.shown_lines import Lines, ShownTexts, shown_lines
from ocrjury.pages.catalogues import Say
from ocrjury.scales import Scale
from ocrjury.store.draft_content import Judgement

_SHORT, MOST_KEYS = 160, 19
_SAYS: Final = (
    *("saved", "saving", "offline", "signed_out", "trouble", "store_later", "comment_waits"),
    *("unsent_stays", "unsent", "not_stored", "outside", "comment_unsent", "item_shown"),
    "taken_back",
)
"""Texts of the page's scripts."""
_FILLED_LATER: Final = ("count", "reason", "range", "comment", "number", "total")
"""Names in these texts in whose place the scripts put something."""


class LevelView(NamedTuple):
    """A level to choose: its number in the store, its name, its key, and what it means."""

    value: float
    name: str
    key: str
    anchor: str


@dataclass(frozen=True, slots=True)
class DimensionView:
    """A dimension in the rater's language; `value` and `flag` are what was chosen so far."""

    name: str
    title: str
    description: str
    criteria: Sequence[str]
    levels: Sequence[LevelView]
    scale: Scale
    value: float | None
    flag: str | None

    @property
    def continuous(self) -> bool:
        """Whether a number is asked for instead of a level."""
        return self.scale.kind == "interval"

    @property
    def slider_step(self) -> float:
        """Step of the slider of a continuous scale: about a hundredth of it, in round numbers."""
        return float(10 ** math.floor(math.log10((self.scale.high - self.scale.low) / 50)))


class OutputView(NamedTuple):
    """The output of one system under its letter, and what is asked about it.

    An output alone has no letter; side by side, names of dimensions begin with it (``A:meaning``).
    """

    letter: str
    text: Lines
    dimensions: Sequence[DimensionView]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answers that a rater chose so far; `notes`: what was computed of them, by dimension."""

    rev: int = 0
    values: Mapping[str, float] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    comment: str = ""
    flag: str | None = None
    confidence: float | None = None
    notes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_draft(cls, rev: int, body: Judgement) -> "Chosen":
        """Answers that a draft holds."""
        return cls(rev, body.values, body.flags, body.comment, body.flag, body.confidence)


@dataclass(frozen=True, slots=True)
class ItemView:
    """Values that the template of a rating page prints.

    Attributes
    ----------
    doc_type, field, kind
        What the item is, as far as the pool says it.
    script
        How its texts are written.
    reference
        Its lines; None where there is none to show. Of several outputs, the differences are marked
        in them.
    focus
        Middle of the place that is rated, as shares of the page; None of a whole page.
    marked
        Whether differences are marked: raters may see them, and no text is too long.
    differs
        Whether any character of an output differs from the reference.
    limits
        What the field rules allow, by dimension; it is told after the first choice.
    image
        The visit of the output whose image is shown, None without an image.
    choices
        What can be preferred: a letter, or None for no difference; empty where nobody asks.
    preferred
        The number of the chosen one from 1, None without one; `undecided`: cannot judge.
    """

    visit: str
    rubric_hash: str
    doc_type: str | None
    field: str | None
    kind: str | None
    text_language: str | None
    script: Script
    reference: Lines | None
    marked: bool
    differs: bool
    outputs: Sequence[OutputView]
    image: str | None
    focus: tuple[float, float] | None
    rules: Sequence[str]
    limits: Mapping[str, Limit]
    guide: Guideline
    chosen: Chosen
    choices: Sequence[str | None]
    preferred: int | None
    undecided: bool
    page: RatingPage

    @property
    def has_box(self) -> bool:
        """Whether the rated output is a region of a page."""
        return self.focus is not None

    @property
    def comparable(self) -> bool:
        """Whether raters may see the differences from the reference."""
        return self.reference is not None and self.page.diff != "hidden"

    @property
    def limits_told(self) -> dict[str, dict[str, object]]:
        """Limits as the page's script reads them, without those that allow every level."""
        shown = [dimension for output in self.outputs for dimension in output.dimensions]
        top = {asks.name: max(asks.scale.numbers or (asks.scale.high,)) for asks in shown}
        return {
            name: {"at_most": limit.at_most, "says": limit.sentence}
            for name, limit in self.limits.items()
            if limit.at_most < top[name]
        }

    def says(self, say: Say) -> dict[str, str]:
        """Texts of the page's scripts, by the names that they have there."""
        braces = {name: f"{{{name}}}" for name in _FILLED_LATER}
        return {
            "incomplete": say("outputs_incomplete" if self.side_by_side else "incomplete"),
            "category": say("trouble_category"),
            **{key: say(key, **braces) for key in _SAYS},
        }

    @property
    def broken(self) -> Mapping[str, str]:
        """Limits that the levels chosen so far exceed, by dimension."""
        return {**broken(self.limits, self.chosen.values), **self.chosen.notes}

    @property
    def problems(self) -> Sequence[ItemProblem]:
        """Problems that an item may have."""
        return ITEM_PROBLEMS

    @property
    def side_by_side(self) -> bool:
        """Whether several outputs are shown."""
        return len(self.outputs) > 1

    @property
    def dimensions(self) -> Sequence[DimensionView]:
        """The dimensions, with what was chosen about the first output."""
        return self.outputs[0].dimensions

    @property
    def one_line(self) -> bool:
        """Whether all texts are short enough to be shown one above the other."""
        texts = [self.reference or (), *(output.text for output in self.outputs)]
        pieces = [piece.text for text in texts for line in text for piece in line]
        fits = sum(map(len, pieces)) <= _SHORT * len(self.outputs)
        return fits and not any("\n" in piece for piece in pieces)


def view_item(
    place: Place,
    chosen: Chosen,
    *,
    campaign: Campaign,
    language: str,
    visits: Sequence[str] = (),
) -> ItemView:
    """Outputs of a place as a rating page shows them; `visits` are those of all but the first."""
    task, rubric, page = place.task, campaign.rubric, campaign.rounds.page
    guide = guideline(rubric, task.dimensions, language=language)
    texts = _texts(place, page)
    named = zip([place.visit.visit, *visits], place.tasks, strict=False)
    image, shown = next(((visit, t) for visit, t in named if t.image_uri), (None, task))
    return ItemView(
        visit=place.visit.visit,
        rubric_hash=rubric.rubric_hash,
        doc_type=task.doc_type,
        field=task.field,
        kind=task.kind,
        text_language=task.language,
        script=script_of(task.language, task.box),
        reference=texts.reference,
        marked=texts.marked,
        differs=any(differ(task.reference, task.hypothesis) for task in place.tasks),
        outputs=[
            OutputView(
                letter,
                text,
                _dimensions(
                    letter,
                    chosen,
                    guides=guideline(rubric, output.dimensions, language=language).dimensions,
                    scales=rubric.scales,
                ),
            )
            for (letter, output), text in zip(place.by_letter.items(), texts.outputs, strict=True)
        ],
        image=image,
        focus=_middle(shown.box),
        rules=[rule.sentence for rule in guide.rules if rule.rule.kind == task.kind],
        limits=limits_shown(place, campaign, language=language),
        guide=guide,
        chosen=chosen,
        choices=place.choices if place.side_by_side and page.preference else (),
        preferred=int(chosen.values[PREFERENCE]) if PREFERENCE in chosen.values else None,
        undecided=PREFERENCE in chosen.flags,
        page=page,
    )


def _texts(place: Place, page: RatingPage) -> ShownTexts:
    """Reference and outputs, as far as they are to be seen."""
    reference = place.task.reference if page.reference == "shown" else None
    outputs = [task.hypothesis for task in place.tasks]
    return shown_lines(reference, outputs, marked=page.diff != "hidden")


def _middle(box: Sequence[float] | None) -> tuple[float, float] | None:
    """Middle of a place."""
    return None if box is None else ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def _dimensions(
    letter: str, chosen: Chosen, *, guides: Sequence[DimensionGuide], scales: Mapping[str, Scale]
) -> list[DimensionView]:
    """The dimensions of one output, with what was chosen on them."""
    return [
        DimensionView(
            name=lettered(letter, guide.name),
            title=guide.title,
            description=guide.description,
            criteria=guide.criteria,
            levels=_levels(scales[guide.name], guide.anchors),
            scale=scales[guide.name],
            value=chosen.values.get(lettered(letter, guide.name)),
            flag=chosen.flags.get(lettered(letter, guide.name)),
        )
        for guide in guides
    ]


def _levels(scale: Scale, anchors: Mapping[str, str]) -> list[LevelView]:
    """Levels of a scale; a digit chooses one, with Shift from 10; of names, their place from 1."""
    levels = []
    for place, (name, value) in enumerate(zip(scale.categories, scale.numbers, strict=True)):
        digit = place + 1 if not scale.ordered else int(value)
        key = str(digit) if 0 <= digit <= MOST_KEYS else ""
        levels.append(LevelView(value, str(name), key, anchors.get(str(name), "")))
    return levels
