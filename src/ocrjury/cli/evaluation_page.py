"""``ocrjury evaluation show``: one evaluation on one page."""

from typing import TYPE_CHECKING, Any

from ocrjury.campaign.decisions import AT_THE_GATE, allowed
from ocrjury.cli.decisions import COMMANDS
from ocrjury.cli.printing import (
    Cell,
    Column,
    fields,
    heading,
    right,
    say,
    table,
)
from ocrjury.cli.standings import awaited, local, verdict_cell
from ocrjury.store.decisions import list_decisions
from ocrjury.store.documents import read_purged_at
from ocrjury.store.purges import removed_reports
from ocrjury.store.reports import list_reports
from ocrjury.store.results import StoredVerdict, latest_verdicts
from ocrjury.store.rounds import list_progress, list_rounds

if TYPE_CHECKING:
    from ocrjury.cli.stored import OpenStore
    from ocrjury.store.histories import Standing


def print_evaluation(opened: "OpenStore", name: str) -> None:
    """Print state, rounds, raters, verdict, decisions and reports of an evaluation."""
    standing = opened.standing(name)
    _print_state(opened, standing)
    _print_rounds(opened, standing)
    _print_progress(opened, standing)
    _print_verdict(latest_verdicts(opened.store.engine, name))
    _print_decisions(opened, standing)
    _print_reports(opened, standing)


def _print_state(opened: "OpenStore", standing: "Standing") -> None:
    """Print where it stands and what is awaited."""
    row = standing.evaluation
    # At the gate the verdict below says it, dimension by dimension.
    told = row.held_reason in AT_THE_GATE or not row.held_detail
    detail = [] if told else [("because", str(row.held_detail))]
    simulated = [("ratings", "SIMULATED: no human rates")] if row.simulated else []
    purged = read_purged_at(opened.store.engine, row.evaluation)
    zone = row.config["time_zone"]
    gone = [] if purged is None else [("texts", f"removed {local(purged, zone)}; numbers are kept")]
    pool = f"{row.pool_uri}" + (f" ({row.pool_size:,} documents)" if row.pool_size else "")
    fields(
        [
            ("evaluation", row.evaluation),
            ("state", standing.history.place),
            *detail,
            ("awaited", awaited(opened, standing)),
            *simulated,
            ("campaign", f"{row.config['title']} ({row.config_path})"),
            ("pool", pool),
            *gone,
            ("opened", local(row.opened_at, zone)),
            ("seed", str(row.seed)),
        ]
    )


def _print_rounds(opened: "OpenStore", standing: "Standing") -> None:
    """Print every round with its progress."""
    row = standing.evaluation
    rounds = list_rounds(opened.store.engine, row.evaluation)
    if not rounds:
        return
    zone = row.config["time_zone"]
    heading("Rounds")
    lines = []
    for one in rounds:
        progress = list_progress(opened.store.engine, row.evaluation, one.round)
        done, left = sum(p.done for p in progress), sum(p.open for p in progress)
        ended = local(one.closed_at, zone) if one.closed_at else f"due {local(one.deadline, zone)}"
        state = one.state + (f" ({one.closed_by})" if one.closed_by else "")
        counts = f"{done} of {done + left}"
        lines.append((str(one.round), one.kind, state, counts, ended, one.rule))
    assignments = Column("assignments", "right")
    table(("", "kind", "state", assignments, "until", "items"), lines)


def _print_progress(opened: "OpenStore", standing: "Standing") -> None:
    """Print how far every rater of the open round is."""
    rounds = standing.history.rounds
    if not rounds or rounds[-1].state != "open":
        return
    progress = list_progress(opened.store.engine, standing.evaluation.evaluation, rounds[-1].number)
    heading(f"Raters in round {rounds[-1].number}, in assignments")
    table(
        ("rater", *right("done", "open", "withdrawn")),
        [(one.rater, str(one.done), str(one.open), str(one.withdrawn)) for one in progress],
    )


def _print_verdict(verdicts: list[StoredVerdict]) -> None:
    """Print what the gate says, and why on every dimension."""
    if not verdicts:
        return
    overall, *dimensions = verdicts
    heading(f"Verdict on round {overall.round}")
    first = overall if not dimensions else overall._replace(reasons=[])
    table(
        ("dimension", "verdict", "grade", "because"),
        [line for verdict in (first, *dimensions) for line in _verdict_lines(verdict)],
    )
    for action in overall.actions:
        say(f"- {_sentence(action)}")


def _verdict_lines(verdict: StoredVerdict) -> list[tuple[Cell | str, ...]]:
    """Return one line for each reason; the first has the verdict."""
    name = "all" if verdict.dimension == "*" else verdict.dimension
    first, *others = verdict.reasons or [""]
    return [
        (name, verdict_cell(verdict.decision), verdict.grade or "", first),
        *(("", "", "", reason) for reason in others),
    ]


def _sentence(action: Any) -> str:
    """Return an action as a sentence."""
    return str(action["text"]) if isinstance(action, dict) else str(action)


def _print_decisions(opened: "OpenStore", standing: "Standing") -> None:
    """Print what was decided, and what may be decided now."""
    row = standing.evaluation
    taken = list_decisions(opened.store.engine, row.evaluation)
    if taken:
        heading("Decided")
        zone = row.config["time_zone"]
        table(
            ("decision", "by", "at", "reason"),
            [(one.kind, one.actor, local(one.at, zone), one.reason) for one in taken],
        )
    open_to = dict.fromkeys(word.partition(" ")[0] for word in allowed(standing.history))
    if not open_to:
        return
    heading("Possible decisions")
    summaries = {one.name: one.summary for one in COMMANDS}
    table(("decision", "what it does"), [(name, summaries[name]) for name in open_to])
    say(f"Take one: ocrjury evaluation DECISION {row.evaluation} --reason '...'")


def _print_reports(opened: "OpenStore", standing: "Standing") -> None:
    """Print where the reports are, or when their files went."""
    name, zone = standing.evaluation.evaluation, standing.evaluation.config["time_zone"]
    reports = list_reports(opened.store.engine, name)
    if not reports:
        return
    heading("Reports")
    files = opened.store.files
    removed = removed_reports(opened.store.engine, name)
    for one in reports:
        at = removed.get((one.kind, one.language, one.version))
        gone = f"removed {local(at, zone)} with its texts" if at else "its file is gone"
        places = [files.path(uri) for uri in (one.pdf_uri, one.html_uri) if uri]
        there = [str(path) for path in places if path.is_file()]
        for said in there or [gone]:
            say(f"{one.kind} {one.language} v{one.version}  {said}")
