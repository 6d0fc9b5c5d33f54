"""The tables of an export: every column with its meaning and unit."""

from typing import Final, get_args

from ocrjury.bias.findings import ALPHA, KINDS, Level, Status
from ocrjury.export.columns import Table, flag, integer, number, rating, text, words
from ocrjury.metrics import METRICS, RANKED, Metric
from ocrjury.report_choices import EXAMPLES
from ocrjury.sampling.designs import COMPONENTS
from ocrjury.text.metrics import METRICS as COMPUTED

HUNDREDTHS: Final = "hundredths of the scale"
"""Unit of what combines dimensions whose scales are unlike."""
PROBABILITY_OF: Final = "p:"
"""Beginning of the columns that hold the probability of a category."""
TEXT_REASONS: Final = (*(word for word in EXAMPLES if word != "shown"), "purged")
"""Why the texts of a document are not there."""
REASON = "why a number is missing, as a word; empty where none is"
ESTIMATE = (
    number("value", "the statistic; empty where it is undefined", unit="see unit"),
    number("low", "lower end of its 95 % interval", unit="see unit"),
    number("high", "upper end of its 95 % interval", unit="see unit"),
    number("se", "standard error", unit="see unit"),
    integer("n_items", "items behind it", unit="items", always=True),
    integer("n_raters", "raters behind it", unit="raters", always=True),
    integer("n_ratings", "ratings behind it", unit="ratings", always=True),
    integer("n_clusters", "draws behind it, where items were drawn together", unit="draws"),
    text("method", "how it was computed"),
    text("reason", "why it is undefined, or has no interval; empty where it has both"),
    text("warnings", "cautions, as sentences"),
)
DIMENSION = text("dimension", "key of the dimension", always=True)
ITEM = text("item", "name of the item", always=True)

RATINGS = Table(
    name="ratings",
    row="one rating that stands: one rater, one item, one dimension",
    columns=(
        ITEM,
        text("rater", "pseudonym of the rater", always=True),
        DIMENSION,
        rating("rating", "what the rater gave"),
        integer("round", "number of the round", unit="from 1", always=True),
        text(
            *("kind", "what the rating counts as"),
            *("main", "gold", "second", "pilot", "adaptive", "adjudication", "panel"),
            always=True,
        ),
        text("source", "where it was given, such as web, file or simulated", always=True),
        integer(
            "session", "number of the rater's session in the round", unit="from 1", always=True
        ),
        integer("position", "place in the rater's queue", unit="from 1", always=True),
        integer("repeat", "0, or the number of the repetition", unit="repetitions", always=True),
        text("submitted_at", "when it was given", unit="UTC, ISO 8601", always=True),
        integer("counts", "1 for ratings that gate and headline use, else 0", unit="0 or 1"),
        number("weight", "what the item stands for where agreement is measured", unit="outputs"),
        number(
            "inclusion_probability",
            "probability to be drawn and answered on this dimension; empty where the rating does "
            "not enter the headline",
            unit="0 to 1",
        ),
        text("stratum", "stratum in which the item was drawn"),
        integer("cluster", "draw that brought the item; equal ones came together", unit="from 1"),
        number(
            "known",
            "known rating of a gold item that corrects the headline",
            unit="points; of a category its place from 0",
        ),
        integer("look", "look of the gate that saw the rating first", unit="from 1"),
        integer(
            "looks",
            "looks that the gate had planned by the newest one; empty where it may look any time",
            unit="looks",
        ),
        integer(
            "seed",
            "seed with which bias was tested, that of the evaluation",
            unit="from 0",
            always=True,
        ),
        integer(
            "headline",
            "1 for ratings on the dimension of the number on the report's cover, else 0",
            unit="0 or 1",
            always=True,
        ),
    ),
    more=(
        number(
            "x:",
            "an auxiliary variable of the headline, less its mean over the pool",
            unit="that of the variable",
        ),
    ),
)
LABELS = Table(
    name="labels",
    row="the label that was inferred for one item on one dimension",
    columns=(
        ITEM,
        DIMENSION,
        rating("label", "most probable category, or the value on a continuous scale"),
        number("median", "median of the probabilities of the categories", unit="points"),
        number("mean", "mean of the probabilities of the categories", unit="points"),
        number("confidence", "probability of the label", unit="0 to 1"),
        flag("tied", "whether another category is as probable"),
        integer("n_ratings", "ratings behind the label", unit="ratings", always=True),
        text("reason", REASON),
    ),
    more=(
        number(
            PROBABILITY_OF,
            "probability of the category that follows; scales of up to 25 categories have them",
            unit="0 to 1",
        ),
    ),
)
AGREEMENT = Table(
    name="agreement",
    row="one statistic of agreement, of one rater, or of one metric, on one dimension",
    columns=(
        DIMENSION,
        text("statistic", "key of the statistic, as in the glossary", always=True),
        text("label", "its name", always=True),
        text("weights", "weights of a kappa of two raters", "none", "linear", "quadratic"),
        text("rater", "rater concerned; of a pair the first, of a gain the one who is left out"),
        text("other_rater", "second rater of a pair"),
        text("judge", "automatic judge concerned"),
        text("metric", "automatic metric concerned", *RANKED),
        text("unit", "of value, low, high and se", "coefficient", "points", "share", always=True),
        *ESTIMATE,
        text("grade", "what the value is called, as in the report; empty where it has no grades"),
    ),
)
STATISTICS = {
    "mean": "the mean rating",
    "target_share": "the share at the level of the target or better",
    "usable_share": "the share at the level from which a document is usable",
    "lowest_share": "the share at the lowest level",
    "lower_quartile": "the value below which a quarter of the pool lies",
    "median": "the value below which half of the pool lies",
    "upper_quartile": "the value below which three quarters of the pool lie",
    "mean_less_pool": "the mean less that of the pool, in which the severity of raters, measured "
    "on gold items too, cancels",
    "difference": "the mean of the system less that of the other",
    "preferred_share": "the share of pages on which raters prefer the system",
    "no_difference_share": "the share of pages without a difference",
    "critical_error_share": "the share of fields with a critical error",
    "mean_change": "the change of the mean since the evaluation before",
    "target_share_change": "the change of the target's share since the evaluation before",
    "judge_bias": "judge less raters",
    "judge_bias_change": "the change of the bias since the evaluation before",
}
BASES = {
    "others": "for other raters like these (GREG), corrected by gold",
    "these": "for these raters, each alike, without gold",
    "hajek": "weighted by the draw alone, as a cross-check",
    "naive": "the plain mean of the items, which says nothing about the pool",
    "inferred": "from inferred labels in place of ratings",
    "uncorrected": "for other raters like these, without gold",
}
GROUPS = {
    "pool": "the whole pool",
    "doc_type": "documents of a type",
    "column": "documents with a value of one of the pool's own columns",
    "system": "output of an OCR system",
    "system_doc_type": "a system on documents of a type",
    "system_pair": "two systems",
    "field_kind": "fields of a kind",
    "score": "all dimensions as one score, by its method",
    "evaluation": "an evaluation of the campaign",
    "judge": "an automatic judge",
}
ESTIMATES = Table(
    name="estimates",
    row="one estimate about the pool, or about a part of it",
    columns=(
        text("dimension", "key of the dimension; * where there is none or they are combined"),
        words("statistic", "what is estimated", STATISTICS, always=True),
        words("basis", "whose ratings it speaks of, and how they are weighted", BASES),
        words("group", "what kind of part it is about", GROUPS, always=True),
        text("name", "type, value, system, kind, method, evaluation or judge; empty for the pool"),
        text(
            "other", "column of the value, other system of a pair, type within a system, or period"
        ),
        number("level", "rating from which, or up to which, a share counts", unit="points"),
        integer("population", "outputs of the part", unit="outputs"),
        flag("headline", "whether it is the number on the report's cover"),
        flag("few", "whether it rests on too few cases to be more than a rough guide"),
        text(
            *("unit", "of value, low, high and se; scores of unlike scales run from 0 to 100"),
            *("points", "share", HUNDREDTHS),
            always=True,
        ),
        *ESTIMATE,
    ),
)
BIAS = Table(
    name="bias",
    row="one test for one bias",
    columns=(
        text("kind", "kind of bias", *KINDS, always=True),
        text("rater", "pseudonym; empty for all raters together"),
        text("dimension", "key of the dimension; empty for all together"),
        number("effect", "size of the effect", unit="see unit"),
        text(
            "unit", "of effect, low and high; points of unlike scales are hundredths", always=True
        ),
        number("low", "lower end of its 95 % interval", unit="see unit"),
        number("high", "upper end of its 95 % interval", unit="see unit"),
        number("p_value", "p-value", unit="0 to 1"),
        number("p_adjusted", "p-value, adjusted for all tests of this kind", unit="0 to 1"),
        number("p_overall", "p-value, adjusted for all tests of all kinds", unit="0 to 1"),
        flag("flagged", f"whether p_adjusted is at most {ALPHA:g}"),
        flag("flagged_overall", f"whether p_overall is at most {ALPHA:g}"),
        text("level", "size in a word", *get_args(Level)),
        text("status", "whether the data allowed the test", *get_args(Status), always=True),
        text("reason", "why it was not tested, or has no interval; empty where it has both"),
    ),
)


