"""The whole chain on the bundled example with simulated raters, in one process."""

from pathlib import Path

from prefect import flow, get_run_logger

from ocrjury.campaign.bundled import EXAMPLE
from ocrjury.campaign.settings import Settings
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.tasks.opening import open_campaign
from ocrjury.tasks.report import Written, copy_report


@flow(name="demo", flow_run_name="korean-claims-{period}-r00-demo")
def demo(period: str = "demo", out: str = "out", seed: int | None = None) -> Written:
    """Open, rate, judge, ask again, adjudicate, estimate and report the bundled pool.

    Parameters
    ----------
    period
        Name of the period; one that was run before is only reported again.
    out
        Folder that report.pdf and report.html are copied to, from where the run works.
    seed
        Instead of the example's own.
    """
    now = Settings.from_environment().now()
    opened = open_campaign(str(EXAMPLE), period=period, seed=seed, scheduled=now)
    end = advance_until_waiting(opened.evaluation)
    get_run_logger().info("%s: %s %s", opened.evaluation, end.name, end.message or "")
    return copy_report(opened.evaluation, Path(out))
