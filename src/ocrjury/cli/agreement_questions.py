"""Questions of ``ocrjury agreement`` and ``ocrjury report --ratings`` about a file's ratings."""

from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from ocrjury.cli.declared_ratings import headline_of, read_declared, seed_of, with_context
from ocrjury.cli.declaring import composed
from ocrjury.cli.judge_scores import split_judges
from ocrjury.cli.rating_checks import check_on_scale, tell_doubtful_names
from ocrjury.cli.scale_option import weight_of
from ocrjury.errors import InputError
from ocrjury.gate.policy import PresetName
from ocrjury.language import phrase
from ocrjury.ratings.export_columns import left_out_text
from ocrjury.scales import Scales
from ocrjury.sentences import listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import pandas as pd

    from ocrjury.cli.declaring import Parser
    from ocrjury.dimensions import Method
    from ocrjury.findings.measurement.judges import Scores
    from ocrjury.findings.measurement.ratings import Question
    from ocrjury.ratings.files import RatingFile

COMPOSITES: Final = ("mean", "weighted", "pca", "regression")


def add_questions(parser: "Parser") -> None:
    """Add the options that say what is asked of the ratings."""
    _add_rows(parser)
    _add_measures(parser)
    _add_composite(parser)


def _add_rows(parser: "Parser") -> None:
    """Add the options that choose ratings and weigh their items."""
    parser.add_argument("--dimension", type=composed, help="only this one [all]")
    parser.add_argument(
        "--item-weight",
        type=composed,
        metavar="COLUMN",
        help="weight of the row's item, such as one over its inclusion probability [all alike]",
    )
    parser.add_argument(
        "--where",
        type=composed,
        action="append",
        default=[],
        metavar="COLUMN=CELL",
        help="only the rows with this cell",
    )


def _add_measures(parser: "Parser") -> None:
    """Add the options that say how agreement is measured and judged."""
    parser.add_argument(
        "--ci",
        choices=("jackknife", "bootstrap", "none"),
        default="jackknife",
        help="how intervals are made; none: published errors where there are any [jackknife]",
    )
    parser.add_argument(
        "--seed", type=int, help="of bootstrap and bias tests [an export's own, else 0]"
    )
    parser.add_argument(
        "--policy", choices=get_args(PresetName), default="default", help="of the gate [default]"
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
        type=composed,
        action="append",
        default=[],
        metavar="NAME",
        help="an automatic judge: a column with its scores, or one of the raters",
    )


def _add_composite(parser: "Parser") -> None:
    """Add the options that say how several dimensions become one score."""
    parser.add_argument(
        "--composite",
        choices=COMPOSITES,
        help="how several dimensions become one score [mean]",
    )
    parser.add_argument(
        "--dimension-weights",
        type=composed,
        metavar="NAME=WEIGHT,...",
        help="of the composite score; implies --composite weighted",
    )
    parser.add_argument(
        "--overall",
        type=composed,
        metavar="NAME",
        help="dimension with an overall rating; implies --composite regression",
    )


def question_of(
    options: "argparse.Namespace", judges: "Mapping[str, Mapping[str, Scores]]", *, seed: int = 0
) -> "Question":
    """Question of the command line about the ratings, with a seed unless it names one."""
    from ocrjury.findings.measurement.ratings import Question

    seed = seed if options.seed is None else options.seed
    if seed < 0:
        raise InputError(f"--seed is 0 or more; found {seed}.")
    for name, number in {"look": options.look, "looks": options.looks}.items():
        if number is not None and number < 1:
            raise InputError(f"--{name} is 1 or more; found {number}.")
    weights = None
    if options.dimension_weights is not None:
        parts = options.dimension_weights.split(",")
        pairs = pairs_of(parts, "--dimension-weights NAME=WEIGHT,...")
        weights = {name: weight_of(cell, name) for name, cell in pairs.items()}
    return Question(
        ci=None if options.ci == "none" else options.ci,
        seed=seed,
        policy=options.policy,
        look=options.look,
        looks=options.looks,
        threshold=options.threshold,
        methods=(_method(options),),
        dimension_weights=weights,
        overall=options.overall,
        variants=True,
        divided_kept=None,
        judges=judges,
    )


