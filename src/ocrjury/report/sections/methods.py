"""Methods and provenance."""

from typing import NamedTuple

from ocrjury.pages.numbers import count, decimal, long_moment, percent, plural
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.agreement import Agreement, rule_text
from ocrjury.report.sections.contents import OTHERS, THESE, Reading
from ocrjury.report.sections.gate import confidence_text
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.sections.sampling import Sampling
from ocrjury.report.sections.scores import Scores
from ocrjury.report.sections.together import Together


class Paragraph(NamedTuple):
    """A method and what was done."""

    title: str
    text: str


def paragraphs(report: ReportData) -> list[Paragraph]:
    """Title and text of every method that this report used."""
    makers = (_sampling, _estimation, _composite, _agreement, _bias, _gate, _truth, _metrics)
    found = [paragraph for make in makers if (paragraph := make(report)) is not None]
    return [*found, *(Paragraph(title, text) for title, text in report.methods)]


def _sampling(report: ReportData) -> Paragraph | None:
    sampling = report.get(Sampling)
    if sampling is None:
        return None
    shares = ", ".join(
        f"{percent(row.share, 0)} {row.reason.replace('_', '-')}" for row in sampling.parts
    )
    return Paragraph(
        "Sampling",
        f"One draw of {plural(sampling.n, 'document')} from composite inclusion probabilities "
        f"({shares}); Pareto order sampling (Rosén 1997) with hashed permanent random numbers, so "
        "the order of rows does not matter and a larger sample contains the smaller one.",
    )


def _estimation(report: ReportData) -> Paragraph | None:
    headline = report.shown_headline
    if headline is None:
        return None
    if headline.items_only:
        mean = "Plain mean" if headline.others.method.startswith("plain") else _DRAWN
        return Paragraph(
            "Estimation",
            f"{mean} of the items’ mean ratings with a t interval over items. Nothing is said "
            "about items that were not rated.",
        )
    greg = (
        "Means are generalised regression estimates (Särndal, Swensson and Wretman 1992) on what "
        "is known of every document of the pool (error rate, confidence, document type), with the "
        "variance of Deville (1999). Each rater’s severity is taken off, and a rater whose error "
        "variance is more than 2.5 times the median counts less. Hájek’s ratio mean of the items’ "
        "plain means stands beside them as a cross-check that uses none of this."
    )
    ratio = "Means are Hájek’s ratio means, weighted by the inverse of the inclusion probability."
    method = headline.others.method
    return Paragraph(
        "Estimation",
        f"{greg if 'GREG' in method else ratio} {_range(THESE)} {_range(OTHERS)} It adds the "
        f"variance between the {plural(len(report[Raters].rows), 'rater')} (t quantile), as if "
        "they were a random draw of such raters. Ranges are cut at the ends of the scale. "
        f"Method: {method or 'not named'}.",
    )


_DRAWN = "Mean, weighted by one over the probability with which each item was drawn (Hájek),"


def _range(reading: Reading) -> str:
    return f"“{reading.name}”: {reading.text}"


def _composite(report: ReportData) -> Paragraph | None:
    together = report.get(Together)
    if together is None or not together.composites:
        return None
    return Paragraph(
        "One score",
        "Each rater’s ratings of an item are averaged over dimensions, then treated like those of "
        "one dimension; weights are taken as given. The principal component is that of the "
        "standardised dimensions, its absolute loadings are the weights.",
    )


def _bias(report: ReportData) -> Paragraph | None:
    if not report[Raters].bias:
        return None
    return Paragraph(
        "Tests for bias",
        "An additive model takes items and raters out of the ratings; what is left is compared "
        "with ratings shuffled among the raters of an item, or within a session.",
    )


def _agreement(report: ReportData) -> Paragraph | None:
    rows = report[Agreement].dimensions
    if not rows:
        return None
    estimate = rows[0].get("krippendorff_alpha")
    return Paragraph(
        "Agreement",
        f"Measured on {report[Agreement].basis}. Krippendorff’s α at the level of the scale "
        f"({report.scale_text or 'as declared'}); Cohen’s κ of every pair, weighted on ordered "
        "scales; ICC(2,1), two-way random, absolute agreement (Shrout and Fleiss 1979); A^HH, the "
        "human agreement of GDPval, with the value that chance would give. Intervals: "
        f"{estimate.method or 'jackknife over items'}.",
    )


