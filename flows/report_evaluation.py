"""Render the report of an evaluation again, from its stored numbers."""

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from ocrjury.errors import OcrjuryError
from ocrjury.flows import EvaluationName, name_errors_only, run_name, tag_run
from ocrjury.signals.run_ends import REFUSED
from ocrjury.tasks import show_page
from ocrjury.tasks.report import write_report_again


@flow(name="report-evaluation", flow_run_name=run_name, on_running=[name_errors_only, tag_run])
def report_evaluation(evaluation: EvaluationName) -> State[None]:
    """Write the next version of an evaluation's report; its state does not change.

    Args:
        evaluation: Campaign and period of a closed evaluation, such as claims-2026w47: as on its
            page at /artifacts, which lists all there are.
    """
    try:
        written = write_report_again(evaluation)
    except OcrjuryError as error:
        return Failed(name=REFUSED, message=str(error))
    show_page(evaluation)
    return Completed(name="Reported", message=str(written.pdf or written.html))
