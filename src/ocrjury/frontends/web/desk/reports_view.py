"""All reports of all campaigns as the desk shows them, from what was stored with each."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.comparable_pool import Fingerprints
from ocrjury.findings.cover import Cover, ShownHeadline
from ocrjury.language import said, tr
from ocrjury.pages.geometry import axis_ends
from ocrjury.pages.headline_words import headline_text
from ocrjury.pages.numbers import listing, series, value_text
from ocrjury.store.database import Engine
from ocrjury.store.fingerprints import fingerprints_of
from ocrjury.store.reports import IssuedReport, list_issued, list_outcomes

LISTED = 200
"""Number of reports in the list, the newest."""
CHARTED = 11
"""Number of evaluations in a chart: a quarter of weekly ones."""
_ENDED: Final[Mapping[str, Callable[[int], str]]] = {
    "sent": lambda n: tr("{n} sent", n=n),
    "given_up": lambda n: tr("{n} given up", n=n),
    "failed": lambda n: tr("{n} failed, tried again", n=n),
}
"""Words for a number of deliveries, by their state."""


class ReportLine(NamedTuple):
    """A report in the list; ``headline`` is why there is none where ``shown`` is false."""

    evaluation: str
    campaign: str
    title: str
    period: str
    kind: str
    version: int
    at: datetime
    word: str
    headline: str
    shown: bool
    simulated: bool
    delivery: str


class Point(NamedTuple):
    """The headline of an evaluation in a chart."""

    period: str
    mean: Estimate


class CampaignTrend(NamedTuple):
    """The headlines of a campaign over time, the oldest first, and all that its chart needs.

    ``note`` says which evaluations are not in it, because a later one has their outputs or ratings.
    """

    title: str
    caption: str
    sentence: str
    points: Sequence[Point]
    texts: Sequence[str]
    ends: tuple[float, float]
    target: float | None
    is_share: bool
    note: str


def list_view(
    engine: Engine, *, sees: Callable[[str], bool] | None = None
) -> tuple[list[ReportLine], list[CampaignTrend]]:
    """Newest reports, the newest first, and the trends of their campaigns.

    Parameters
    ----------
    sees
        Whether an evaluation is shown to whoever asks; None: every one is.
    """
    issued = list_issued(engine, limit=LISTED if sees is None else None)
    reports = [report for report in issued if sees is None or sees(report.evaluation)][:LISTED]
    delivered = _deliveries(engine, reports)
    lines = [
        _line(report, delivered.get((report.evaluation, report.sha256), "")) for report in reports
    ]
    by_campaign: dict[str, list[IssuedReport]] = defaultdict(list)
    for report in reports:
        by_campaign[report.campaign].append(report)
    judged = fingerprints_of(engine, {report.evaluation for report in reports})
    return lines, [trend for own in by_campaign.values() if (trend := _trend(own, judged))]


def _line(report: IssuedReport, delivery: str) -> ReportLine:
    cover, headline = report.cover, report.cover.headline
    shown = said(cover.withheld) if headline is None else headline_text(headline)
    if not delivery and report.kind == "final" and report.state == "reported":
        delivery = tr("on its way")
    return ReportLine(
        evaluation=report.evaluation,
        campaign=report.campaign,
        title=cover.title,
        period=report.period,
        kind=report.kind,
        version=report.version,
        at=report.at,
        word=cover.word or cover.verdict,
        headline=shown,
        shown=headline is not None,
        simulated=cover.simulated,
        delivery=delivery,
    )


def _deliveries(engine: Engine, reports: Iterable[IssuedReport]) -> dict[tuple[str, str], str]:
    """Outcome of the deliveries of every report, by its evaluation and hash."""
    last: dict[tuple[str, str], dict[tuple[str, str], str]] = defaultdict(dict)
    for delivery in list_outcomes(engine, sorted({report.evaluation for report in reports})):
        last[delivery.evaluation, delivery.sha256][delivery.what, delivery.recipient.lower()] = (
            delivery.state
        )
    return {
        key: series(_ENDED[state](count) for state, count in sorted(Counter(ends.values()).items()))
        for key, ends in last.items()
    }


def _trend(
    reports: Sequence[IssuedReport], judged: Mapping[str, Fingerprints]
) -> CampaignTrend | None:
    """Trend of a campaign's headlines, the newest report first; None with fewer than two.

    Only numbers of what the newest one is of are compared. A rehearsal shows nothing, nor does an
    evaluation that was aborted, or whose newest report withholds what an earlier one showed. Where
    the same outputs were rated again, nothing has changed: the newest evaluation of them stands.
    """
    newest: dict[str, IssuedReport] = {}
    for report in reports:
        if report.kind == "final" and report.state != "aborted" and not report.cover.simulated:
            newest.setdefault(report.evaluation, report)
    shown: list[tuple[IssuedReport, Cover, ShownHeadline]] = [
        (report, report.cover, headline)
        for report in newest.values()
        if (headline := report.cover.headline) is not None and headline.estimate.defined
    ]
    series_ = sorted(shown, key=lambda each: each[0].opened_at)
    alike = [each for each in series_ if each[2].subject == series_[-1][2].subject]
    marks = [judged[report.evaluation] for report, _, _ in alike]
    again = [
        any(mark.repeat(later) for later in marks[place + 1 :]) for place, mark in enumerate(marks)
    ]
    drawn = [
        (report.period, headline)
        for (report, _, headline), repeated in zip(alike, again, strict=True)
        if not repeated
    ][-CHARTED:]
    left_out = [each[0].period for each, repeated in zip(alike, again, strict=True) if repeated]
    return _chart(series_[-1][1].title, drawn, left_out) if len(drawn) > 1 else None


def _chart(
    title: str, alike: Sequence[tuple[str, ShownHeadline]], left_out: Sequence[str]
) -> CampaignTrend:
    """Chart of numbers of one subject."""
    last = alike[-1][1]
    text = tr("; ").join(f"{period} {headline_text(headline)}" for period, headline in alike)
    target = last.target if last.target == last.target else None
    return CampaignTrend(
        title=title,
        caption=last.caption,
        sentence=tr(
            "{title}. {caption}: {values}.", title=title, caption=last.caption, values=text
        ),
        points=[Point(period, headline.estimate) for period, headline in alike],
        texts=[value_text(headline.estimate, share=last.is_share) for _, headline in alike],
        ends=axis_ends(
            (headline.estimate for _, headline in alike),
            *([] if target is None else [target]),
            step=(last.high - last.low) / 8,
            low=last.low,
            high=last.high,
        ),
        target=target,
        is_share=last.is_share,
        note=_left_out(left_out),
    )


def _left_out(periods: Sequence[str]) -> str:
    """Sentence about evaluations that a later one repeats, empty without any."""
    if not periods:
        return ""
    return tr(
        "Not drawn: {periods}, because a later evaluation has the same outputs or ratings.",
        periods=listing(periods),
    )
