"""The whole chain on the bundled example with simulated raters, in one process."""

from pathlib import Path
from typing import Annotated

from prefect import flow, get_run_logger
from pydantic import Field

from ocrjury.campaign.bundled_example import EXAMPLE
from ocrjury.campaign.period import PERIOD
from ocrjury.campaign.settings import Settings
from ocrjury.flows import name_errors_only, run_name, tag_run
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.tasks.opening import open_campaign
from ocrjury.tasks.report import Written, copy_report


@flow(name="demo", flow_run_name=run_name, on_running=[name_errors_only, tag_run])
def demo(
    period: Annotated[str, Field(pattern=PERIOD)] = "demo",
    out: Annotated[str, Field(min_length=1, max_length=4096)] = "out",
    seed: Annotated[int, Field(ge=0)] | None = None,
) -> Written:
    """Open, rate, judge, ask again, adjudicate, estimate and report the bundled pool.

    Args:
        period: Name of the period; one that was run before is only reported again.
        out: Folder that report.pdf and report.html are copied to, from where the run works.
        seed: Number from which sample and assignments are drawn. Empty: the example's own.
    """
    now = Settings.from_environment().now()
    opened = open_campaign(str(EXAMPLE), period=period, seed=seed, scheduled=now)
    end = advance_until_waiting(opened.evaluation)
    get_run_logger().info("%s: %s %s", opened.evaluation, end.name, end.message or "")
    return copy_report(opened.evaluation, Path(out))