def _gate(report: ReportData) -> Paragraph | None:
    verdict = report.verdict
    if verdict.advisory:
        return Paragraph("Gate", "The gate is advisory here: nothing was held back because of it.")
    return Paragraph(
        "Gate",
        f"{rule_text(report)}: {_RULES[verdict.rule]} else INCONCLUSIVE. No PASS, and no FAIL by "
        "the value alone, with fewer than 50 items that two raters rated. "
        f"{confidence_text(report) or ''}".rstrip(),
    )


_RULES = {
    "bound": "PASS if the one-sided lower bound reaches the floor, FAIL if the upper bound or "
    "the value stays below it,",
    "point": "PASS if the value reaches the floor, FAIL if it stays below it,",
}


def _truth(report: ReportData) -> Paragraph | None:
    rounds = report.get(Rounds)
    if rounds is None:
        return None
    method = _TRUTHS.get(rounds.truth_method, rounds.truth_method.replace("_", " "))
    again = ""
    if any(row.kind == "adaptive" for row in rounds.rows):
        level = decimal(rounds.target_confidence)
        again = f" Items below {level} were asked again where another rating tells most per cost."
    settled = ""
    if rounds.settled:
        settled = (
            " A label that an adjudicator or a panel settled is that person’s word, "
            "certain by definition."
        )
    return Paragraph(
        "Labels",
        f"Inferred by {method}. {_CONFIDENCE[rounds.calibrated]}{again}{settled}",
    )


_CONFIDENCE = {
    True: "Its confidence in a label was calibrated on items whose rating is known.",
    False: "Its confidence in a label is the model’s own. Not calibrated: too few gold items.",
}

_TRUTHS = {
    "dawid_skene": "the model of Dawid and Skene (1979) with priors that share strength between "
    "raters",
    "one_coin": "a model with one accuracy per rater",
    "majority_vote": "majority vote",
    "mean_rating": "the mean rating",
    "median_rating": "the median rating",
}


def _metrics(report: ReportData) -> Paragraph | None:
    scores = report.get(Scores)
    if scores is None or not scores.signature:
        return None
    return Paragraph(
        "Automatic metrics",
        f"Error rates over characters as people count them. Signature: {scores.signature}",
    )


def provenance(report: ReportData) -> list[tuple[str, str]]:
    """What would give the same numbers again: label and value."""
    who = report.identity
    rows = [("Evaluation", who.evaluation), ("Report", f"version {who.version}, {who.kind}")]
    rows.append(("Issued", long_moment(who.issued_at)))
    if who.seed is not None:
        rows.append(("Seed", str(who.seed)))
    rows += [
        (word.capitalize(), f"sha256 {digest.removeprefix('sha256:')}")
        for word, digest in who.digests.items()
    ]
    software = [("ocrjury", who.package_version), *who.software]
    rows.append(("Software", " · ".join(f"{name} {version}" for name, version in software)))
    if who.reproduce:
        rows.append(("Reproduce", who.reproduce))
    return rows


def naive_text(report: ReportData) -> str | None:
    """Fault of the number that nobody should quote."""
    headline = report.shown_headline
    if headline is None or headline.naive is None or headline.items_only:
        return None
    return (
        f"The plain mean over the {count(report.items.n_rated)} rated items ignores that difficult "
        "documents were drawn more often. It is printed so that it can be recognised, not quoted."
    )


def naive_value(report: ReportData) -> str:
    """Number that nobody should quote."""
    headline = report.shown_headline
    if headline is None or headline.naive is None:
        return "—"
    return percent(headline.naive) if headline.is_share else decimal(headline.naive)


SECTION = Section("methods", "Methods and provenance", "report/methods.html.j2", lambda _: True)
