"""``ocrjury campaign``: start one, and check one."""

import argparse
import re
import shlex
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from ocrjury.campaign.cells import Role
from ocrjury.campaign.settings import Settings
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.known_people import compare_people
from ocrjury.cli.printing import GOOD, WARNING, Cell, fields, heading, say, table
from ocrjury.pages.numbers import plural, series

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from ocrjury.campaign.config import Campaign
    from ocrjury.campaign.gold_file import GoldLine
    from ocrjury.campaign.recommendation import Recommendation
    from ocrjury.campaign.registry import RaterEntry


GROUP = """start a campaign, or check one

ocrjury campaign new claims
ocrjury campaign check claims/campaign.yaml"""
NEW = """write three commented files to adapt

ocrjury campaign new claims
ocrjury campaign new 청구서 --name korean-claims"""
CHECK = """validate a campaign, foresee what would hold it, compare it with recommendations

Validate a campaign, compare it with recommendations, and say what would hold its evaluation once it
is opened: documents that too few raters may rate, by language, type or capacity, and missing page
images. Exit code 1 if it would be held. A pseudonym that belongs to another person in the store is
refused, as when the evaluation opens; a store is only read, and none is made.

ocrjury campaign check claims/campaign.yaml
ocrjury campaign check claims/campaign.yaml --no-pool   # do not read a large pool
ocrjury campaign check claims/campaign.yaml --strict    # exit code 1 if anything departs"""


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "campaign", GROUP)
    new = add_command(group, "new", NEW, run=run_new)
    new.add_argument("folder", type=Path, help="where they go; made if it is not there")
    new.add_argument("--name", help="of the campaign [the folder's name]")
    check = add_command(group, "check", CHECK, run=run_check)
    check.add_argument("file", type=Path, help="campaign.yaml")
    check.add_argument("--no-pool", action="store_true", help="do not read the pool")
    check.add_argument(
        "--strict", action="store_true", help="exit code 1 if a recommendation is not met"
    )


def run_new(options: argparse.Namespace) -> None:
    """Write a new campaign."""
    from ocrjury.campaign.starter import write_starter

    folder: Path = options.folder
    name = options.name or re.sub(r"[\s_]+", "-", folder.absolute().name.lower())
    for path in write_starter(folder, name):
        say(str(path))
    say()
    say(
        "Set pool.path in campaign.yaml to your OCR results, put your people into raters.csv, then:"
    )
    say(f"  ocrjury campaign check {shlex.quote(str(folder / 'campaign.yaml'))}")


def run_check(options: argparse.Namespace) -> int:
    """Print the settings of a campaign, and compare it with recommendations."""
    from ocrjury.campaign.config import read_campaign
    from ocrjury.campaign.recommendations import check_campaign
    from ocrjury.campaign.registry import read_raters
    from ocrjury.cli.pool import print_left_out  # it knows all readers
    from ocrjury.findings.measurement.pool_gaps import gaps_of
    from ocrjury.pages.unread_words import unread_words
    from ocrjury.report.html import check_templates

    campaign = read_campaign(options.file)
    check_templates(campaign.report.templates or {})
    raters = read_raters(campaign.raters_path)
    about_store = compare_people(raters, Settings.from_environment())
    pool, about_pool = (None, "not read") if options.no_pool else _read_pool(campaign)
    gaps = None if pool is None else gaps_of(pool.attrs)
    gold = _read_gold(campaign, None if pool is None else frozenset(pool["doc_id"]))
    pool_size = None if pool is None else len(pool)
    unread = "" if gaps is None else unread_words(gaps.n_unread, pool_size or 0)
    fields(
        [
            ("campaign", f"{campaign.name}: {campaign.title}"),
            ("pool", f"{campaign.pool_location} ({about_pool})"),
            *([("unread", unread)] if unread else []),
            ("rubric", ", ".join(dimension.name for dimension in campaign.rubric.dimensions)),
            ("scale", campaign.rubric.scale_words),
            ("raters", f"{_by_role(raters)} in {campaign.raters_path}"),
            ("store", about_store),
            *([] if campaign.gold_path is None else [("gold", _about_gold(campaign, gold))]),
            ("frontend", campaign.rounds.frontend),
            ("hash", campaign.config_hash),
        ]
    )
    if gaps is not None:
        print_left_out(gaps)
    recommendations = check_campaign(campaign, raters, pool_size=pool_size)
    _print_recommendations(recommendations)
    known = {line.doc_id for line in gold}
    held = _print_foreseen(campaign, raters, pool, gold=known)
    return int(held or (options.strict and not all(row.met for row in recommendations)))


