"""Remedies for low agreement, chosen by the share of agreeing pairs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.language import Phrase, phrase
from ocrjury.scales import Kind, Scale
from ocrjury.statistics import statistic

SuggestionKind = Literal[
    "revise_rubric",
    "calibrate",
    "clarify_pass_fail",
    "anchor_examples",
    "simplify_to_binary",
    "discuss_disagreements",
]

ACCEPTABLE: Final = 0.75
"""Agreement from which the only possible remark is that the scale is too fine."""
REVISE_BELOW: Final = 0.50
"""Agreement below which the rubric itself is in doubt."""
SIMPLIFY_BELOW: Final = 0.30
"""Share of equal pairs below which a Likert scale has more levels than raters distinguish."""

_DECISIVE: Final[Mapping[Kind, str]] = {
    "likert": "adjacent_agreement",
    "binary": "exact_agreement",
    "nominal": "exact_agreement",
    "interval": "human_agreement",
}
"""Statistic that decides, by the kind of scale."""
_REMEDIES: Final[Mapping[Kind, tuple[SuggestionKind, Phrase]]] = {
    "likert": ("anchor_examples", phrase("Add an anchor example for every level of the scale.")),
    "binary": (
        "clarify_pass_fail",
        phrase("Define what passes and what fails, with examples of both."),
    ),
    "nominal": (
        "anchor_examples",
        phrase("Add examples for every category, and for any two that are confused."),
    ),
    "interval": (
        "anchor_examples",
        phrase("Add anchor examples at the ends and the middle of the scale."),
    ),
}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A remedy for one dimension.

    Attributes
    ----------
    kind
        ``revise_rubric``, ``calibrate``, ``clarify_pass_fail``, ``anchor_examples``,
        ``simplify_to_binary`` or ``discuss_disagreements``.
    sentence
        What to do, and the number behind it.
    """

    kind: SuggestionKind
    sentence: str


def suggest_improvements(estimates: Mapping[str, Estimate], *, scale: Scale) -> list[Suggestion]:
    """Remedies for one dimension, most fundamental first.

    Parameters
    ----------
    estimates
        Result of `measure_agreement`.

    Returns
    -------
    list of Suggestion
        Empty where agreement is undefined or acceptable. It is judged by the share of pairs at
        most one point apart on a Likert scale, of equal pairs on a binary or nominal one, and by
        A^HH on an interval scale. Below .75 the dimension needs examples and a discussion of
        disagreements, below .50 a revised rubric and a calibration session; a Likert scale on
        which fewer than 30 % of the pairs are equal needs fewer levels, even if most other
        pairs are adjacent.

    Raises
    ------
    InputError
        If an estimate that this scale needs is missing.

    Notes
    -----
    These shares are not corrected for chance: an empty list does not prove agreement.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> from ocrjury.agreement import measure_agreement
    >>> table = RatingTable.from_matrix([[1, 4], [2, 5], [3, 3]], scale=Scale.likert(1, 5))
    >>> estimates = measure_agreement(table)
    >>> [remedy.kind for remedy in suggest_improvements(estimates, scale=table.scale)]
    ['revise_rubric', 'calibrate', 'anchor_examples', 'discuss_disagreements']
    """
    agreement = _share(estimates, _DECISIVE[scale.kind])
    exact = _share(estimates, "exact_agreement")
    suggestions = list(_of_level(agreement, scale.kind))
    if scale.kind == "likert" and len(scale.categories) > 2 and exact < SIMPLIFY_BELOW:
        sentence = phrase(
            "Only {share} of the pairs are equal: ask for pass or fail instead of {levels} levels, "
            "or merge levels that raters cannot distinguish.",
            share=f"{100 * exact:.0f}%",
            levels=len(scale.categories),
        )
        suggestions.append(Suggestion("simplify_to_binary", sentence))
    if agreement < ACCEPTABLE:
        suggestions.append(
            Suggestion(
                "discuss_disagreements",
                phrase("Let the raters discuss the items with the widest disagreement."),
            )
        )
    return suggestions


def _of_level(agreement: float, kind: Kind) -> Iterator[Suggestion]:
    """Yield the remedies for a low level of agreement; none for ``nan``."""
    row = statistic(_DECISIVE[kind])
    level = f"{100 * agreement:.0f}%" if row.is_share else f"{agreement:.2f}"
    if agreement < REVISE_BELOW:
        sentence = phrase(
            "Revise the rubric of this dimension: {statistic} is {level}, less than half.",
            statistic=row.label,
            level=level,
        )
        yield Suggestion("revise_rubric", sentence)
        yield Suggestion(
            "calibrate",
            phrase("Hold a calibration session on the same items before rating continues."),
        )
    if agreement < ACCEPTABLE:
        yield Suggestion(*_REMEDIES[kind])


def _share(estimates: Mapping[str, Estimate], name: str) -> float:
    """Value of an estimate; raise if it is missing."""
    if name not in estimates:
        raise InputError(
            f"suggest_improvements needs {name}; found {', '.join(estimates) or 'nothing'}. "
            "Pass the result of measure_agreement()."
        )
    return estimates[name].value
