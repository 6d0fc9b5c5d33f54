"""Methods, and the provenance that stands with the contents."""

from datetime import date
from typing import NamedTuple

from ocrjury.estimate import Resampling
from ocrjury.language import Phrase, phrase, said, tr
from ocrjury.pages.document_text import visible
from ocrjury.pages.numbers import (
    NOTHING,
    count,
    decimal,
    long_date,
    long_moment,
    paragraph,
    percent,
    range_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.agreement import Agreement, weights_text
from ocrjury.report.sections.gate_rule import rule_text
from ocrjury.report.sections.joint_dimensions import JointDimensions
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.sections.sampling import Sampling
from ocrjury.report.sections.scores import Scores
from ocrjury.report_choices import REPORT_KIND_NAMES
from ocrjury.statistics import statistic


class Paragraph(NamedTuple):
    """A method and what was done."""

    title: str
    text: str


def paragraphs(report: ReportData) -> list[Paragraph]:
    """Title and text of the methods that the statement of the statistics does not tell."""
    makers = (_composite, _agreement, _bias, _gate, _truth, _metrics)
    paragraphs_ = [paragraph for make in makers if (paragraph := make(report)) is not None]
    return [*paragraphs_, *(Paragraph(title, text) for title, text in report.methods)]


def _composite(report: ReportData) -> Paragraph | None:
    joint = report.get(JointDimensions)
    if joint is None or not joint.composites:
        return None
    return Paragraph(
        tr("One score"),
        tr(
            "Each rater’s ratings of an item are averaged over dimensions, then treated like those "
            "of one dimension; weights are taken as given. The principal component is that of the "
            "standardised dimensions, its absolute loadings are the weights."
        ),
    )


def _bias(report: ReportData) -> Paragraph | None:
    if not any(row.tested for row in report[Raters].bias):
        return None
    return Paragraph(
        tr("Tests for bias"),
        tr(
            "An additive model takes items and raters out of the ratings; what is left is compared "
            "with ratings shuffled among the raters of an item, or within a session."
        ),
    )


def _agreement(report: ReportData) -> Paragraph | None:
    rows = report[Agreement].dimensions
    if not rows:
        return None
    sentences = [
        tr("Measured on {basis}.", basis=report[Agreement].basis),
        weights_text(report),
        tr(
            "{alpha} at the level of the scale ({scale}); {kappa} of every pair, weighted on "
            "ordered scales; {icc}, two-way random, absolute agreement (Shrout and Fleiss 1979); "
            "{human}, the human agreement of GDPval, with the value that chance would give.",
            alpha=statistic("krippendorff_alpha").short_label,
            scale=report.scale_text or tr("as declared"),
            kappa=statistic("cohen_kappa").short_label,
            icc=statistic("icc").short_label,
            human=statistic("human_agreement").short_label,
        ),
        *dict.fromkeys(said(_INTERVALS[row.ci]) for row in rows),
    ]
    return Paragraph(tr("Agreement"), paragraph(sentences))


_INTERVALS: dict[Resampling | None, Phrase] = {
    "bootstrap": phrase("Intervals: bootstrap."),
    "jackknife": phrase("Intervals: jackknife."),
    None: phrase("Intervals: by published standard errors, none where no error is published."),
}


def _gate(report: ReportData) -> Paragraph | None:
    verdict = report.verdict
    if verdict.advisory:
        advisory = tr("The gate is advisory here: nothing was held back because of it.")
        return Paragraph(tr("Gate"), advisory)
    few = tr(
        "No PASS, and no FAIL by the value alone, with fewer than {least} items that two raters "
        "rated.",
        least=count(verdict.policy.min_items),
    )
    by = verdict.policy.primary.rule
    rule = tr("{rule}: {decisions}", rule=rule_text(report), decisions=_RULES[by])
    several = tr("All conditions must hold.") if len(verdict.policy.conditions) > 1 else ""
    wilson = tr(
        "The bound L of a value v with the standard error s solves (v − L)² = z² s² (1 − L)/"
        "(1 − v), as Wilson’s of a share does; z is the normal quantile of its confidence, or "
        "Student’s where items were drawn in pages."
    )
    bound = wilson if verdict.policy.has_bound else ""
    return Paragraph(tr("Gate"), paragraph([rule, several, bound, few]))


_RULES = {
    "bound": phrase(
        "PASS if the one-sided lower bound reaches the floor, FAIL if the upper bound or the value "
        "stays below it, else INCONCLUSIVE."
    ),
    "point": phrase(
        "PASS if the value reaches the floor, FAIL if it stays below it, else INCONCLUSIVE."
    ),
}


def _truth(report: ReportData) -> Paragraph | None:
    rounds = report.get(Rounds)
    if rounds is None:
        return None
    method = rounds.truth_method
    sentences: list[str] = [
        tr("Inferred by {method}.", method=_TRUTHS.get(method, method.replace("_", " "))),
        _CONFIDENCE[rounds.calibrated],
    ]
    if any(row.kind == "adaptive" for row in rounds.rows):
        sentences.append(
            tr(
                "Items below {level} were asked again where another rating tells most per cost.",
                level=decimal(rounds.target_confidence),
            )
        )
    if rounds.settled:
        sentences.append(
            tr(
                "A label that an adjudicator or a panel settled is that person’s word, certain by "
                "definition."
            )
        )
    return Paragraph(tr("Labels"), paragraph(sentences))


_CONFIDENCE = {
    True: phrase("Its confidence in a label was calibrated on items whose rating is known."),
    False: phrase(
        "Its confidence in a label is the model’s own. Not calibrated: too few gold items."
    ),
}

_TRUTHS = {
    "dawid_skene": phrase(
        "the model of Dawid and Skene (1979) with priors that share strength between raters"
    ),
    "one_coin": phrase("a model with one accuracy per rater"),
    "majority_vote": phrase("majority vote"),
    "mean_rating": phrase("the mean rating"),
    "median_rating": phrase("the median rating"),
}


def _metrics(report: ReportData) -> Paragraph | None:
    scores = report.get(Scores)
    if scores is None or not scores.signature:
        return None
    return Paragraph(
        tr("Automatic metrics"),
        tr(
            "Error rates over characters as people count them. Signature: {signature}",
            signature=scores.signature,
        ),
    )


def _dated(text: str) -> str:
    """Text of the campaign on its pool; days as in ISO 8601 in the language of the report."""
    first, slash, last = text.partition("/")
    try:
        days = [date.fromisoformat(day) for day in (first, last)[: 1 + len(slash)]]
    except ValueError:
        return visible(text)
    return range_text(*map(long_date, days)) if slash else long_date(days[0])


def provenance(report: ReportData) -> list[tuple[str, str]]:
    """Provenance of this report and its data: label and value."""
    who = report.identity
    rows = [
        (tr("Evaluation"), who.evaluation),
        (tr("Report"), tr("version {n}, {kind}", n=who.version, kind=REPORT_KIND_NAMES[who.kind])),
        (tr("Issued"), long_moment(who.issued_at)),
    ]
    rows += [(str(said(label)), _dated(text)) for label, text in who.origin.told]
    for what, digest in who.digests.items():
        name = str(said(what))
        rows.append((f"{name[:1].upper()}{name[1:]}", f"sha256 {digest.removeprefix('sha256:')}"))
    if who.archived:
        attached = tr(
            "CSV: ratings, labels, agreement, estimates, tests for bias, documents. "
            "JSON, with its schema: the evaluation, agreement, estimates, tests for bias."
        )
        rows.append((tr("Attached to the PDF"), attached))
    if who.reproduce:
        rows.append((tr("Reproduce"), who.reproduce))
    return rows


def letter_texts() -> tuple[str, str]:
    """Sentences of a PDF on one character, and on ``{n}``, that no font has; it puts the number."""
    place = {"example": "{example}"}
    return (
        tr(
            "1 character has no glyph in the fonts; it is printed as its code point, {example}.",
            **place,
        ),
        tr(
            "{n} characters have no glyph in the fonts; they are printed as their code points, "
            "such as {example}.",
            n="{n}",
            **place,
        ),
    )


def naive_text(report: ReportData) -> str | None:
    """Fault of the number that nobody should quote."""
    headline = report.shown_headline
    if headline is None or headline.naive is None or headline.items_only:
        return None
    sampling = report.get(Sampling)
    if sampling is not None and sampling.weight_low == sampling.weight_high:
        return tr(
            "The plain mean over the {n} rated items ignores the raters’ severities and what is "
            "known of the whole pool. It is printed so that it can be recognised, not quoted.",
            n=count(report.items.n_rated),
        )
    return tr(
        "The plain mean over the {n} rated items ignores that difficult items were drawn more "
        "often. It is printed so that it can be recognised, not quoted.",
        n=count(report.items.n_rated),
    )


def naive_value(report: ReportData) -> str:
    """Number that nobody should quote."""
    headline = report.shown_headline
    if headline is None or headline.naive is None:
        return NOTHING
    return percent(headline.naive) if headline.is_share else decimal(headline.naive)


SECTION = Section("methods", phrase("Methods"), "report/methods.html.j2", lambda _: True)
