"""Markdown artifacts on a run's page."""

import re

from prefect.artifacts import create_markdown_artifact
from prefect.context import FlowRunContext, TaskRunContext


def publish(evaluation: str, step: str, markdown: str) -> None:
    """Put a markdown artifact on the page of the run; outside a run there is no page."""
    if FlowRunContext.get() is None and TaskRunContext.get() is None:
        return
    key = re.sub(r"[^a-z0-9]+", "-", f"{evaluation}-{step}".lower()).strip("-")
    create_markdown_artifact(key=key, markdown=markdown, description=step)