def _method(options: "argparse.Namespace") -> "Method":
    """Method that makes one score of several dimensions; refuses options for two scores."""
    implied: dict[str, tuple[Method, object]] = {
        "--dimension-weights": ("weighted", options.dimension_weights),
        "--overall": ("regression", options.overall),
    }
    given = {option: method for option, (method, value) in implied.items() if value is not None}
    if len(given) > 1:
        raise InputError("--dimension-weights and --overall each make a score; give one of them.")
    for option, method in given.items():
        if options.composite not in {None, method}:
            raise InputError(
                f"{option} implies --composite {method}; --composite {options.composite} is "
                "another score. Give one of them."
            )
        return method
    if options.composite == "regression":
        raise InputError("--composite regression needs --overall, the dimension it explains.")
    if options.composite == "weighted":
        raise InputError("--composite weighted needs --dimension-weights, the weights.")
    usual: Method = options.composite or "mean"
    return usual


def in_report(question: "Question", options: "argparse.Namespace") -> "Question":
    """Question of a report, which prints two scores of all dimensions unless one is named."""
    from dataclasses import replace

    from ocrjury.findings.measurement.ratings import Question

    usual = Question()
    named = (options.composite, options.dimension_weights, options.overall) != (None, None, None)
    return replace(
        question,
        variants=usual.variants,
        divided_kept=usual.divided_kept,
        methods=question.methods if named else usual.methods,
    )


class Asked(NamedTuple):
    """Ratings of a file and what is asked of them.

    ``basis`` says which of the file they are, ``headline`` which dimension leads.
    """

    frame: "pd.DataFrame"
    scale: Scales
    question: "Question"
    shape: str
    basis: str | None
    exported: bool
    headline: str | None


def ratings_asked(
    options: "argparse.Namespace",
    path: "Path",
    *,
    counted: "tuple[RatingFile, Scales] | None" = None,
) -> Asked:
    """Ratings of a file, or those behind a cross table, as the command line asks for them."""
    file, scale = counted or read_declared(
        options,
        path,
        aside=[*options.judge, *([options.item_weight] if options.item_weight else [])],
        where=pairs_of(options.where, "--where COLUMN=CELL"),
        dimension=options.dimension,
    )
    people, judges = split_judges(file, options.judge, scale)
    frame = with_context(people, scale, weight=options.item_weight, cluster=options.cluster)
    if counted is None:  # otherwise its rows are none of the file's
        check_on_scale(people, scale, source=path)
        tell_doubtful_names(people, source=path)
    exported = file.weight is not None
    basis = left_out_text(file.left_out) if exported else _basis_text(file, options)
    question = question_of(options, judges, seed=seed_of(file))
    return Asked(frame, scale, question, file.shape, basis, exported, headline_of(people))


def _basis_text(file: "RatingFile", options: "argparse.Namespace") -> str | None:
    """Sentence on the rows of a file that are read; None if all are and it is no export."""
    rows = phrase("rows with {cells}", cells=listed(options.where)) if options.where else None
    if not file.exported:
        return rows
    unweighted = options.item_weight is None
    rows = rows or phrase("all rows")
    return phrase("{rows}, all alike, without weights", rows=rows) if unweighted else rows


def pairs_of(texts: "Iterable[str]", form: str) -> dict[str, str]:
    """Cell by name, of texts with an equals sign; no name may have two."""
    pairs: dict[str, str] = {}
    for name, cell in (_pair_of(text, form) for text in texts):
        if pairs.setdefault(name, cell) != cell:
            raise InputError(
                f"{form} has one cell for each name; found {name}={pairs[name]} and {name}={cell}."
            )
    return pairs


def _pair_of(text: str, form: str) -> tuple[str, str]:
    """Name and cell around an equals sign."""
    name, equals, cell = text.partition("=")
    if not equals or not name.strip():
        raise InputError(f"{form} has a name and a cell around its equals sign; found {text!r}.")
    return name.strip(), cell.strip()
