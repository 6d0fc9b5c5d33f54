"""The whole chain on the bundled example with simulated raters, in one process."""

from pathlib import Path

from prefect import flow, get_run_logger

from ocrjury.evaluation.case import at_work
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.tasks.opening import open_campaign
from ocrjury.tasks.report import Written, copy_report

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "korean-claims" / "campaign.yaml"


@flow(name="demo", flow_run_name="korean-claims-{period}-r00-demo")
def demo(period: str = "demo", out: str = "out", seed: int | None = None) -> Written:
    """Open, rate, judge, ask again, adjudicate, estimate and report the bundled pool.

    Parameters
    ----------
    period
        Name of the period; one that was run before is only reported again.
    out
        Folder that report.pdf and report.html are copied to.
    seed
        Instead of the example's own.
    """
    with at_work() as work:
        now = work.now
    opened = open_campaign(str(EXAMPLE), period=period, seed=seed, scheduled=now)
    end = advance_until_waiting(opened.evaluation)
    get_run_logger().info("%s: %s %s", opened.evaluation, end.name, end.message or "")
    return copy_report(opened.evaluation, Path(out))


if __name__ == "__main__":
    demo()
