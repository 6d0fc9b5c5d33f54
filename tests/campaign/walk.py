"""An exhaustive walk of the transition table over a small abstract model of the world.

A *node* is a history without what the world answers afresh, and the number of decisions taken.
From each node the walk tries every answer that the world can give (`worlds`), every step of the
table and every decision that is allowed, and reports rows that no history reaches, histories that
no row takes, rounds without end, and holds without a way out.
"""

import itertools
from collections import Counter
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter

from ocrjury.campaign.decisions import allowed, decide
from ocrjury.campaign.history import FINAL_STATES, History, Policy, Round
from ocrjury.campaign.state import matches

BOTH = (False, True)
ROUND_KINDS = ("pilot", "main", "adaptive", "adjudication", "panel")
LATE = ("overdue", "no_ratings")


@dataclass
class Findings:
    """What a walk saw."""

    nodes: int = 0
    rows: set[str] = field(default_factory=set)
    decided: set[str] = field(default_factory=set)
    unmatched: set[History] = field(default_factory=set)
    dead_ends: set[History] = field(default_factory=set)
    too_many_rounds: set[History] = field(default_factory=set)
    moves: dict = field(default_factory=dict)  # node -> nodes that `advance` leads to
    ways: dict = field(default_factory=dict)  # node -> nodes that `advance` or a decision leads to


@cache
def _parts(cls):
    names = [field.name for field in fields(cls)]
    return attrgetter(*names), {name: getattr(cls, name).__set__ for name in names}


def replace(one, **changes):
    """A changed copy as that of `dataclasses`, sooner; a walk makes 700,000."""
    values, setters = _parts(type(one))
    copy = object.__new__(type(one))  # frozen, and with slots: an attribute is set past both
    for put, value in zip(setters.values(), values(one), strict=True):
        put(copy, value)
    for name, value in changes.items():
        setters[name](copy, value)
    return copy


def beginnings():
    """Every evaluation just opened."""
    policies = itertools.product(BOTH, ("hold", "proceed", "recalibrate", "abort"))
    return [History("opened", policy=Policy(pilot, on_fail)) for pilot, on_fail in policies]


def worlds(h):
    """Every way the world may look when an evaluation with this history is advanced."""
    if h.state == "opened":
        return [replace(h, pool_ok=ok) for ok in BOTH]
    if h.state in ("scored", "sampled"):
        return [replace(h, plan_ok=ok) for ok in BOTH]
    if h.state == "collecting" or (h.state == "held" and h.held_reason in LATE):
        return [replace(h, rounds=(*h.rounds[:-1], last)) for last in collections(h.last, h.state)]
    if h.state == "judged":
        return judgements(h)
    if h.state == "reported":
        return [replace(h, deliveries_pending=pending) for pending in BOTH]
    return [h]


@cache
def collections(last, state):
    """Every way the open round may have gone; the deadline of a late one stays passed."""
    late = BOTH if state == "collecting" else (True,)
    quorum = BOTH if last.kind == "panel" else (True,)
    ways = itertools.product((0, 1), (0, 1), late, BOTH, BOTH, quorum)
    names = ("ratings", "open", "overdue", "enough", "spare", "quorum")
    rounds = [replace(last, **dict(zip(names, way, strict=True))) for way in ways]
    return [one for one in rounds if one.ratings or not one.enough]


def judgements(h):
    """Every outcome of a judgement; the store's budgets for each kind of round are kept."""
    if h.pilot_last:
        return [replace(h, pilot_met=p, plan_ok=ok) for p, ok in itertools.product(BOTH, BOTH)]
    rounds = Counter(r.kind for r in h.rounds)
    new = h.last.kind == "main" and not h.estimated_once  # only then is the verdict a fresh one
    verdicts = ("PASS", "FAIL", "INCONCLUSIVE") if new else (h.verdict,)
    top_up = BOTH if rounds["main"] - rounds["pilot"] < 2 else (False,)
    gain = BOTH if rounds["adaptive"] < 2 else (False,)
    disputed = BOTH if rounds["adjudication"] < 1 else (False,)
    unsettled = BOTH if rounds["adjudication"] and rounds["panel"] < 1 else (False,)
    return [
        replace(h, verdict=v, can_top_up=t, gain=g, disputed=d, unsettled=u, plan_ok=ok)
        for v, t, g, d, u, ok in itertools.product(
            verdicts, top_up, gain, disputed, unsettled, BOTH
        )
    ]


def after(h, step):
    """The history that the store shows after this step of `advance`."""
    if step.to == "held":
        return replace(h, state="held", held_reason=step.what, held_from=h.resumes_at)
    h = replace(h, held_reason=None, held_from=None)
    if step.what == "replan":
        last = replace(h.last, replanned=True, overdue=False)
        return replace(h, rounds=(*h.rounds[:-1], last))
    if step.to == "collecting":
        return opened(h, step.what)
    if step.to == "judged" and h.last.kind in ("pilot", "main"):
        h = replace(h, released=h.released and h.estimated_once)
    if step.to == "rated":
        h = replace(h, rounds=(*h.rounds[:-1], replace(h.last, state="closed", open=0, ratings=1)))
    return replace(h, state=step.to, estimated_once=h.estimated_once or step.to == "estimated")


