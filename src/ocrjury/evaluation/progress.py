"""Progress of the open round: agreement so far, and the round that would follow."""

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import first_pass_tables
from ocrjury.evaluation.preview import is_preview_due, new_preview
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.database import writing
from ocrjury.store.pulse import read_rating_pulse
from ocrjury.store.ratings import has_main_ratings
from ocrjury.store.results import Result, add_unless_kept, newest_inputs


def has_news(case: Case) -> bool:
    """Return whether the open round has ratings that no stored finding includes."""
    return _is_open(case) and (_new_inputs(case) is not None or is_preview_due(case))


def _is_open(case: Case) -> bool:
    """Return whether people rate; the round may be over since somebody asked for its progress."""
    return case.row.state == "collecting"


def keep_progress(case: Case, *, tick: Tick = unwatched) -> None:
    """Keep the agreement so far and the round that would follow, unless nothing is new since."""
    if not _is_open(case):
        return
    parts = Parts(tick, len(case.dimensions) + 1)
    keep_interim_agreement(case, parts)
    parts.begin("the next round")
    if (result := new_preview(case)) is not None:
        with writing(case.work.engine) as connection:
            add_unless_kept(connection, case.name, [result], now=case.work.now)


def _new_inputs(case: Case) -> str | None:
    """Hash of what tells the ratings so far from others, None without any that are new."""
    engine = case.work.engine
    if case.rounds[-1].kind != "main":
        return None
    inputs = content_hash(read_rating_pulse(engine, case.name)._asdict())
    if newest_inputs(engine, case.name, "interim") == inputs:
        return None
    return inputs if has_main_ratings(engine, case.name) else None


def keep_interim_agreement(case: Case, parts: Parts) -> None:
    """Keep the agreement on the main round's ratings so far, unless nothing is new since.

    It is for information: no verdict rests on it.
    """
    if (inputs := _new_inputs(case)) is None:
        return
    tables = first_pass_tables(case)
    results = [
        Result(
            round=case.rounds[-1].round,
            kind="interim",
            dimension=name,
            finding=measure_dimension(name, tables[name], seed=case.row.seed),
            inputs_hash=inputs,
        )
        for name in parts.each(tables, "agreement on")
    ]
    with writing(case.work.engine) as connection:
        add_unless_kept(connection, case.name, results, now=case.work.now)
