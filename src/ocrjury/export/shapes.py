"""Types of ``evaluation.json`` besides the rows of its tables."""

from typing import Final, get_args

from ocrjury.export.columns import Part, Shape, flag, integer, number, text, texts
from ocrjury.export.tables import AGREEMENT, BIAS, ESTIMATES, TABLES, TEXT_REASONS
from ocrjury.findings.cover import Word
from ocrjury.gate.verdict import Decision
from ocrjury.report_choices import EXAMPLES, REPORT_KINDS
from ocrjury.sampling.designs import Design
from ocrjury.scales import Kind

FORMAT: Final = "ocrjury evaluation"
VERSION: Final = 1
"""Rises when a reader of earlier exports could no longer read new ones."""
_WHEN = "UTC, ISO 8601"

SCALE = Shape(
    name="scale",
    about="The scale of a dimension.",
    entries=(
        text("kind", "what it is", *get_args(Kind), always=True),
        number("low", "lowest rating; null for categories without order", unit="points"),
        number("high", "highest rating; null for categories without order", unit="points"),
        texts("categories", "names of its categories in order; none on a continuous scale"),
    ),
)
DIMENSION = Shape(
    name="dimension",
    about="One thing that was judged.",
    entries=(
        text("name", "its key in every table", always=True),
        text("title", "its name in print", always=True),
        number("weight", "its weight in the weighted score", unit="relative", always=True),
        Part(name="scale", meaning="its scale", of=SCALE),
    ),
)
VERDICT = Shape(
    name="verdict",
    about="The gate's decision on one dimension.",
    entries=(
        text("dimension", "key of the dimension", always=True),
        text("decision", "what was decided", *get_args(Decision), always=True),
        text("grade", "how good the agreement is, after a PASS"),
        texts("reasons", "why, as sentences"),
        integer("needed_items", "further items that would settle a doubt", unit="items"),
    ),
)
RELEASE = Shape(
    name="release",
    about="A person who let the evaluation through against the gate.",
    entries=(
        text("name", "who", always=True),
        text("reason", "why, in that person's words", always=True),
        text("at", "when", unit=_WHEN, always=True),
    ),
)
ACTION = Shape(
    name="action",
    about="What can be done next.",
    entries=(
        text("kind", "kind of action, such as recalibrate", always=True),
        text("text", "what to do, as a sentence", always=True),
        text("dimension", "key of the dimension concerned"),
        text("rater", "pseudonym of the rater concerned"),
        integer("items", "items concerned", unit="items"),
    ),
)
GATE = Shape(
    name="gate",
    about="The gate's newest verdict: whether the raters agree well enough to be believed.",
    entries=(
        text("decision", "that of the weakest dimension", *get_args(Decision), always=True),
        text("grade", "how good the agreement is, after a PASS"),
        text("policy", "name of the gate's rules", always=True),
        text("statistic", "coefficient of the first rule", always=True),
        number("floor", "what it must reach", unit="coefficient", always=True),
        text("rule", "whether its lower bound must, or its value", "bound", "point", always=True),
        integer("min_items", "items from which the gate decides", unit="items", always=True),
        texts("reasons", "why, as sentences"),
        Part(name="actions", meaning="what to do", of=ACTION, many=True),
        Part(name="dimensions", meaning="decision on each dimension", of=VERDICT, many=True),
        Part(name="release", meaning="who released it", of=RELEASE, always=False),
    ),
)
TARGET = Shape(
    name="target",
    about="What the campaign wants of the pool.",
    entries=(
        text("dimension", "key of the dimension", always=True),
        number("value", "mean, or share, to be reached", unit="points, or a share", always=True),
        number("share_at_least", "rating from which the share counts", unit="points"),
    ),
)
OUTCOME = Shape(
    name="outcome",
    about="Whether the pool meets the target.",
    entries=(
        text("word", "the answer", *get_args(Word), always=True),
        text(
            *("why", "where the interval lies, or what is lacking"),
            *("above", "below", "inside", "no_interval", "undefined", "not_agreed"),
            always=True,
        ),
    ),
)
SAMPLE = Shape(
    name="sample",
    about="How the sample was drawn.",
    entries=(
        integer("n", "items that were drawn in all", unit="items", always=True),
        integer("pool_size", "outputs of the pool", unit="outputs", always=True),
        text("design", "the design", *get_args(Design), always=True),
        integer("pages", "pages of the pool, where whole pages were drawn", unit="pages"),
        text("note", "what departed from the plan"),
    ),
)
TRUTH = Shape(
    name="truth",
    about="How labels were inferred.",
    entries=(
        text("method", "the method", always=True),
        number("target_confidence", "when a label is certain", unit="0 to 1", always=True),
        flag("calibrated", "whether the confidence was checked on gold; else it is the model's"),
    ),
)
ROUND = Shape(
    name="round",
    about="One wave of rating.",
    entries=(
        integer("number", "its number", unit="from 1", always=True),
        text("kind", "pilot, main, adaptive, adjudication or panel", always=True),
        text("rule", "how its items were chosen", always=True),
        text("frontend", "where raters worked"),
        integer("items", "items that were rated", unit="items", always=True),
        integer("assignments", "assignments that were done", unit="assignments"),
        integer("ratings", "ratings that count", unit="ratings"),
        integer("raters", "raters who took part", unit="raters", always=True),
    ),
)
TEXTS = Shape(
    name="texts",
    about="Whether texts of documents are in the tables.",
    entries=(
        text("setting", "report.examples of the campaign", *EXAMPLES, always=True),
        flag("included", "whether documents.csv and documents.parquet hold texts"),
        text("reason", "why not; null where they do", *TEXT_REASONS),
        text("purged_at", "when the texts were removed from the store", unit=_WHEN),
    ),
)
ABSENCE = Shape(
    name="absence",
    about="Something that is not in this export, and why.",
    entries=(
        text(
            *("what", "kind of thing"),
            *("dimension", "score", "preferences", "estimates", "labels", "bias", "texts"),
            always=True,
        ),
        text("name", "key of the dimension, or method of the score; null where there is one only"),
        text("reason", "why, as a sentence", always=True),
    ),
)
HASHES = Shape(
    name="hashes",
    about="SHA-256 of what the evaluation was run with, in hexadecimal digits.",
    entries=(
        text("configuration", "of the campaign"),
        text("rubric", "of the rubric"),
        text("pool", "of the scored pool, its first 32 digits"),
    ),
)
FILE = Shape(
    name="file",
    about="One table, in two files with the same rows.",
    entries=(
        text("row", "what one row is", always=True),
        integer("rows", "number of rows", unit="rows", always=True),
        texts("columns", "names of the columns in order; their meaning is in this schema"),
        text("csv", "name of the CSV file", always=True),
        text("csv_sha256", "its SHA-256", always=True),
        text("parquet", "name of the Parquet file", always=True),
        text("parquet_sha256", "its SHA-256", always=True),
    ),
)
FILES = Shape(
    name="tables",
    about="The tables beside this file.",
    entries=tuple(Part(name=table.name, meaning=table.row, of=FILE) for table in TABLES),
)
EVALUATION = Shape(
    name="evaluation",
    about="One evaluation of OCR output by people, as ocrjury exported it.",
    entries=(
        text("$schema", "file that describes this one", always=True),
        text("format", "what this file is", FORMAT, always=True),
        integer("version", "version of this format", unit="from 1", always=True),
        text("written_by", "version of ocrjury that wrote it", always=True),
        text("evaluation", "name of the evaluation", always=True),
        text("campaign", "name of the campaign", always=True),
        text("title", "title of the campaign", always=True),
        text("period", "period of the evaluation"),
        text("language", "language of titles", always=True),
        text("kind", "interim before there are estimates", *REPORT_KINDS, always=True),
        text("state", "how far the evaluation is", always=True),
        flag("simulated", "whether simulated raters gave any rating: a rehearsal, no evidence"),
        text("opened_at", "when it was opened", unit=_WHEN, always=True),
        text("issued_at", "date of the newest number in it", unit=_WHEN, always=True),
        integer("seed", "seed of every draw", unit="whole number"),
        text("package_version", "version of ocrjury that opened it", always=True),
        Part(name="hashes", meaning="what it was run with", of=HASHES),
        Part(name="dimensions", meaning="what was judged", of=DIMENSION, many=True),
        text("target_dimension", "key of the dimension of the headline", always=True),
        Part(name="sample", meaning="how the sample was drawn", of=SAMPLE, always=False),
        Part(name="rounds", meaning="rounds of rating", of=ROUND, many=True),
        Part(name="truth", meaning="how labels were inferred", of=TRUTH),
        Part(name="gate", meaning="whether the raters are believed", of=GATE),
        Part(name="target", meaning="what is wanted", of=TARGET, always=False),
        Part(name="outcome", meaning="whether it is met", of=OUTCOME, always=False),
        Part(name="headline", meaning="number on the cover", of=ESTIMATES, always=False),
        text("headline_reason", "why there is no headline; null where there is one"),
        Part(
            name="withheld",
            meaning="what the gate withholds, here as in the report",
            of=ABSENCE,
            many=True,
        ),
        Part(name="absent", meaning="what else is missing", of=ABSENCE, many=True),
        Part(name="texts", meaning="texts of documents", of=TEXTS),
        Part(name="tables", meaning="the tables beside this file", of=FILES),
        Part(name="agreement", meaning="rows of agreement.csv", of=AGREEMENT, many=True),
        Part(name="estimates", meaning="rows of estimates.csv", of=ESTIMATES, many=True),
        Part(name="bias", meaning="rows of bias.csv", of=BIAS, many=True),
    ),
)
