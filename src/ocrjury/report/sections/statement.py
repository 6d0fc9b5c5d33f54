"""Statement of the statistics: what was estimated, of what, and how, on one page."""

from typing import NamedTuple

from ocrjury.language import said, tr, trn
from ocrjury.pages.numbers import (
    clauses,
    count,
    decimal,
    paragraph,
    percent,
    plural,
    range_text,
    series,
    short_hash,
)
from ocrjury.pages.unread_words import unread_text
from ocrjury.report.data import ReportData
from ocrjury.report.sections import inference
from ocrjury.report.sections.counts import Counts, documents_text, pool_text
from ocrjury.report.sections.families import multiplicity_text
from ocrjury.report.sections.gate import confidence_text, looks_text
from ocrjury.report.sections.inference import estimates_of
from ocrjury.report.sections.response import aside_text, excluded_text
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.sections.sampling import Sampling
from ocrjury.rounding import given
from ocrjury.sampling.designs import PART_NAMES
from ocrjury.sampling.drawing import SMALL_POOL


class Row(NamedTuple):
    """One property of the evaluation, and what it is here."""

    name: str
    text: str


def rows(report: ReportData) -> list[Row]:
    """All properties, in the order in which a statistician asks for them."""
    return [
        Row(tr("Estimand"), _estimand(report)),
        Row(tr("Population"), _population(report)),
        Row(tr("Sampling design"), _design(report.get(Sampling), report.get(Counts))),
        Row(tr("Weights"), _weights(report)),
        *_inference(report),
        Row(tr("Looks of the gate"), _looks(report)),
        Row(tr("Multiplicity"), multiplicity_text(report)),
        Row(tr("Non-response"), _response(report)),
        Row(tr("Adaptivity"), _adaptivity(report)),
        Row(tr("Gold"), _gold(report)),
        Row(tr("Software"), _software(report)),
        Row(tr("Seed and hashes"), _seed(report)),
    ]


def _estimand(report: ReportData) -> str:
    headline = report.headline
    if headline is None:
        return tr("The categories have no order, so no mean is estimated.")
    dimension = report.name(headline.dimension)
    if headline.items_only and headline.weighted:
        return tr(
            "Mean rating on {dimension} of the pool that these items stand for by their weights.",
            dimension=dimension,
        )
    if headline.items_only:
        return tr(
            "Mean rating on {dimension} of these items, and of no others.", dimension=dimension
        )
    if headline.share_at_least is not None:
        text = tr(
            "Share of the pool that comparable raters would rate {level} or better on {dimension}.",
            level=given(headline.share_at_least),
            dimension=dimension,
        )
    else:
        text = tr(
            "Mean rating of the whole pool on {dimension} by comparable raters.",
            dimension=dimension,
        )
    hidden = "" if report.shown_headline else tr("It is not printed: agreement was not shown.")
    return paragraph([text, hidden])


def _population(report: ReportData) -> str:
    sampling, counts = report.get(Sampling), report.get(Counts)
    if sampling is None:
        return trn(
            "The {n} rated item; its pool is not known.",
            "The {n} rated items; their pool is not known.",
            report.items.n_rated,
        )
    pool = plural(sampling.pool_size, "document") if counts is None else pool_text(counts)
    in_frame = tr("N = {pool}, all of them in the frame.", pool=pool)
    return paragraph([in_frame, "" if counts is None else unread_text(counts.unread)])


def _design(sampling: Sampling | None, counts: Counts | None) -> str:
    if sampling is None:
        return tr("Not known: the items are taken as they came.")
    if sampling.everything:
        return tr("The whole pool was taken.")
    parts = [
        tr("{part} {share}", part=PART_NAMES[row.reason], share=percent(row.share, 0))
        for row in sampling.parts
    ]
    words = {"documents": documents_text(counts, sampling.n), "parts": series(parts)}
    if sampling.drawn_pages is None:
        drawn = tr("One draw of {documents} with known probabilities: {parts}.", **words)
    else:
        drawn = tr(
            "One draw of {pages} with known probabilities, each with all its outputs, {documents} "
            "in all: {parts}.",
            pages=plural(sampling.drawn_pages, "page"),
            **words,
        )
    if sampling.units < SMALL_POOL:
        how = tr("Systematic in hashed order (Hartley and Rao 1962).")
    else:
        how = tr(
            "Pareto order sampling (Rosén 1997) with hashed permanent random numbers, so the order "
            "of rows does not matter and a larger sample contains the smaller one."
        )
    return paragraph([drawn, how])


def _weights(report: ReportData) -> str:
    sampling, headline = report.get(Sampling), report.headline
    if sampling is None:
        if headline is None or not headline.weighted:
            return tr("Every item counts alike.")
        return tr("Inverse of the probability that was given with each item.")
    if sampling.everything:
        return tr("All 1: every item stands for itself.")
    low, high = decimal(sampling.weight_low, 1), decimal(sampling.weight_high, 1)
    if low == high:
        return tr("Inverse of the inclusion probability: {weight} for every item.", weight=low)
    return tr(
        "Inverse of the inclusion probability: {range}, median {median}.",
        range=range_text(low, high),
        median=decimal(sampling.weight_median, 1),
    )


