"""What ``ocrjury agreement`` is asked beside coefficients: gate, judges, weights, composite."""

from typing import TYPE_CHECKING, Final

from ocrjury.cli.scale_option import weight_of
from ocrjury.errors import InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from ocrjury.cli.declaring import Parser
    from ocrjury.dimensions import Method
    from ocrjury.findings.measurement.judges import Scores
    from ocrjury.findings.measurement.ratings import Question

POLICIES: Final = ("default", "strict", "kappa", "gdpval", "anytime")
COMPOSITES: Final = ("mean", "weighted", "pca", "regression")


def add_questions(parser: "Parser") -> None:
    """Add the options that ask for more than coefficients."""
    parser.add_argument(
        "--policy", choices=POLICIES, default="default", help="of the gate [default]"
    )
    for name, what in (("look", "which look of the gate it is"), ("looks", "of how many")):
        parser.add_argument(
            f"--{name}", type=int, metavar="N", help=f"{what} [an export's own, else 1]"
        )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="POINTS",
        help="list items whose ratings lie so far apart [2 on likert, half of interval, else any]",
    )
    parser.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="NAME",
        help="an automatic judge: a column with its scores, or one of the raters",
    )
    parser.add_argument(
        "--item-weight",
        metavar="COLUMN",
        help="weight of the row's item, such as one over its inclusion probability [all alike]",
    )
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="COLUMN=CELL",
        help="only the rows with this cell",
    )
    _add_composite(parser)


def _add_composite(parser: "Parser") -> None:
    """Add the options that say how several dimensions become one score."""
    parser.add_argument(
        "--composite",
        choices=COMPOSITES,
        default="mean",
        help="how several dimensions become one score [mean]",
    )
    parser.add_argument(
        "--dimension-weights",
        metavar="NAME=WEIGHT,...",
        help="of the composite score; implies --composite weighted",
    )
    parser.add_argument(
        "--overall",
        metavar="NAME",
        help="dimension with an overall rating; implies --composite regression",
    )


def question_of(
    options: "argparse.Namespace", judges: "Mapping[str, Mapping[str, Scores]]"
) -> "Question":
    """What the command line asks of the ratings."""
    from ocrjury.findings.measurement.ratings import Question

    weights = None
    if options.dimension_weights is not None:
        parts = options.dimension_weights.split(",")
        pairs = (pair_of(part, "--dimension-weights NAME=WEIGHT,...") for part in parts)
        weights = {name: weight_of(cell, name) for name, cell in pairs}
    if weights is not None and options.overall is not None:
        raise InputError("--dimension-weights and --overall each make a score; give one of them.")
    if options.composite == "regression" and options.overall is None:
        raise InputError("--composite regression needs --overall, the dimension it explains.")
    method: Method = options.composite if weights is None else "weighted"
    return Question(
        ci=None if options.ci == "none" else options.ci,
        seed=options.seed,
        policy=options.policy,
        look=options.look,
        looks=options.looks,
        threshold=options.threshold,
        methods=(method if options.overall is None else "regression",),
        dimension_weights=weights,
        overall=options.overall,
        variants=True,
        divided_kept=None,
        judges=judges,
    )


def pair_of(text: str, form: str) -> tuple[str, str]:
    """Name and cell around an equals sign."""
    name, equals, cell = text.partition("=")
    if not equals or not name.strip():
        raise InputError(f"{form} has a name and a cell around its equals sign; found {text!r}.")
    return name.strip(), cell.strip()
