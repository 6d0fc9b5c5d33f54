"""Chart of the share of uncertain items after each round."""

from itertools import takewhile

from ocrjury.campaign.round_names import ROUND_NAMES, RoundForm
from ocrjury.language import tr, trn
from ocrjury.pages.numbers import count, listing, paragraph, percent, series
from ocrjury.report.sections.rounds import PrintedRound, Rounds, lead, measured


def title(rounds: Rounds) -> str:
    """Finding of the chart: what further ratings brought, apart from who settled."""
    rows = measured(rounds)
    if not rows:
        return tr("No round inferred labels yet")
    first = list(takewhile(lambda row: not row.settles, rows)) or rows[:1]
    change = _change([row for row in first if row.labelled == first[-1].labelled])
    if len(first) == len(rows):
        return change
    known = {
        "change": change,
        "kinds": listing([ROUND_NAMES[form] for form in settling(rounds)]),
        "share": percent(rows[-1].uncertain),
    }
    if risen(rounds):
        return tr("{change}; after {kinds} it is {share}", **known)
    return tr("{change}; {kinds}, certain by definition, left {share}", **known)


def risen(rounds: Rounds) -> bool:
    """Return whether more items are uncertain after adjudication or a panel than before."""
    rows = measured(rounds)
    before = [row.uncertain or 0 for row in takewhile(lambda row: not row.settles, rows)]
    return bool(before) and (rows[-1].uncertain or 0) > before[-1]


def risen_text(rounds: Rounds) -> str:
    """Sentence on why more items are uncertain; empty if they are not."""
    if not risen(rounds):
        return ""
    return tr(
        "A settled label is certain, but it also shows the model which raters were wrong: labels "
        "of other items became less certain."
    )


def text(rounds: Rounds) -> str:
    """Ratings behind the finding of the chart, and what may surprise in it."""
    return paragraph([lead(rounds), risen_text(rounds)])


def _change(rows: list[PrintedRound]) -> str:
    """Change over rounds that asked about the same items, after the first of them."""
    first, last = rows[0].uncertain, rows[-1].uncertain
    before, after = percent(first), _share(rows[-1])
    if len(rows) == 1:
        return tr("After the main round {share} of the items are uncertain", share=before)
    if last is not None and first is not None and last < first:
        return trn(
            "{n} further round brought uncertain items from {before} to {after}",
            "{n} further rounds brought uncertain items from {before} to {after}",
            len(rows) - 1,
            before=before,
            after=after,
        )
    return trn(
        "{n} further round did not lower the share of uncertain items: {before}, now {after}",
        "{n} further rounds did not lower the share of uncertain items: {before}, now {after}",
        len(rows) - 1,
        before=before,
        after=after,
    )


def _share(row: PrintedRound) -> str:
    """Share of uncertain items after a round, with its denominator."""
    if row.labelled is None:
        return percent(row.uncertain)
    return tr("{share} of {n}", share=percent(row.uncertain), n=count(row.labelled))


def shares(rounds: Rounds) -> list[str]:
    """Text above each mark: the share of uncertain items, and their number."""
    return [_share(row) for row in measured(rounds)]


def reading(rounds: Rounds) -> str:
    """Caption of the marks, with the reason why agreement is not among them."""
    square = tr("A square: labels settled by a person, which count as certain by definition.")
    return paragraph(
        [
            tr(
                "Share of items whose label is uncertain after each round; every item with a label "
                "is counted, so there is no sampling error."
            ),
            square if rounds.settled else "",
            risen_text(rounds),
            tr(
                "Agreement is not drawn: later rounds hold the items that divide raters, so it "
                "must fall there."
            ),
        ]
    )


def settling(rounds: Rounds) -> list[RoundForm]:
    """Forms of rounds that settled labels, in order."""
    return list(dict.fromkeys(row.form for row in rounds.rows if row.settles and row.items))


def alternative(rounds: Rounds) -> str:
    """Chart in words."""
    steps = [
        tr(
            "round {number} ({kind}) {share}",
            number=row.number,
            kind=row.name,
            share=_share(row),
        )
        for row in measured(rounds)
    ]
    return tr("{title}. Uncertain items after {rounds}.", title=title(rounds), rounds=series(steps))