def _inference(report: ReportData) -> list[Row]:
    names = (tr("Estimator"), tr("Variance"), tr("Degrees of freedom"))
    headline = report.shown_headline
    if headline is None:
        return [Row(" · ".join(names), tr("No estimate is printed."))]
    texts = (
        inference.estimator(report, headline),
        inference.variance(report, headline),
        inference.freedom(headline),
    )
    return [Row(*row) for row in zip(names, texts, strict=True)]


def _looks(report: ReportData) -> str:
    verdict = report.verdict
    if verdict.advisory:
        return tr("The gate is advisory here.")
    if not verdict.policy.has_bound:
        return tr("The gate goes by the value, so no error is spent.")
    by_value = tr("Conditions that go by the value promise nothing about an error.")
    alone = verdict.policy.primary.rule == "bound"
    bound = [looks_text(report), confidence_text(report) or ""]
    return paragraph(bound if alone else [by_value, *bound])


def _response(report: ReportData) -> str:
    estimates = estimates_of(report)
    if estimates is None or estimates.response is None:
        return _unweighted_response(report.get(Counts), report.get(Rounds))
    response, dimension = estimates.response, report.name(estimates.dimension)
    aside = aside_text(dimension, response)
    if response.rated < response.drawn:
        missing = tr(
            "{missing} of {drawn} drawn items have no rating; the rated ones of their stratum "
            "stand for them and count up to {factor} times as much.",
            missing=count(response.drawn - response.rated),
            drawn=count(response.drawn),
            factor=decimal(response.growth),
        )
        return paragraph([missing, aside, excluded_text(response)])
    came = {
        "dimension": dimension,
        "drawn": count(response.drawn),
        "given": count(response.given),
        "wanted": count(response.wanted),
    }
    if not aside:
        return tr(
            "All {drawn} drawn items have a rating on {dimension}; {given} of {wanted} ratings "
            "were given.",
            **came,
        )
    whole = tr(
        "All {drawn} drawn items have a rating on {dimension}; {given} of {wanted} ratings count.",
        **came,
    )
    return paragraph([whole, aside])


def _unweighted_response(counts: Counts | None, rounds: Rounds | None) -> str:
    """Sentence on the response, where no estimate has to make up for missing ratings."""
    main = [] if rounds is None else [row for row in rounds.rows if row.kind == "main"]
    requested = sum(row.asked or 0 for row in main)
    if counts is None or not requested:
        return tr("Does not apply: nobody knows which ratings were asked for.")
    return tr(
        "{rated} of {drawn} drawn items have a rating; {done} of {asked} assignments of the main "
        "rounds were done.",
        rated=count(counts.rated),
        drawn=count(counts.drawn),
        done=count(sum(row.assignments or 0 for row in main)),
        asked=count(requested),
    )


def _adaptivity(report: ReportData) -> str:
    rounds = report.get(Rounds)
    if rounds is None:
        return tr("Does not apply: the ratings came in one file.")
    later = sum(
        row.ratings or 0 for row in rounds.rows if row.kind in {"adaptive", "adjudication", "panel"}
    )
    first = trn(
        "Estimates and agreement rest on the {n} first-pass rating of the main rounds.",
        "Estimates and agreement rest on the {n} first-pass ratings of the main rounds.",
        report.n_ratings,
    )
    if not later:
        return paragraph([first, tr("No item was rated again.")])
    again = trn(
        "The {n} later rating (asked again, adjudication, panel) enters the labels only.",
        "The {n} later ratings (asked again, adjudication, panel) enter the labels only.",
        later,
    )
    return paragraph([first, again])


def _gold(report: ReportData) -> str:
    estimates, counts = estimates_of(report), report.get(Counts)
    if estimates is not None and estimates.gold is not None:
        words = {
            "ratings": plural(estimates.gold.n_ratings, "rating"),
            "items": plural(estimates.gold.n_items, "gold item"),
        }
        if not estimates.gold.n_sampled:
            return tr("{ratings} of {items} correct the raters’ level.", **words)
        return tr(
            "{ratings} of {items}, {n} of them drawn into the sample, correct the raters’ level.",
            n=count(estimates.gold.n_sampled),
            **words,
        )
    if counts is not None and counts.gold:
        return trn(
            "{n} gold item was rated; no estimate is corrected by it.",
            "{n} gold items were rated; no estimate is corrected by them.",
            counts.gold,
        )
    return tr("No gold item was rated.")


def _software(report: ReportData) -> str:
    who = report.identity
    return " · ".join(
        f"{name} {number}" for name, number in [("ocrjury", who.package_version), *who.software]
    )


def _seed(report: ReportData) -> str:
    who = report.identity
    parts = [] if who.seed is None else [tr("seed {seed}", seed=who.seed)]
    parts += [
        tr("{what} {hash}", what=said(what), hash=short_hash(digest))
        for what, digest in who.digests.items()
    ]
    return clauses(parts) or tr("Not known.")
