"""Levels that two raters gave to the same items, for the pairs that agree least."""

from ocrjury.findings.confusions import LevelPair
from ocrjury.language import tr
from ocrjury.pages.numbers import estimate_text, paragraph, plural
from ocrjury.report.data import ReportData
from ocrjury.report.sections import confusions
from ocrjury.report.sections.agreement import Agreement


def shown(report: ReportData) -> tuple[LevelPair, ...]:
    """Pairs with a table of levels on the headline's dimension, who agrees least first."""
    own = confusions.dimension(report)
    rows = (row.level_pairs for row in report[Agreement].dimensions if row.dimension == own)
    return next(rows, ())


def title(report: ReportData, pair: LevelPair) -> str:
    """Finding of a table: the two levels that meet most often though they differ."""
    items = plural(pair.n, "shared item")
    if pair.most is None:
        return tr(
            "{first} and {second} give the same level to all of {items}",
            first=pair.rater_a,
            second=pair.rater_b,
            items=items,
        )
    own, other = pair.most
    named = confusions.names(report)
    return tr(
        "{first} gives {own} where {second} gives {other}: {n} of {items}",
        first=pair.rater_a,
        own=named[own],
        second=pair.rater_b,
        other=named[other],
        n=pair.counts[own][other],
        items=items,
    )


def subtitle(report: ReportData, pair: LevelPair) -> str:
    """Agreement of the two, and legend of the cells."""
    return paragraph(
        [
            tr("The same level: {share}.", share=estimate_text(pair.same, share=True)),
            tr(
                "Items on {dimension}; down {first}, across {second}.",
                dimension=report.name(confusions.dimension(report)),
                first=pair.rater_a,
                second=pair.rater_b,
            ),
        ]
    )


def alternative(report: ReportData, pair: LevelPair) -> str:
    """Table in words."""
    return paragraph([tr("{sentence}.", sentence=title(report, pair)), subtitle(report, pair)])
