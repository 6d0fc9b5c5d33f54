"""Rounds of rating."""

from dataclasses import dataclass
from itertools import pairwise

from ocrjury.adaptive.defaults import TARGET_CONFIDENCE
from ocrjury.campaign.capabilities import missing_capabilities
from ocrjury.campaign.history import RoundKind
from ocrjury.campaign.prices import currency_of
from ocrjury.campaign.round_names import COUNTED_ROUNDS, ROUND_NAMES, RoundForm
from ocrjury.language import counted, phrase, tr, trn
from ocrjury.pages.numbers import count, decimal, listing, paragraph
from ocrjury.report.sections import Section
from ocrjury.report.sections.decisions import Decisions, decisions_of
from ocrjury.report.sections.rubric_versions import rubric_versions_of
from ocrjury.report.stored_evaluation import Stored
from ocrjury.store.rounds import TAKES_OVER, RoundRow
from ocrjury.store.shown_images import UNCHANGED, ChangedImages


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRound:
    """One wave of rating.

    ``asked`` counts what raters were asked for (one item, one rater), ``assignments`` what of it
    they did, ``ratings`` the values they gave that count, one for each dimension; None where nobody
    counted. ``aside`` counts values that were set aside for a recalibration, ``excluded`` others of
    items that a lead excluded after they were rated. ``uncertain`` is the share of the ``labelled``
    items below target confidence after the round, None where truth was not inferred (a pilot).
    """

    number: int
    kind: RoundKind
    rule: str
    items: int
    asked: int | None = None
    assignments: int | None = None
    ratings: int | None = None
    aside: int = 0
    excluded: int = 0
    raters: int
    cost: float | None = None
    uncertain: float | None = None
    labelled: int | None = None
    frontend: str | None = None
    """Frontend in which raters worked, as `rounds.frontend` names it; None if unknown."""
    lacking: tuple[str, ...] = ()
    """Capabilities that the frontend lacks, as `ocrjury.campaign.capabilities` names them."""
    top_up: bool = False
    """Whether the round holds the next documents in draw order, after an inconclusive gate."""

    @property
    def form(self) -> RoundForm:
        """Kind of the round, or "expert" where one expert made up the panel."""
        return "expert" if self.kind == "panel" and self.raters == 1 else self.kind

    @property
    def name(self) -> str:
        """Kind of the round as it is printed."""
        return ROUND_NAMES[self.form]

    @property
    def settles(self) -> bool:
        """Whether the answers are taken as the labels, which then are certain."""
        return self.kind in {"adjudication", "panel"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """All rounds in order, and when an item counts as certain.

    ``truth_method`` is a method of `ocrjury.truth.aggregate`; ``unresolved`` counts items below
    the target confidence after the last round. ``calibrated`` tells whether that confidence was
    checked on known items, on every dimension; else it is the model's own and no probability.
    ``images`` are those that raters saw otherwise than they were drawn.
    ``cost_unit`` follows an amount; none is that of the registry. ``ordered`` tells whether the
    scale has an order. ``excluded_items`` were excluded by a lead after somebody had rated them.
    """

    rows: tuple[PrintedRound, ...]
    target_confidence: float = TARGET_CONFIDENCE
    cost_unit: str = ""
    unresolved: int = 0
    truth_method: str = "dawid_skene"
    calibrated: bool = False
    ordered: bool = True
    images: ChangedImages = UNCHANGED
    excluded_items: int = 0

    @property
    def confidence(self) -> str:
        """Name of the labels' confidence, in two words."""
        if self.calibrated:
            return phrase("calibrated confidence")
        return phrase("model confidence")

    @property
    def settled(self) -> bool:
        """Whether some labels are one person's word."""
        return any(row.settles and row.items for row in self.rows)


def rounds_of(stored: Stored) -> Rounds:
    """Rounds in order, with the share of items that was uncertain after each."""
    held = [row for row in stored.rounds if row.state != "dropped"]
    # A main round right after another one tops it up; after a pilot it starts anew.
    top_ups = {b.round for a, b in pairwise(held) if a.kind == b.kind == "main"}
    return Rounds(
        rows=tuple(_round(stored, row, top_up=row.round in top_ups) for row in held),
        target_confidence=stored.campaign.truth.target_confidence,
        truth_method=stored.campaign.truth.method,
        unresolved=_uncertain(stored, stored.rounds[-1].round)[0],
        calibrated=_calibrated(stored),
        ordered=stored.campaign.rubric.scales[stored.target_dimension].ordered,
        images=stored.images,
        excluded_items=len({item for _, item in stored.uncounted.excluded}),
        cost_unit=_currency(stored),
    )


def _currency(stored: Stored) -> str:
    """Currency of what was rated; empty where somebody who rated has no price."""
    done = {row.rater for row in stored.assignments if row.state == "done"}
    unpriced = any(row.price is None for row in stored.people if row.pseudonym in done)
    return "" if unpriced else currency_of(stored.row.config)


def _round(stored: Stored, row: RoundRow, *, top_up: bool) -> PrintedRound:
    assignments = [a for a in stored.assignments if a.round == row.round]
    done = [a for a in assignments if a.state == "done"]
    of_done = {a.assignment for a in done}
    cost = {person.pseudonym: person.cost for person in stored.people}
    uncertain, n_items = _uncertain(stored, row.round)
    return PrintedRound(
        number=row.round,
        kind=row.kind,
        rule=row.rule,
        frontend=row.frontend,
        lacking=missing_capabilities(row.frontend),
        top_up=top_up,
        items=len({a.item for a in done}),
        asked=sum(a.reason != TAKES_OVER for a in assignments),
        assignments=len(done),
        ratings=sum(rating.round == row.round for rating in stored.ratings),
        aside=sum(assignment in of_done for assignment, _, _ in stored.uncounted.set_aside),
        excluded=sum(number == row.round for number, _ in stored.uncounted.excluded),
        raters=len({a.rater for a in done}),
        cost=sum(cost[a.rater] for a in done),
        uncertain=uncertain / n_items if n_items else None,
        labelled=n_items or None,
    )


def _calibrated(stored: Stored) -> bool:
    """Return whether the newest labels' confidence was checked, on every dimension."""
    inferred = [row.round for row in stored.rounds if row.round in stored.truth_by_round]
    return bool(inferred) and stored.truth_by_round[inferred[-1]].calibrated


def _uncertain(stored: Stored, number: int) -> tuple[int, int]:
    """Items below the target confidence after a round, and of how many."""
    summary = stored.truth_by_round.get(number)
    return (0, 0) if summary is None else (summary.overall.uncertain_items, summary.overall.n_items)


def measured(rounds: Rounds) -> list[PrintedRound]:
    """Rounds after which truth was inferred."""
    return [row for row in rounds.rows if row.uncertain is not None]


def lead(rounds: Rounds) -> str:
    """Section in a sentence or two."""
    uncertain = tr(
        "An item is uncertain while the {confidence} in its inferred label, on any dimension, is "
        "below {level}.",
        confidence=rounds.confidence,
        level=decimal(rounds.target_confidence),
    )
    return paragraph([_counted(rounds), _excluded(rounds), uncertain])


def _counted(rounds: Rounds) -> str:
    """Sentence on the work done in each kind of round, as far as it was counted."""
    forms = [row.form for row in rounds.rows]
    held = listing([of(forms.count(form)) for form, of in COUNTED_ROUNDS.items() if form in forms])
    assignments = [row.assignments for row in rounds.rows if row.assignments is not None]
    if len(assignments) < len(rounds.rows):
        return tr("There were {rounds}.", rounds=held)
    done = counted(sum(assignments), "assignment")
    ratings = [row.ratings for row in rounds.rows if row.ratings is not None]
    if len(ratings) < len(rounds.rows):
        return tr("{assignments} were done in {rounds}.", assignments=done, rounds=held)
    if aside := sum(row.aside for row in rounds.rows):
        return trn(
            "{assignments}, with {ratings} that count, were done in {rounds}; {n} more rating was "
            "set aside for a recalibration.",
            "{assignments}, with {ratings} that count, were done in {rounds}; {n} more ratings "
            "were set aside for a recalibration.",
            aside,
            assignments=done,
            ratings=counted(sum(ratings), "rating"),
            rounds=held,
        )
    facts = {"assignments": done, "ratings": counted(sum(ratings), "rating"), "rounds": held}
    if any(row.excluded for row in rounds.rows):
        return tr("{assignments}, with {ratings} that count, were done in {rounds}.", **facts)
    return tr("{assignments}, with {ratings} in all, were done in {rounds}.", **facts)


def _excluded(rounds: Rounds) -> str:
    """Ratings that count no more, because their items were excluded; empty without any."""
    number = sum(row.excluded for row in rounds.rows)
    if not number:
        return ""
    return trn(
        "{n} more rating is of {items} that a lead excluded later, and counts nowhere.",
        "{n} more ratings are of {items} that a lead excluded later, and count nowhere.",
        number,
        items=counted(rounds.excluded_items, "item"),
    )


def top_up_text(rounds: Rounds) -> str | None:
    """Sentence on the rounds that topped up the sample, and on what they count for."""
    rows = [row for row in rounds.rows if row.top_up]
    if not rows:
        return None
    additions = [
        tr("round {number} added {items}", number=row.number, items=counted(row.items, "item"))
        for row in rows
    ]
    return tr(
        "After the first main round the gate could not decide, so {additions}: the next items "
        "in draw order, whose inclusion probabilities stay known. Their first-pass ratings count "
        "for the gate and for every estimate.",
        additions=listing(additions),
    )


def cost_text(rounds: Rounds) -> str:
    """Cost of all rounds whose cost is known."""
    costs = [row.cost for row in rounds.rows if row.cost is not None]
    if not costs:
        return ""
    amount = tr("{amount} as the registry of raters counts cost", amount=count(sum(costs)))
    if rounds.cost_unit:
        amount = tr("{amount} {unit}", amount=count(sum(costs)), unit=rounds.cost_unit)
    if len(costs) == len(rounds.rows):
        return tr("All rounds together cost {amount}.", amount=amount)
    return trn(
        "The {n} round of known cost took {amount} together.",
        "The {n} rounds of known cost took {amount} together.",
        len(costs),
        amount=amount,
    )


SECTION = Section(
    "rounds",
    phrase("Rounds"),
    "report/rounds.html.j2",
    lambda report: report.get(Rounds) or report.get(Decisions),
    {"rounds": rounds_of, "decisions": decisions_of, "rubric_versions": rubric_versions_of},
)
