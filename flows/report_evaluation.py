"""Render the report of an evaluation again, from its stored numbers."""

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed, Failed

from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.standings import name_of_run
from ocrjury.tasks.report import write_report_again


def run_name() -> str:
    """Name of this run."""
    return name_of_run(flow_run.parameters["evaluation"], "report")


@flow(name="report-evaluation", flow_run_name=run_name)
def report_evaluation(evaluation: str) -> State[None]:
    """Write the next version of an evaluation's report.

    Parameters
    ----------
    evaluation
        Name of the evaluation; its state does not change.
    """
    try:
        written = write_report_again(evaluation)
    except OcrjuryError as error:
        return Failed(name="Refused", message=str(error))
    return Completed(name="Reported", message=str(written.pdf or written.html))
