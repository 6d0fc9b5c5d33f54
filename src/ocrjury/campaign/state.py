"""Automatic moves of an evaluation: the transition table as data, and one function over it.

Rows of a state are tried from the top; the first whose guard holds is the step. A step computes,
writes its files, then inserts its rows and moves the state in one transaction.

Rows that ``advance`` does not choose live elsewhere: 1 is :data:`FIRST_STEP`; 8 (a rating arrives)
is :func:`accepts_ratings`; 14, 19a, 25 to 28, 31 and 32 are a lead's, in
:mod:`ocrjury.campaign.decisions`; 33 is :func:`report_again`; 35 is :func:`hold_on_error`.
Row 20 has four ends: ``hold`` is row 20 itself, ``proceed`` falls through to rows 21 to 24,
``recalibrate`` and ``abort`` are stored as rows 27 and 31, whose move they make without a lead.
Rows 10 and 30a, and everything that waits for a person (row ``rest``), write no move.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ocrjury.campaign.history import FINAL_STATES, History, Opening, State, Step
from ocrjury.errors import RefusedError, StateError

Guard = Callable[[History], bool]

FIRST_STEP = Step("1", "opened", "evaluation")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: an evaluation in ``state`` for which ``guard`` holds goes ``to``."""

    row: str
    state: State
    guard: Guard
    to: State
    what: str
    rests: bool = False
    opens: Opening | None = None

    @property
    def step(self) -> Step:
        """The step that this row prescribes."""
        return Step(self.row, self.to, self.what, self.rests, self.opens)


def _always(_: History) -> bool:
    return True


def _pilot_due(h: History) -> bool:
    return h.policy.pilot and not any(r.kind == "pilot" and r.state == "closed" for r in h.rounds)


def _nobody_rated(h: History) -> bool:
    return h.last.open == 0 and h.last.ratings == 0


def _in_time(h: History) -> bool:
    # With nothing open only a panel without a quorum comes here: nobody is left to wait for.
    return not h.last.overdue and h.last.open > 0


def _enough(h: History) -> bool:
    return h.last.overdue and h.last.enough and h.last.ratings > 0 and h.last.quorum


def _others_can(h: History) -> bool:
    return h.last.overdue and h.last.spare and not h.last.replanned


def _pilot_done(h: History) -> bool:
    return h.pilot_last and (h.pilot_met or h.released)


def _pilot_missed(h: History) -> bool:
    return h.pilot_last and not (h.pilot_met or h.released)


def _stopped(h: History) -> bool:
    """Tell whether the gate stops the main rounds: no pass, no release, and no estimate yet."""
    return not (h.pilot_last or h.passed or h.estimated_once)


def _inconclusive(h: History) -> bool:
    return _stopped(h) and h.verdict == "INCONCLUSIVE"


def _worth_a_top_up(h: History) -> bool:
    return _inconclusive(h) and h.can_top_up


def _failed(h: History) -> bool:
    return _stopped(h) and h.verdict == "FAIL"


def _failed_abort(h: History) -> bool:
    return _failed(h) and h.policy.on_fail == "abort"


def _failed_recalibrate(h: History) -> bool:
    return _failed(h) and h.policy.on_fail == "recalibrate" and not h.recalibrated


def _round_infeasible(h: History) -> bool:
    return not h.plan_ok and (_pilot_done(h) or _failed_recalibrate(h))


def _goes_on(h: History) -> bool:
    return not h.pilot_last and h.passed and not h.estimated_once


def _gain_ahead(h: History) -> bool:
    return _goes_on(h) and h.gain


def _disputed(h: History) -> bool:
    return _goes_on(h) and h.disputed


def _unsettled(h: History) -> bool:
    return _goes_on(h) and h.unsettled


def _nothing_to_ask(h: History) -> bool:
    return not h.pilot_last and (h.passed or h.estimated_once)


def _completed_while_held(h: History) -> bool:
    return h.held_reason in {"overdue", "no_ratings"} and h.last.complete


