"""Progress of the open round: agreement so far, and raters without access."""

from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.settings import Settings
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import first_pass_tables
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.store.database import writing
from ocrjury.store.results import Result, add_results, newest_inputs
from ocrjury.store.single_sign_on import list_shut_out


def keep_interim_agreement(case: Case) -> None:
    """Keep the agreement on the main round's ratings so far, unless nothing is new since.

    It is for information: no verdict rests on it.
    """
    number = case.rounds[-1].round
    if case.rounds[-1].kind != "main" or case.first_pass.empty:
        return
    inputs = content_hash(case.first_pass.astype(str).to_dict(orient="list"))
    if newest_inputs(case.work.engine, case.name, "interim") == inputs:
        return
    results = [
        Result(
            round=number,
            kind="interim",
            dimension=name,
            body=measure_dimension(name, table, seed=case.row.seed).to_json(),
            inputs_hash=inputs,
        )
        for name, table in first_pass_tables(case).items()
    ]
    with writing(case.work.engine) as connection:
        add_results(connection, case.name, results, now=case.work.now)


def uninvited_raters(case: Case) -> list[str]:
    """Raters of the last round who have no way to the rating page yet."""
    last = case.rounds[-1]
    if last.frontend != "web":
        return []
    sign_on = Settings.from_environment().sign_in_header is not None
    engine, now = case.work.engine, case.work.now
    return list_shut_out(engine, case.name, last.round, now=now, sign_on=sign_on)