def _by_role(people: "Sequence[RaterEntry]") -> str:
    roles = Counter(person.role for person in people)
    return series([plural(roles[role], role) for role in get_args(Role) if roles[role]])


def _print_foreseen(
    campaign: "Campaign",
    raters: "Sequence[RaterEntry]",
    pool: "pd.DataFrame | None",
    *,
    gold: set[str],
) -> bool:
    """Print what hampers raters, and what would hold the evaluation; return whether it would."""
    from ocrjury.evaluation.foresight import (
        foreign_languages,
        foresee_holds,
        gate_out_of_reach,
        missing_images,
        no_strata,
        nothing_to_compare,
        unknown_languages,
    )

    notes = foreign_languages(campaign, raters)
    holds: list[str] = []
    if pool is not None:
        now = Settings.from_environment().now()
        holds = foresee_holds(campaign, raters, pool, gold=gold, now=now)
        about_pool = (
            gate_out_of_reach(campaign, len(pool)),
            missing_images(campaign, pool),
            nothing_to_compare(campaign, pool),
            unknown_languages(raters, pool),
            no_strata(campaign, pool),
        )
        notes += [note for note in about_pool if note]
    if notes:
        heading("To be careful about")
        for note in notes:
            say(f"- {note}")
    if holds:
        heading("`ocrjury evaluation open` would hold it")
        for hold in holds:
            say(f"- {hold}")
    return bool(holds)


def _read_pool(campaign: "Campaign") -> "tuple[pd.DataFrame, str]":
    """Pool as an evaluation reads it, without what it leaves out, and a phrase about it."""
    import pandas as pd

    from ocrjury.cli.pool import empty_outputs  # it knows all readers
    from ocrjury.readers import iter_pool

    batches = iter_pool(
        campaign.pool_location,
        format=campaign.pool.format,
        reference=campaign.reference_location,
        encoding=campaign.pool.encoding,
    )
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        frames = list(batches)  # print_left_out prints what was guessed
    pool = pd.concat(frames, ignore_index=True)
    pool.attrs.update(batches.attrs)
    missing, empty = int(pool["reference"].isna().sum()), len(empty_outputs(pool))
    parts = [plural(len(pool), "output"), plural(pool["page_id"].nunique(), "page")]
    parts += [f"{missing:,} without a reference"] if missing else []
    parts += [f"{empty:,} empty"] if empty else []
    return pool, ", ".join(parts)


def _read_gold(campaign: "Campaign", pool: frozenset[str] | None) -> "tuple[GoldLine, ...]":
    """Read the gold file, none if there is none; check its documents if the pool was read."""
    from ocrjury.campaign.gold_file import check_documents, read_gold
    from ocrjury.readers import read_pool

    path = campaign.gold_path
    if path is None:
        return ()
    lines = read_gold(path, campaign.rubric)
    if pool is not None:
        own = campaign.gold_pool_location
        check_documents(path, lines, pool if own is None else set(read_pool(own)["doc_id"]))
    return lines


def _about_gold(campaign: "Campaign", lines: "Sequence[GoldLine]") -> str:
    documents = plural(len({line.doc_id for line in lines}), "document")
    return f"{documents}, {plural(len(lines), 'rating')} in {campaign.gold_path}"


def _print_recommendations(recommendations: "tuple[Recommendation, ...]") -> None:
    heading("Recommendations")
    table(
        ("", "topic", "recommended", "here"),
        [
            (
                Cell("ok", GOOD) if row.met else Cell("departs", WARNING),
                row.topic,
                row.recommended,
                row.actual,
            )
            for row in recommendations
        ],
    )
    say()
    departures = [row for row in recommendations if not row.met]
    say(
        f"The campaign is valid; it departs from {len(departures)} of {len(recommendations)} "
        "recommendations:"
        if departures
        else "The campaign is valid and meets every recommendation."
    )
    for row in departures:
        say(f"  {row.topic}: {row.advice}")