def _definition(row: Metric) -> str:
    return row.definition or str(row.stands_for).lower() or row.label


_COUNTS = {
    "n_ref_chars": "characters of the reference",
    "n_hyp_chars": "characters of the OCR output",
    "edit_distance": "edits between the two",
    "substitutions": "replaced characters",
    "deletions": "missing characters",
    "insertions": "extra characters",
}
DOCUMENTS = Table(
    name="documents",
    row="one document that raters were asked about, or that stands ready as gold",
    columns=(
        ITEM,
        text("doc_id", "name of the document in the pool", always=True),
        text("page_id", "name of its page", always=True),
        text("system", "OCR system that read it", always=True),
        text("doc_type", "type of the document"),
        text("language", "language of the document"),
        text("kind", "kind of field"),
        text("purpose", "why it was chosen", "sample", "gold", "pilot", always=True),
        number(
            "inclusion_probability",
            "probability to be drawn; empty outside the sample",
            unit="0 to 1",
        ),
        number("weight", "what it stands for: 1 / inclusion_probability", unit="outputs"),
        text("stratum", "stratum in which it was drawn"),
        text("part", "part of the design that drew it", *COMPONENTS),
        integer("cluster", "draw that brought it; equal ones came together", unit="from 1"),
        number("confidence", "confidence of the OCR system", unit="0 to 1"),
        *(integer(name, _COUNTS[name], unit="characters") for name in COMPUTED if name in _COUNTS),
        *(
            number(name, _definition(METRICS[name]), unit=METRICS[name].unit)
            for name in COMPUTED
            if name in METRICS
        ),
        text(
            *("score_reason", "why metrics are missing; empty where none is"),
            *("no_reference", "empty_reference"),
        ),
        text("reference", "text that is on the page; only where the campaign shows examples"),
        text("hypothesis", "text that the system read; only where the campaign shows examples"),
        text(
            *("text_reason", "why a text is missing; empty where none is"),
            *(*TEXT_REASONS, "no_reference"),
        ),
    ),
)
TABLES: Final = (RATINGS, LABELS, AGREEMENT, ESTIMATES, BIAS, DOCUMENTS)
