"""Agreement so far, while people still rate: for the lead's eyes, and no verdict."""

from ocrjury.agreement import measure_agreement
from ocrjury.campaign.canonical import content_hash
from ocrjury.store.database import writing
from ocrjury.store.results import Result, add_results, newest_inputs
from tasks.inference import tables_of
from tasks.work import Case


def keep_interim_agreement(case: Case) -> None:
    """Keep the agreement on the main round's ratings so far, unless nothing is new since."""
    number = case.rounds[-1].round
    if case.rounds[-1].kind != "main" or case.first_pass.empty:
        return
    inputs = content_hash(case.first_pass.astype(str).to_dict(orient="list"))
    if newest_inputs(case.work.engine, case.name, "interim") == inputs:
        return
    tables = tables_of(case, case.first_pass)
    results = [
        Result(
            round=number,
            kind="interim",
            dimension=name,
            body={
                key: one.to_json()
                for key, one in measure_agreement(table, seed=case.row.seed).items()
            },
            inputs_hash=inputs,
        )
        for name, table in tables.items()
    ]
    with writing(case.work.engine) as connection:
        add_results(connection, case.name, results, now=case.work.now)
