"""``ocrjury evaluation rubric`` and ``ocrjury ratings boundary``: versions of the rubric."""

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.actors import ADDRESS, login_name, note, reason_given
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import right, say, table
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.moments import local_minute
from ocrjury.whole_files import whole_text

if TYPE_CHECKING:
    from ocrjury.campaign.rubric import Rubric
    from ocrjury.evaluation.case import Case, Work
    from ocrjury.store.rubric_versions import RubricVersion

RUBRIC = """versions of the rubric; with --out writes one as a file

Print the versions of the rubric: what changed, why, and how many ratings know which. A round takes
the newest version when it opens and keeps it.

With --out: write the newest version, or that of --number, as a rubric file for the next campaign.
The file holds the texts of its boundary cases; the audit log says who wrote it.

With --take-back: take the boundary case that a version added out again, in a further version.

ocrjury evaluation rubric claims-2026w47
ocrjury evaluation rubric claims-2026w47 --out rubric.yaml
ocrjury evaluation rubric claims-2026w47 --take-back 2 --reason 'The rule decides it.'"""
BOUNDARY = """make an item a boundary case, in a new version of the rubric

Make an item a boundary case of the rubric, with the level that it deserves on a dimension. This is
a new version, which the next round takes; the open round keeps its own. Raters find the case in the
guide. The item's reference and OCR output are its example, unless --reference and --hypothesis are
others, or both empty.

--reason says why the rubric is changed. The report and the audit log print it: quote no document.

ocrjury ratings boundary claims-2026w47 d12 --dimension meaning --level 3 --case 'No separator' \
--reason 'Raters gave 2 to 5.'"""


def add_rubric_to(group: Commands) -> None:
    """Declare ``rubric``."""
    rubric = add_command(group, "rubric", RUBRIC, run=run_rubric)
    rubric.add_argument("evaluation", help="its name")
    rubric.add_argument("--out", type=Path, help="write a version to this file")
    rubric.add_argument("--number", type=int, help="with --out: which version [the newest]")
    rubric.add_argument("--take-back", type=int, metavar="VERSION", help="undo its boundary case")
    rubric.add_argument("--reason", help="with --take-back: in words; for report and audit log")


def add_boundary_to(group: Commands) -> None:
    """Declare ``boundary``."""
    new = add_command(group, "boundary", BOUNDARY, run=run_boundary)
    new.add_argument("evaluation", help="its name")
    new.add_argument("item", help="as `ocrjury ratings remarks` names it")
    new.add_argument("--dimension", required=True, help="of the rubric")
    new.add_argument("--level", required=True, help="the rating that the item deserves")
    new.add_argument("--case", required=True, help="what the case is, for raters")
    new.add_argument("--advice", default="", help="why it deserves this rating, for raters")
    new.add_argument("--reference", help="of the example [the item's]")
    new.add_argument("--hypothesis", help="of the example [the item's OCR output]")
    new.add_argument("--reason", required=True, help="why the rubric is changed, in words")


def run_rubric(options: argparse.Namespace) -> None:
    """Print the versions, write one, or take a boundary case back."""
    from ocrjury.store.database import writing
    from ocrjury.store.rubric_versions import list_rubric_versions, undo_case

    _check(options)
    with open_existing() as work:
        case = work.case(options.evaluation)
        if options.take_back is not None:
            reason = reason_given(options.reason or "")
            facts = {"reason": reason, "actor": login_name(), "address": ADDRESS}
            with writing(work.engine) as connection:
                version = undo_case(connection, case.name, options.take_back, now=work.now, **facts)
            say(f"Version {version} is stored; the next round takes it.")
            return
        versions = list_rubric_versions(work.engine, case.name)
        if options.out is None:
            _print(work, versions, case)
            return
        number, rubric = _chosen(options, versions, case.campaign.rubric)
        _write(work, case.name, number, rubric=rubric, path=options.out)


def _check(options: argparse.Namespace) -> None:
    """Refuse options that would say nothing, and a file that somebody may have written by hand."""
    undoes = options.take_back is not None
    if undoes and options.out is not None:
        raise InputError("--take-back and --out are two orders; give one of them.")
    if options.number is not None and options.out is None:
        raise InputError("--number belongs to --out; add it, or leave --number out.")
    if options.reason is not None and not undoes:
        raise InputError("--reason belongs to --take-back; add it, or leave --reason out.")
    if options.out is not None and options.out.is_file():
        raise InputError(f"{options.out} exists; name another file.")


def run_boundary(options: argparse.Namespace) -> None:
    """Make an item a boundary case."""
    from ocrjury.campaign.boundary_cases import CaseText
    from ocrjury.campaign.texts import ANY_LANGUAGE
    from ocrjury.store.database import writing
    from ocrjury.store.documents import stored_item
    from ocrjury.store.rubric_versions import NewCase, add_case, example_of

    reason = reason_given(options.reason)
    if not options.case.strip():
        raise InputError("--case must say what the case is.")
    with open_existing() as work:
        name = work.case(options.evaluation).name
        with writing(work.engine) as connection:
            item = stored_item(connection, name, options.item)
            example = example_of(
                connection,
                name,
                item,
                reference=options.reference,
                hypothesis=options.hypothesis,
            )
            advice = options.advice.strip()
            text = CaseText(
                {ANY_LANGUAGE: options.case.strip()},
                {ANY_LANGUAGE: advice} if advice else {},
                example,
            )
            new = NewCase(item, options.dimension, options.level, text, reason, login_name())
            version = add_case(connection, name, new, address=ADDRESS, now=work.now)
    say(f"Version {version} of the rubric is stored; the next round takes it.")


def _chosen(
    options: argparse.Namespace, versions: "list[RubricVersion]", only: "Rubric"
) -> "tuple[int, Rubric]":
    """Version to be written, with its number."""
    rubrics = {row.version: row.rubric for row in versions} or {1: only}
    number = max(rubrics) if options.number is None else options.number
    if number not in rubrics:
        raise InputError(f"There is no version {number}; there are 1 to {max(rubrics)}.")
    return number, rubrics[number]


def _write(work: "Work", name: str, number: int, *, rubric: "Rubric", path: Path) -> None:
    """Note who takes a version, and write it as a file."""
    from ocrjury.campaign.boundary_cases import rubric_yaml

    note(work, "export", f"{name} rubric version {number}")
    with whole_text(path, new=True) as file:
        file.write(rubric_yaml(rubric, title=f"Rubric of {name}, version {number}"))
    say(f"Version {number} is in {path}.")


def _print(work: "Work", versions: "list[RubricVersion]", case: "Case") -> None:
    """Print what changed and which version the next round takes."""
    from ocrjury.store.rubric_counts import count_by_rubric

    if not versions:
        say(f"{case.name} has the rubric of its campaign; nothing was changed.")
        return
    ratings: Counter[str] = Counter()
    zone = case.row.config.time_zone
    for row in count_by_rubric(work.engine, case.name):
        ratings[row.rubric_hash] += row.ratings
    table(
        ["version", "at", "by", "change", "reason", *right("ratings")],
        [
            [
                *(str(row.version), local_minute(row.at, zone), row.actor, _change(row)),
                *(row.reason, str(ratings[row.rubric_hash])),
            ]
            for row in versions
        ],
    )
    if versions[-1].rubric_hash != case.row.rubric_hash:
        say()
        say(f"The next round takes version {versions[-1].version}.")


def _change(row: "RubricVersion") -> str:
    from ocrjury.pages.rubric_words import change_text

    return change_text(
        row.change, item=row.item, dimension=row.dimension, level=row.level, undoes=row.undoes
    )