def opened(h, kind):
    """Open a round of this kind."""
    again = kind == "pilot" and h.state != "sampled"
    last = Round(number=len(h.rounds), kind=kind)
    return replace(
        h,
        state="collecting",
        rounds=(*h.rounds, last),
        recalibrated=h.recalibrated or again,
        verdict=None if kind == "main" else h.verdict,
    )


def after_decision(h, decision):
    """The history that the store shows after a lead's decision."""
    step = decide(h, decision)
    late = h.held_reason in LATE
    release = decision == "proceed" and not late
    reason = h.held_reason
    h = replace(h, held_reason=None, held_from=None)
    if decision == "recalibrate":
        return opened(h, "pilot")
    if decision == "extend" and reason == "inconclusive":
        return opened(h, "main")
    if step.to == "rated" and h.last.state == "open":
        h = replace(h, rounds=(*h.rounds[:-1], replace(h.last, state="closed", open=0, ratings=1)))
    if step.to == "collecting":
        last = replace(h.last, overdue=False, open=0 if decision == "drop" else 1)
        h = replace(h, rounds=(*h.rounds[:-1], last))
    return replace(h, state=step.to, released=h.released or release)


def node_of(h):
    """Forget what the world answers afresh, and the order of the rounds before the last."""
    earlier = [over(kind) for kind in sorted(r.kind for r in h.rounds[:-1])]
    rounds = (*earlier, *(forgotten(r, state=h.state) for r in h.rounds[-1:]))
    return replace(
        h,
        rounds=rounds,
        pool_ok=True,
        plan_ok=True,
        pilot_met=False,
        can_top_up=False,
        gain=False,
        disputed=False,
        unsettled=False,
        deliveries_pending=False,
    )


@cache
def over(kind):
    """What is kept of a round before the last."""
    return Round(0, kind, state="closed")


def forgotten(r, *, state):
    """Keep of the last round only what is stored for good and still matters."""
    replanned = r.replanned and state in ("collecting", "held")
    return Round(0, r.kind, state=r.state, replanned=replanned)


def walk(*, max_decisions, max_rounds=14):
    """Visit every history that up to `max_decisions` decisions of a lead can lead to."""
    found = Findings()
    waiting = [(node_of(h), 0) for h in beginnings()]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        found.moves[node], found.ways[node] = visit(node, found, max_decisions)
        for step in found.ways[node] - seen:
            if len(step[0].rounds) > max_rounds:
                found.too_many_rounds.add(step[0])
                continue
            seen.add(step)
            waiting.append(step)
    found.nodes = len(seen)
    return found


def visit(node, found, max_decisions):
    """Try every world, step and decision at one node; return where they lead."""
    history, decisions = node
    moves, ways = set(), set()
    for step, possible, h in answers(history, found):
        found.rows.add(step.row)
        if not step.rests:
            moves.add((node_of(after(h, step)), decisions))
        elif h.state == "held" and not set(possible) - {"abort"}:
            found.dead_ends.add(h)
        if decisions < max_decisions:
            found.decided.update(possible)
            ways |= {(node_of(after_decision(h, d)), decisions + 1) for d in possible}
    return moves, ways | moves


def answers(history, found):
    """Step, decisions and world, once for worlds that lead to the same histories."""
    distinct = {}
    for h in worlds(history):
        steps = matches(h)
        if steps:
            key = (steps[0], allowed(h), h.verdict)
            distinct.setdefault(key, h)
        else:
            found.unmatched.add(h)
    return [(step, possible, h) for (step, possible, _), h in distinct.items()]


def endless(moves):
    """A node from which `advance` alone comes back to itself, or None."""
    done, path = set(), set()
    for start in moves:
        stack = [(start, iter(moves.get(start, ())))] if start not in done else []
        path.update(node for node, _ in stack)
        while stack:
            node, following = stack[-1]
            nxt = next((n for n in following if n not in done), None)
            if nxt is None:
                done.add(node)
                path.discard(node)
                stack.pop()
            elif nxt in path:
                return nxt
            else:
                path.add(nxt)
                stack.append((nxt, iter(moves.get(nxt, ()))))
    return None


def stranded(ways):
    """The nodes from which no sequence of steps and decisions ends in `closed`."""
    back = {}
    for node, following in ways.items():
        for nxt in following:
            back.setdefault(nxt, set()).add(node)
    waiting = [node for node in ways if node[0].state == "closed"]
    good = set(waiting)
    while waiting:
        for node in back.get(waiting.pop(), set()) - good:
            good.add(node)
            waiting.append(node)
    return {node for node in ways if node not in good and node[0].state not in FINAL_STATES}
