"""Problems that would hold an evaluation of a campaign once it is opened, or hamper its raters."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.problems import listed
from ocrjury.campaign.registry import RaterEntry
from ocrjury.campaign.shortages import (
    Documents,
    list_shortages,
    too_few_to_practise_on,
    too_little_capacity,
)
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.pages import SIDE_BY_SIDE, check_pages, page_of_documents
from ocrjury.pages.catalogues import languages, preferred
from ocrjury.pages.numbers import plural
from ocrjury.pages.page_images import find_image, image_folders
from ocrjury.planner import main_demand
from ocrjury.planner.double_rating import double_rated_items
from ocrjury.sampling import pages_for, sample_size
from ocrjury.store.documents import SampledItem

if TYPE_CHECKING:
    import pandas as pd

TEXTS = "rating"
MOST_NAMES = 5


def foresee_holds(
    campaign: Campaign,
    people: Sequence[RaterEntry],
    pool: "pd.DataFrame",
    *,
    gold: Collection[str] = (),
    now: datetime,
) -> list[str]:
    """Sentences about what would hold the evaluation; none if nothing is foreseen.

    Parameters
    ----------
    gold
        Documents whose right rating is known, of the pool or of a pool of their own.
    """
    wanted, n = campaign.raters, campaign.sampling.n or sample_size(population=len(pool))
    if n > len(pool):
        why = f"sampling.n asks for {n:,} items, but the pool holds {plural(len(pool), 'output')}"
        return [f"{why}. Lower it or leave it empty."]
    names = list(map(str, range(n)))
    demand = main_demand(names, per_item=wanted.per_item, double_rated=wanted.double_rated)
    kinds = zip(_words(pool["language"]), _words(pool["doc_type"]), strict=True)
    documents = Counter(Documents(*kind) for kind in kinds)
    raters = [person for person in people if person.role == "rater"]
    today = now.astimezone(ZoneInfo(campaign.time_zone)).date()
    return [
        *_shortages(raters, documents, demand, on=today),
        *_undrawable(campaign, pool, n=n, gold=gold),
    ]


def _undrawable(
    campaign: Campaign, pool: "pd.DataFrame", *, n: int, gold: Collection[str]
) -> list[str]:
    """Reasons why the pool has no pages to compare, or too few documents to practise on."""
    drawn = n
    if campaign.rounds.page.systems == SIDE_BY_SIDE:
        pages = page_of_documents(pool, alike=True)
        try:
            check_pages(pool, pages)
        except InputError as error:
            return [str(error)]
        outputs = sorted(Counter(pages).values())
        # With pages of unequal size the draw decides; no fewer outputs than these are drawn.
        drawn = sum(outputs[: pages_for(n, documents=len(pool), pages=len(outputs))])
    wanted, others = campaign.rounds.pilot.items, len(pool) - drawn
    elsewhere = len(set(gold).difference(pool["doc_id"]))
    if wanted <= others + elsewhere:
        return []
    # Gold of the pool may be drawn.
    known = elsewhere if len(gold) == elsewhere else None
    left = others if known is not None else others + elsewhere
    return [too_few_to_practise_on(wanted, gold=known, others=left)]


def explain_shortage(
    case: Case,
    people: Sequence[RaterEntry],
    items: Mapping[str, SampledItem],
    *,
    demand: Mapping[str, int],
) -> list[str]:
    """Sentences on why people cannot do a round, as a check of the campaign has foreseen them."""
    pages = [items[name] for name in demand]
    documents = Counter(Documents(item.language, item.doc_type) for item in pages)
    today = case.work.now.astimezone(ZoneInfo(case.campaign.time_zone)).date()
    roles = {person.role for person in people}
    dropped = [
        person.pseudonym
        for person in case.raters
        if person.pseudonym in case.dropped and (not roles or person.role in roles)
    ]
    return _shortages(people, documents, demand, on=today, dropped=dropped)


def _shortages(
    people: Sequence[RaterEntry],
    documents: Mapping[Documents, int],
    demand: Mapping[str, int],
    *,
    on: date,
    dropped: Sequence[str] = (),
) -> list[str]:
    wanted = max(demand.values(), default=0)
    ratings = sum(demand.values())
    return [
        *list_shortages(people, documents, wanted=wanted, on=on, dropped=dropped),
        *too_little_capacity(people, documents, ratings=ratings, on=on),
    ]


def missing_images(campaign: Campaign, pool: "pd.DataFrame") -> str | None:
    """Sentence about page images that no folder of this machine has, None if all are there."""
    names = sorted(set(pool["image"].dropna().map(str)))
    folders = image_folders(campaign)
    missing = [name for name in names if find_image(folders, name) is None]
    if not folders or not missing:
        return None
    return (
        f"{len(missing):,} of {len(names):,} page images are not in {listed(folders)}, such as "
        f"{missing[0]}; raters would see no picture of them. Set pool.images to their folder."
    )


def nothing_to_compare(campaign: Campaign, pool: "pd.DataFrame") -> str | None:
    """Sentence about outputs that raters could compare with nothing, None if there are none."""
    folders, frontend = image_folders(campaign), campaign.rounds.frontend
    names = pool["image"].dropna().map(str)
    seen = names[[not folders or find_image(folders, name) is not None for name in names]]
    unreferenced = pool[pool["reference"].isna()]
    bare = unreferenced[~unreferenced.index.isin(seen.index)]
    if frontend == "file" and len(bare) < len(unreferenced):
        return (
            f"{len(unreferenced):,} of {plural(len(pool), 'output')} have no reference, such as "
            f"{unreferenced['doc_id'].iloc[0]}, and CSV files (rounds.frontend: file) name no page "
            "image; raters would see the OCR text alone. Let them rate on the rating page (web) "
            "or in workbooks (sheets)."
        )
    if bare.empty or frontend == "simulated":
        return None
    return (
        f"{len(bare):,} of {plural(len(pool), 'output')} have neither a reference nor a page image "
        f"that is found, such as {bare['doc_id'].iloc[0]}; raters would see the OCR text alone. "
        "Give references (column reference of a table, pool.reference of a folder) or page images "
        "(column image, pool.images)."
    )


def unknown_languages(people: Sequence[RaterEntry], pool: "pd.DataFrame") -> str | None:
    """Sentence about outputs that raters get though they may not read them, None without any."""
    spoken = [set(person.languages) for person in people if person.role == "rater"]
    named = [languages for languages in spoken if languages]
    unknown = int(pool["language"].isna().sum())
    if not unknown or not named or set.intersection(*named):
        return None
    return (
        f"{unknown:,} of {plural(len(pool), 'output')} have no language, and there is none that "
        "all raters read: some will get outputs that they cannot read. Give the pool as a table "
        "with the column language, or every language a campaign of its own."
    )


def no_strata(campaign: Campaign, pool: "pd.DataFrame") -> str | None:
    """Sentence about a stratified part of the draw that has nothing to balance, None if it has."""
    column, sampling = campaign.sampling.stratum, campaign.sampling
    balanced = sampling.design == "stratified" or (
        sampling.design == "mixture" and sampling.shares.stratified > 0
    )
    if column is None or not balanced or column not in pool or pool[column].notna().any():
        return None
    return (
        f"No output has a value in the column {column!r} (sampling.stratum), so the stratified "
        "part of the draw is a random one. Give the pool as a table with that column, or name "
        "another one."
    )


def gate_out_of_reach(campaign: Campaign, pool_size: int) -> str | None:
    """Sentence about a gate that so few items never satisfy, None if they may."""
    n = min(campaign.sampling.n or sample_size(population=pool_size), pool_size)
    needed = campaign.gate.min_items
    # A top-up may double the sample.
    most = (
        min(2 * n, pool_size)
        if campaign.rounds.top_ups
        else double_rated_items(n, share=campaign.raters.share_rated_twice)
    )
    if most >= needed:
        return None
    never = "it cannot pass. Give the pool more outputs"
    late = "it cannot pass before a lead extends the sample. Raise sampling.n"
    return (
        f"The gate decides from {plural(needed, 'item')} with two ratings (gate.min_items), and "
        f"raters will see {most:,} at most: {never if pool_size < needed else late}, or lower "
        "gate.min_items."
    )


def foreign_languages(campaign: Campaign, people: Sequence[RaterEntry]) -> list[str]:
    """Sentences about people whose first language the rating page and the emails do not have."""
    spoken = languages(TEXTS)
    strangers: dict[tuple[str, str], list[str]] = {}
    for person in people:
        if person.languages and not preferred(person.languages[:1], ["", *spoken]):
            email = preferred((*person.languages, campaign.language), spoken)
            strangers.setdefault((person.languages[0], email), []).append(person.pseudonym)
    return [
        f"The rating page and emails exist in {listed(spoken)}, not in {first!r}: "
        f"{listed(_few(names))} get emails in {email!r}, and the page in the language of their "
        f"browser if it is one of these, else in {spoken[0]!r}."
        for (first, email), names in strangers.items()
    ]


def _few(names: Sequence[str]) -> list[str]:
    left = len(names) - MOST_NAMES
    return [*names[:MOST_NAMES], *([f"{left} more"] if left > 0 else [])]


def _words(column: "pd.Series[str]") -> list[str | None]:
    """Column with None where there is nothing."""
    return [
        str(value) if here else None for value, here in zip(column, column.notna(), strict=True)
    ]