TABLE: tuple[Row, ...] = (
    Row("2", "opened", lambda h: h.pool_ok, "scored", "snapshot"),
    Row("3", "opened", lambda h: not h.pool_ok, "held", "pool"),
    Row("4", "scored", lambda h: h.plan_ok, "sampled", "design"),
    Row("5", "scored", lambda h: not h.plan_ok, "held", "plan"),
    Row("6a", "sampled", lambda h: not h.plan_ok, "held", "plan"),
    Row("6", "sampled", _pilot_due, "collecting", "pilot", opens="pilot"),
    Row("7", "sampled", _always, "collecting", "main", opens="main"),
    Row("13b", "collecting", _nobody_rated, "held", "no_ratings"),
    Row("9", "collecting", lambda h: h.last.complete, "rated", "complete"),
    Row("10", "collecting", _in_time, "collecting", "progress", rests=True),
    Row("11", "collecting", _enough, "rated", "overdue"),
    Row("12", "collecting", _others_can, "collecting", "replan"),
    Row("13", "collecting", lambda h: h.last.ratings > 0, "held", "overdue"),
    Row("13", "collecting", _always, "held", "no_ratings"),
    Row("15", "rated", _always, "judged", "verdict"),
    Row("16a", "judged", _round_infeasible, "held", "plan"),
    Row("16", "judged", _pilot_done, "collecting", "main", opens="main"),
    Row("17", "judged", _pilot_missed, "held", "pilot"),
    Row("18", "judged", _worth_a_top_up, "collecting", "main", opens="top_up"),
    Row("19", "judged", _inconclusive, "held", "inconclusive"),
    Row("31", "judged", _failed_abort, "aborted", "gate_failed"),
    Row("27", "judged", _failed_recalibrate, "collecting", "pilot", opens="recalibration"),
    Row("20", "judged", _failed, "held", "gate_failed"),
    Row("21", "judged", _gain_ahead, "collecting", "adaptive", opens="adaptive"),
    Row("22", "judged", _disputed, "collecting", "adjudication", opens="adjudication"),
    Row("23", "judged", _unsettled, "collecting", "panel", opens="panel"),
    Row("24", "judged", _nothing_to_ask, "estimated", "estimates"),
    Row("29", "estimated", _always, "reported", "report"),
    Row("30", "reported", lambda h: not h.deliveries_pending, "closed", "links revoked"),
    Row("30a", "reported", lambda h: h.deliveries_pending, "reported", "delivery", rests=True),
    Row("34", "held", _completed_while_held, "rated", "complete"),
    Row("rest", "held", _always, "held", "decision", rests=True),
    Row("rest", "closed", _always, "closed", "", rests=True),
    Row("rest", "aborted", _always, "aborted", "", rests=True),
)


def matches(history: History) -> list[Step]:
    """Every row whose guard holds, in the order of the table."""
    return [row.step for row in TABLE if row.state == history.state and row.guard(history)]


def next_step(history: History) -> Step:
    """Step that ``advance`` takes now: the first row whose guard holds.

    Raises
    ------
    StateError
        No row holds; only a history that contradicts itself, as a judged main round without a
        verdict, comes here.

    Examples
    --------
    >>> next_step(History("opened", pool_ok=False))
    Step(row='3', to='held', what='pool', rests=False, opens=None)
    """
    steps = matches(history)
    if not steps:
        raise StateError(
            f"No row of the transition table fits an evaluation that is {history.place} with "
            f"verdict {history.verdict}. Its stored rows contradict each other: rerun the step "
            "that wrote them, or restore the database from its backup."
        )
    return steps[0]


def accepts_ratings(history: History) -> bool:
    """Return whether a rating may be stored now (row 8): the round is open, even past its deadline.

    Examples
    --------
    >>> from ocrjury.campaign.history import Round
    >>> accepts_ratings(History("collecting", rounds=(Round(1, "main"),)))
    True
    """
    late = history.state == "held" and history.held_reason in {"overdue", "no_ratings"}
    return (history.state == "collecting" or late) and history.last.state == "open"


def hold_on_error(history: History) -> Step:
    """Row 35: a step raised `InputError`, so a person has to fix its input and ``retry``.

    Without this hold, every sweep would fail on the same evaluation for ever.
    """
    if history.state in FINAL_STATES:
        raise StateError(f"An evaluation that is {history.state} takes no step; open a new one.")
    return Step("35", "held", "error")


def report_again(history: History) -> Step:
    """Row 33: a closed evaluation is rendered again from its stored numbers, and stays closed."""
    if history.state != "closed":
        raise RefusedError(
            f"Only a closed evaluation is reported again; this one is {history.place}. "
            "Use 'rerun report' on a reported one."
        )
    return Step("33", "closed", "report")
