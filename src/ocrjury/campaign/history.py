"""History of an evaluation, on which its next step depends; no clock and no SQL.

The store fills :class:`History` from its tables; :mod:`ocrjury.campaign.state` and
:mod:`ocrjury.campaign.decisions` read nothing else.
"""

from dataclasses import dataclass, field
from typing import Literal, get_args

from ocrjury.errors import StateError
from ocrjury.gate.policy import OnFail
from ocrjury.gate.verdict import Decision

State = Literal[
    "opened",
    "scored",
    "sampled",
    "collecting",
    "rated",
    "judged",
    "held",
    "estimated",
    "reported",
    "closed",
    "aborted",
]
RoundKind = Literal["pilot", "main", "adaptive", "adjudication", "panel"]
Opening = Literal["pilot", "main", "top_up", "recalibration", "adaptive", "adjudication", "panel"]
"""Purpose of a new round: a top-up is a main round, a recalibration begins with a pilot."""
RoundState = Literal["planned", "open", "closed", "dropped"]
HeldReason = Literal[
    "pool", "plan", "no_ratings", "overdue", "pilot", "inconclusive", "gate_failed", "error"
]

STATES: tuple[State, ...] = get_args(State)
FINAL_STATES: tuple[State, ...] = ("closed", "aborted")
OPEN_STATES: tuple[State, ...] = tuple(state for state in STATES if state not in FINAL_STATES)


@dataclass(frozen=True, slots=True)
class Round:
    """One wave of rating, as the table looks at it.

    Parameters
    ----------
    number, attempt
        Place among all rounds (a first pilot is 0) and among the rounds of its kind.
    ratings
        Assignments done.
    open
        Assignments neither done nor withdrawn.
    overdue
        The deadline has passed; the store compares the clocks.
    enough
        Every item has its minimum of ratings, or the share done reaches ``close_at``.
    spare
        Other eligible raters could take the late assignments.
    replanned
        Late assignments were given to others once before.
    quorum
        Enough experts voted; False is possible for a panel only.
    """

    number: int
    kind: RoundKind
    attempt: int = 1
    state: RoundState = "open"
    ratings: int = 0
    open: int = 1
    overdue: bool = False
    enough: bool = False
    spare: bool = False
    replanned: bool = False
    quorum: bool = True

    @property
    def complete(self) -> bool:
        """Nothing is open, somebody rated, and a panel has its quorum."""
        return self.open == 0 and self.ratings > 0 and self.quorum


@dataclass(frozen=True, slots=True)
class Policy:
    """Policy of the campaign: whether a pilot round comes first, and what a FAIL leads to."""

    pilot: bool = False
    on_fail: OnFail = "hold"


@dataclass(frozen=True, slots=True)
class History:
    """Everything that the choice of the next step may depend on.

    Parameters
    ----------
    held_from
        State to go back to by ``retry``.
    pool_ok
        The pool is readable and has a row.
    plan_ok
        The next collection is feasible: eligible raters, their capacity, documents left.
    verdict
        Overall verdict of the main rounds' ratings; a pilot's verdict is advice, see ``pilot_met``.
    pilot_met
        The last pilot met its criterion.
    released
        A ``proceed`` decision names the newest pilot or main verdict (its round and version).
    drawn_whole
        Main rounds asked about the whole pool: it has no fresh documents.
    may_practise
        Gold and documents may be left that raters who recalibrate could practise on.
    can_top_up
        ``needed_items`` is finite and within budget and documents, and a top-up is left.
    recalibrated
        A pilot round was opened after a main round before.
    gain
        Another rating pays: an item below its cap, an eligible rater new to it, gain over cost at
        the floor or above, adaptive rounds and budget left.
    disputed
        An item never adjudicated is below the target confidence at its cap, or all its raters
        differ; an eligible adjudicator exists.
    unsettled
        An adjudicated item never before a panel: its adjudicator agrees with no rater, or it is
        critical; experts exist.
    estimated_once
        An estimate exists, so that a rerun opens no round.
    deliveries_pending
        A delivery is neither sent nor given up.
    """

    state: State
    held_reason: HeldReason | None = None
    held_from: State | None = None
    policy: Policy = field(default_factory=Policy)
    rounds: tuple[Round, ...] = ()
    pool_ok: bool = True
    plan_ok: bool = True
    verdict: Decision | None = None
    pilot_met: bool = False
    released: bool = False
    drawn_whole: bool = False
    may_practise: bool = True
    can_top_up: bool = False
    recalibrated: bool = False
    gain: bool = False
    disputed: bool = False
    unsettled: bool = False
    estimated_once: bool = False
    deliveries_pending: bool = False

    @property
    def last(self) -> Round:
        """The newest round; `StateError` where a state needs one and none was opened."""
        if not self.rounds:
            raise StateError(
                f"An evaluation that is {self.place} has at least one round; found none. "
                "The stored rounds are incomplete: restore the database from its backup."
            )
        return self.rounds[-1]

    @property
    def pilot_last(self) -> bool:
        """The newest round is a pilot."""
        return bool(self.rounds) and self.rounds[-1].kind == "pilot"

    @property
    def passed(self) -> bool:
        """The gate lets the evaluation on: PASS, released, or a FAIL that the campaign accepts."""
        accepted = self.verdict == "FAIL" and self.policy.on_fail == "proceed"
        return self.verdict == "PASS" or self.released or accepted

    @property
    def resumes_at(self) -> State:
        """State that a move to ``held`` keeps as ``held_from``; a repeated hold keeps the first."""
        return self.held_from or self.state

    @property
    def urgency(self) -> int:
        """Place in a list for leads: 0 a decision, 1 late, 2 under way, 3 finished.

        Examples
        --------
        >>> History("held", "plan", "scored").urgency, History("closed").urgency
        (0, 3)
        """
        if self.state == "held":
            return 0
        if self.state in FINAL_STATES:
            return 3
        return 1 if self.state == "collecting" and self.last.overdue else 2

    @property
    def place(self) -> str:
        """The state as a person reads it, with the reason of a hold.

        Examples
        --------
        >>> History("held", "plan", "scored").place
        'held (plan)'
        """
        return f"{self.state} ({self.held_reason})" if self.held_reason else self.state


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an evaluation.

    Parameters
    ----------
    row
        Row of the transition table, stored with the move.
    to
        State after the step.
    what
        Kind of the round to open, reason of a hold, how a round closed, or what is written.
    rests
        No move is written: a person, a rater or a mail server is awaited, and the run ends here.
    opens
        Round that the step opens, None where it opens none.
    """

    row: str
    to: State
    what: str = ""
    rests: bool = False
    opens: Opening | None = None
