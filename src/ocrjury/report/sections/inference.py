"""Computation of the headline and its range."""

import math

from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.language import phrase, said, tr
from ocrjury.pages.numbers import count, decimal, listing, paragraph, plural, short, value_text
from ocrjury.rater_model.tolerance import TOLERANCE
from ocrjury.report.data import Headline, ReportData
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.sampling import Sampling
from ocrjury.report.sections.sources import variance_text

_KNOWN = {
    "cer": phrase("the error rate"),
    "confidence": phrase("the OCR confidence"),
    "doc_type": phrase("the document type"),
}
_WITHIN_PAGES = phrase("Errors of a page’s outputs are added up before they are squared.")


def estimates_of(report: ReportData) -> PoolEstimates | None:
    """Estimates on the headline's dimension."""
    name = None if report.headline is None else report.headline.dimension
    return next((row for row in report.estimates if row.dimension == name), None)


def estimator(report: ReportData, headline: Headline) -> str:
    """Estimator of the headline, with its cross-check."""
    if headline.items_only:
        if headline.weighted:
            return tr("Weighted mean of the items’ mean ratings (Hájek).")
        return tr("Plain mean of the items’ mean ratings.")
    alone = len(report[Raters].rows) == 1
    if headline.sources is None or headline.sources.estimator == "Hajek":
        if alone:
            return tr("Hájek’s ratio mean of the ratings of one rater, as they were given.")
        return tr(
            "Hájek’s ratio mean of ratings from which each rater’s severity is taken off; a rater "
            "whose error variance is more than {times} times the median counts less.",
            times=short(TOLERANCE),
        )
    return paragraph([_greg(estimates_of(report), alone=alone), _cross_check(headline)])


def _greg(estimates: PoolEstimates | None, *, alone: bool) -> str:
    known = [] if estimates is None else [row.source for row in estimates.savings if row.source]
    auxiliaries = [said(_KNOWN.get(source, source)) for source in known]
    known_of_all = listing(auxiliaries) or tr("what is known of the whole pool")
    if alone:
        return tr(
            "GREG (Särndal, Swensson and Wretman 1992) on {auxiliaries}; the ratings of the one "
            "rater are taken as they were given.",
            auxiliaries=known_of_all,
        )
    return tr(
        "GREG (Särndal, Swensson and Wretman 1992) on {auxiliaries}, each rater’s severity taken "
        "off; a rater whose error variance is more than {times} times the median counts less.",
        times=short(TOLERANCE),
        auxiliaries=known_of_all,
    )


def _cross_check(headline: Headline) -> str:
    if headline.hajek is None:
        return ""
    value = value_text(headline.hajek, share=headline.is_share)
    return tr(
        "Hájek’s ratio mean of plain item means, which uses none of this: {value}.", value=value
    )


def variance(report: ReportData, headline: Headline) -> str:
    """Sources of error that the range counts, and their shares."""
    if headline.items_only:
        return tr("Between the items’ means; the raters are taken as given.")
    if headline.uncorrected is None and len(report[Raters].rows) == 1:
        return tr(
            "Linearised for the draw (Deville 1999), for this rater only: one rater does not show "
            "how raters differ."
        )
    if headline.uncorrected is None:
        text = tr(
            "Linearised for the draw (Deville 1999), plus the noise of ratings and, for comparable "
            "raters, the variance between the {raters}.",
            raters=plural(len(report[Raters].rows), "rater"),
        )
    else:
        text = tr(
            "Linearised for the draw (Deville 1999), plus the noise of ratings and what gold "
            "leaves open of the raters’ level."
        )
    sampling = report.get(Sampling)
    pages = "" if sampling is None or sampling.drawn_pages is None else said(_WITHIN_PAGES)
    if headline.sources is None or not headline.sources.variance:
        return paragraph([text, pages])
    shares = tr("Shares: {parts}.", parts=variance_text(headline.sources))
    return paragraph([text, pages, shares])


def freedom(headline: Headline) -> str:
    """Degrees of freedom of the range."""
    if headline.items_only:
        return tr("Draws less one: {n}.", n=count(max(headline.others.n_draws - 1, 0)))
    if headline.sources is None:
        return tr("Those of the t quantile are Satterthwaite’s.")
    if not math.isfinite(headline.sources.df):
        return tr("None: the headline has no range.")
    df = decimal(headline.sources.df, 1)
    if headline.is_share:
        return _freedom_of_share(df, corrected=headline.uncorrected is not None)
    if headline.uncorrected is None:
        return tr(
            "{df} (Cochran and Cox, t quantile); ranges are cut at the ends of the scale.", df=df
        )
    return tr("{df} (Satterthwaite, t quantile); ranges are cut at the ends of the scale.", df=df)


def _freedom_of_share(df: str, *, corrected: bool) -> str:
    """Degrees of freedom of the range of a share."""
    if corrected:
        return tr(
            "{df} (Satterthwaite, t quantile); the range of a share is symmetric on the logit "
            "scale, and near 0% and 100% not shorter than that of Clopper and Pearson.",
            df=df,
        )
    return tr(
        "{df} (Cochran and Cox, t quantile); the range of a share is symmetric on the logit "
        "scale, and near 0% and 100% not shorter than that of Clopper and Pearson.",
        df=df,
    )
