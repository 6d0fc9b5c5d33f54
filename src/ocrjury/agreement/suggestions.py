"""What usually helps raters who agree as little as these, by shares of agreeing pairs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.scales import Kind, Scale

SuggestionKind = Literal[
    "revise_rubric",
    "calibrate",
    "clarify_pass_fail",
    "anchor_examples",
    "simplify_to_binary",
    "discuss_disagreements",
]

ACCEPTABLE: Final = 0.75
"""Agreement from which nothing but a scale that is too fine is remarked."""
REVISE_BELOW: Final = 0.50
"""Agreement below which the rubric itself is in doubt."""
SIMPLIFY_BELOW: Final = 0.30
"""Share of equal pairs below which a Likert scale has more levels than raters can tell apart."""

_DECISIVE: Final[Mapping[Kind, tuple[str, str]]] = {
    "likert": ("adjacent_agreement", "pairs at most one point apart"),
    "binary": ("exact_agreement", "pairs with the same rating"),
    "nominal": ("exact_agreement", "pairs with the same rating"),
    "interval": ("human_agreement", "human agreement A^HH"),
}
_REMEDIES: Final[Mapping[Kind, tuple[SuggestionKind, str]]] = {
    "likert": ("anchor_examples", "Add an anchor example for every level of the scale."),
    "binary": ("clarify_pass_fail", "Write down what passes and what fails, with cases of both."),
    "nominal": ("anchor_examples", "Add an example for every category, and for each two that mix."),
    "interval": ("anchor_examples", "Add anchor examples at the ends and the middle of the scale."),
}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that helps raters of one dimension.

    Attributes
    ----------
    kind
        ``revise_rubric``, ``calibrate``, ``clarify_pass_fail``, ``anchor_examples``,
        ``simplify_to_binary`` or ``discuss_disagreements``.
    sentence
        What to do, and the number that says why.
    """

    kind: SuggestionKind
    sentence: str


def suggest_improvements(estimates: Mapping[str, Estimate], *, scale: Scale) -> list[Suggestion]:
    """Return what would help the raters of one dimension, most fundamental first.

    Parameters
    ----------
    estimates
        What `measure_agreement` returned.

    Returns
    -------
    list of Suggestion
        Empty where agreement is undefined or acceptable. It is judged by the share of pairs at
        most one point apart on a Likert scale, of equal pairs on a binary or nominal one, and by
        A^HH on an interval scale. Below .75 the dimension wants examples and a talk about
        disagreements, below .50 another rubric and a calibration session; a Likert scale on
        which fewer than 30 % of the pairs are equal wants fewer levels, even if most of the
        others are neighbours.

    Raises
    ------
    InputError
        If an estimate that the scale is judged by is absent.

    Notes
    -----
    These shares are not corrected for chance: no suggestion is no sign of agreement.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> from ocrjury.agreement import measure_agreement
    >>> table = RatingTable.from_matrix([[1, 4], [2, 5], [3, 3]], scale=Scale.likert(1, 5))
    >>> [one.kind for one in suggest_improvements(measure_agreement(table), scale=table.scale)]
    ['revise_rubric', 'calibrate', 'anchor_examples', 'discuss_disagreements']
    """
    name, words = _DECISIVE[scale.kind]
    agreement, exact = _share(estimates, name), _share(estimates, "exact_agreement")
    found = list(_of_level(agreement, words, scale.kind))
    if scale.kind == "likert" and len(scale.categories) > 2 and exact < SIMPLIFY_BELOW:
        sentence = (
            f"Only {100 * exact:.0f} % of the pairs are equal: ask for pass or fail instead of "
            f"{len(scale.categories)} levels, or join levels that nobody can tell apart."
        )
        found.append(Suggestion("simplify_to_binary", sentence))
    if agreement < ACCEPTABLE:
        found.append(
            Suggestion(
                "discuss_disagreements",
                "Let the raters discuss the items with the widest disagreement.",
            )
        )
    return found


def _of_level(agreement: float, words: str, kind: Kind) -> Iterator[Suggestion]:
    """Yield what a low level asks for; ``nan`` asks for nothing."""
    level = f"{agreement:.2f}" if kind == "interval" else f"{100 * agreement:.0f} %"
    if agreement < REVISE_BELOW:
        reason = f"{words[0].upper()}{words[1:]}: {level}, less than half."
        yield Suggestion("revise_rubric", f"{reason} Revise the rubric of this dimension.")
        yield Suggestion(
            "calibrate", "Hold a calibration session on the same items before rating goes on."
        )
    if agreement < ACCEPTABLE:
        yield Suggestion(*_REMEDIES[kind])


def _share(estimates: Mapping[str, Estimate], name: str) -> float:
    """Return a value; raise where it was not measured."""
    if name not in estimates:
        raise InputError(
            f"suggest_improvements needs {name}; found {', '.join(estimates) or 'nothing'}. "
            "Pass what measure_agreement() returned."
        )
    return estimates[name].value
