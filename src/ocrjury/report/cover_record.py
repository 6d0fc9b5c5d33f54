"""The record of a report's cover, for all that tell of a report without rendering it."""

import math

from ocrjury.findings.cover import Cover, ShownHeadline
from ocrjury.language import phrase, speaking
from ocrjury.report.data import Headline, ReportData
from ocrjury.report.sections.cover import caption, not_agreed_text, outcome_text, outcome_title

INTERIM = phrase("An interim report shows no result.")
NO_ESTIMATE = phrase("There is no estimate.")


def cover_of(report: ReportData) -> Cover:
    """Cover of a report in its language, without numbers that are not printed."""
    with speaking(report.identity.language):
        return _cover(report)


def _cover(report: ReportData) -> Cover:
    shown = report.shown_headline
    return Cover(
        title=report.identity.title,
        simulated=report.identity.simulated,
        verdict=report.verdict.decision,
        word=report.outcome.word if report.outcome else None,
        sentence=outcome_title(report),
        reason=outcome_text(report),
        headline=_headline(report, shown) if shown else None,
        withheld=None if shown else _withheld(report),
    )


def _headline(report: ReportData, headline: Headline) -> ShownHeadline:
    scale, level, target = report.scale, headline.share_at_least, report.target
    low, high = (scale.low, scale.high) if level is None else (0.0, 1.0)
    return ShownHeadline(
        dimension=headline.dimension,
        caption=caption(report, headline),
        estimate=headline.others,
        low=low,
        high=high,
        share_at_least=math.nan if level is None else level,
        target=math.nan if target is None else target.value,
        uncorrected=headline.uncorrected,
    )


def _withheld(report: ReportData) -> str:
    """Sentence on why there is no headline."""
    if report.identity.kind == "interim":
        return INTERIM.said()
    return not_agreed_text(report) if report.headline else NO_ESTIMATE.said()
