"""Rows of the table of statistics, and the kinds that share range, grades and reasons."""

import math
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Final, Literal

from ocrjury.grades import GDPVAL, LANDIS_KOCH, Grades
from ocrjury.language import phrase

NOTHING_TO_COMPARE: Final = ("no_items", "fewer_than_two_raters", "no_pairable_items")
"""Reasons for which any statistic of agreement between raters may be undefined."""
NO_CHANCE: Final = (*NOTHING_TO_COMPARE, "no_variation")
ONE_CATEGORY: Final = (*NOTHING_TO_COMPARE, "fewer_than_two_categories")
UNFIT_SCALE: Final = (*NOTHING_TO_COMPARE, "scale_mismatch")


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic of agreement, or of one rater.

    Attributes
    ----------
    label
        As it stands in a sentence or at the head of a row.
    short_label
        At the head of a narrow column.
    question
        What it answers; the usual one is that of all agreement.
    function
        Module and function in `ocrjury.agreement` by which `measure_agreement` measures it on
        every table, with its ``ci`` and ``seed`` if it takes them; None if it does not. The
        package exports the function.
    categorical, compares_raters
        Whether the function refuses a continuous scale, and counts without raters.
    column
        Its place among the columns of the report's table by dimension, None if it has none.
    in_artifact, in_means
        Whether the page of a Prefect run has it, and whether the command line prints its mean over
        dimensions beside the verdict.
    weighted
        Key of the statistic that it is with weights, its own if it keeps its name; None if it takes
        no weights. `ocrjury agreement --full` prints it with each.
    unit
        "coefficient" or "points" of the scale, printed as a decimal number, or "share", printed as
        a percentage.
    low, high
        Ends of its range; an interval beyond them is cut where people read it.
    undefined
        Reasons for which it has no value; `ocrjury.estimate.UNDEFINED` has their words.
    """

    label: str
    short_label: str
    question: str = phrase("How far raters agree")
    function: str | None = None
    _: KW_ONLY
    categorical: bool = False
    compares_raters: bool = False
    column: int | None = None
    in_artifact: bool = False
    in_means: bool = False
    weighted: str | None = None
    unit: Literal["coefficient", "points", "share"] = "coefficient"
    low: float = -1
    high: float = 1
    grades: Grades | None = None
    undefined: tuple[str, ...] = NOTHING_TO_COMPARE

    @property
    def is_share(self) -> bool:
        """Whether the statistic is printed as a percentage."""
        return self.unit == "share"


beyond_chance = partial(Statistic, grades=LANDIS_KOCH, undefined=NO_CHANCE)
of_two = partial(beyond_chance, undefined=(*NO_CHANCE, "too_few_common_items"))
of_pairs = partial(
    beyond_chance,
    compares_raters=True,
    undefined=(*UNFIT_SCALE, "no_variation", "too_few_common_items"),
)
closeness = partial(Statistic, low=0, grades=GDPVAL)
description = partial(Statistic, low=0)
of_one_category = partial(description, undefined=NO_CHANCE)
of_points = partial(
    Statistic, unit="points", low=-math.inf, high=math.inf, undefined=("scale_mismatch",)
)
