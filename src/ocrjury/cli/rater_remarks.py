"""``ocrjury ratings remarks`` and ``exclude``: what raters flagged, and what leads do about it."""

import argparse
from typing import TYPE_CHECKING, Any

from ocrjury.campaign.flags import ITEM_PROBLEMS
from ocrjury.cli.actors import ADDRESS, login_name, note_in, reason_given
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import heading, say, say_json, table
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.moments import local_minute
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.store.inbox import Remark
    from ocrjury.store.schema.intake import AnswerKind

REMARKS = """what raters flagged and wrote about items, and answers to them

What raters flagged and wrote about items, the newest first, as on the page "Remarks" of the desk.

With --answer: keep an answer to one remark, which its rater reads on the rating page at the next
break, at the end and under "My last items". Tell no rating of anybody else, and of an item with a
known rating nothing that tells it. Nothing is overwritten: a second answer stands beside the first.

ocrjury ratings remarks claims-2026w47 --open
ocrjury ratings remarks claims-2026w47 --json | jq '.[].comment'
ocrjury ratings remarks claims-2026w47 --answer claims-2026w47/1/R01/0/d12 --text 'Thanks.'"""


EXCLUDE = """take an item out of ratings, agreement and estimates, or back in

Take an item out: nobody is asked for it any more, its ratings do not count, and the rated items of
its stratum stand for it, as for one that nobody rated. The report says how many items were
excluded and why. Nothing is deleted; --undo takes the exclusion back, and its ratings count again.

Possible where the evaluation is
  sampled, collecting, rated or held, before the gate has judged a main round
  judged, estimated or reported: the gate judges again, which is requested with it
`ocrjury evaluation show` tells which it is.

ocrjury ratings exclude claims-2026w47 d12 --why unreadable --reason 'The scan is black.'
ocrjury ratings exclude claims-2026w47 d12 --undo --reason 'A better scan arrived.'"""


def add_to(group: Commands) -> None:
    """Declare the commands."""
    leave = add_command(group, "exclude", EXCLUDE, run=run_exclude)
    leave.add_argument("evaluation", help="its name")
    leave.add_argument("item", help="as `ocrjury ratings remarks` names it")
    leave.add_argument(
        "--why", choices=ITEM_PROBLEMS, default="other", help="kind of reason [other]"
    )
    leave.add_argument("--reason", required=True, help="in words; for the audit log")
    leave.add_argument("--undo", action="store_true", help="take an exclusion back")
    remarks = add_command(group, "remarks", REMARKS, run=run_remarks)
    remarks.add_argument("evaluation", help="its name")
    remarks.add_argument("--open", action="store_true", help="only those that wait for an answer")
    remarks.add_argument("--json", action="store_true", help="for programs")
    remarks.add_argument("--answer", metavar="ASSIGNMENT", help="answer this one (see --json)")
    remarks.add_argument("--text", help="with --answer: what the rater reads; empty: mark as read")


def run_remarks(options: argparse.Namespace) -> None:
    """List the remarks of an evaluation, or answer one."""
    from ocrjury.store.database import reading
    from ocrjury.store.inbox import list_remarks

    if options.text is not None and options.answer is None:
        raise InputError("--text belongs to --answer; add it, or leave --text out.")
    with open_existing() as work:
        case = work.case(options.evaluation)
        name = case.name
        if options.answer is not None:
            _answer(work, name, options.answer, text=(options.text or "").strip())
            return
        with reading(work.engine) as connection:
            remarks = list_remarks(connection, name)
    shown = [remark for remark in remarks if not (options.open and remark.settled)]
    if options.json:
        say_json([_for_programs(remark) for remark in shown])
    elif shown:
        _print_table(shown, zone=case.row.config.time_zone)
    else:
        say(f"No remark of {name} waits for an answer." if options.open else f"{name}: no remarks.")


def run_exclude(options: argparse.Namespace) -> None:
    """Exclude an item, or take that back."""
    from ocrjury.store.database import writing
    from ocrjury.store.documents import stored_item
    from ocrjury.store.exclusions import NewExclusion, decide_exclusion

    reason = reason_given(options.reason)
    new = NewExclusion(options.item, not options.undo, options.why, reason, login_name())
    with open_existing() as work:
        standing = work.case(options.evaluation).standing
        with writing(work.engine) as connection:
            item = stored_item(connection, standing.evaluation.evaluation, options.item)
            new = new._replace(item=item)
            rerun = decide_exclusion(connection, standing, new, address=ADDRESS, now=work.now)
    say(f"{item} is {'no longer excluded' if options.undo else 'excluded'}.")
    if rerun:
        say("The gate had judged with it before: 'rerun judge' was requested and comes next.")


def _answer(work: Any, name: str, assignment: str, *, text: str) -> None:
    from ocrjury.store.database import writing
    from ocrjury.store.inbox import add_answer, find_remark

    kind: AnswerKind = "answer" if text else "read"
    with writing(work.engine) as connection:
        if find_remark(connection, name, assignment) is None:
            raise InputError(
                f"{name} has no remark {assignment!r}; `ocrjury ratings remarks {name} --json` "
                "lists them under `assignment`."
            )
        who = login_name()
        add_answer(connection, assignment, kind=kind, body=text, actor=who, now=work.now)
        note_in(connection, f"{kind} remark", assignment, now=work.now)
    say("The answer is stored; its rater reads it." if text else "Marked as read.")


def _for_programs(remark: "Remark") -> dict[str, Any]:
    plain = remark._asdict()
    plain["at"] = remark.at.isoformat()
    plain["flags"] = dict(remark.flags)
    plain["answers"] = [
        {**answer._asdict(), "at": answer.at.isoformat()} for answer in remark.answers
    ]
    return {**plain, "open": not remark.settled}


def _print_table(remarks: "list[Remark]", *, zone: str) -> None:
    from ocrjury.store.comments import with_letter

    table(
        ["at", "item", "rater", "state", "flags", "comment"],
        [
            [
                *(local_minute(remark.at, zone), remark.item, remark.rater),
                _state(remark),
                ", ".join(filter(None, dict.fromkeys([*remark.flags.values(), remark.flag]))),
                _on_a_line(with_letter(remark.letter, remark.comment)),
            ]
            for remark in remarks
        ],
    )
    answers = [(remark, answer) for remark in remarks for answer in remark.answers if answer.body]
    if answers:
        heading("Answers")
        table(
            ["at", "item", "rater", "by", "answer"],
            [
                [
                    *(local_minute(answer.at, zone), remark.item, remark.rater, answer.actor),
                    _on_a_line(answer.body),
                ]
                for remark, answer in answers
            ],
        )
    say()
    left = sum(not remark.settled for remark in remarks)
    say(f"{left:,} of {plural(len(remarks), 'remark')} open.")


def _on_a_line(text: str) -> str:
    """Beginning of a text, without line ends."""
    return " ".join(text.split())[:60]


def _state(remark: "Remark") -> str:
    """Whether a remark waits for an answer, and what became of the item."""
    state = "answered" if remark.settled else "open"
    kinds = [answer.kind for answer in remark.answers if answer.kind in {"excluded", "restored"}]
    return f"{state}, excluded" if kinds[-1:] == ["excluded"] else state
