"""Runs of a worker as one process each.

Prefect's own worker starts another one before each run, which imports Prefect, fetches the code of
a deployment and ends: there is none to fetch, our flows are installed.
"""

import sys
from typing import Any

from prefect.utilities.processutils import command_to_string
from prefect.workers.process import ProcessJobConfiguration

COMMAND = command_to_string([sys.executable, "-m", "ocrjury.deployments.flow_run"])
"""Starts a run; its id stands in the environment."""


class DirectRun(ProcessJobConfiguration):
    """A run that starts at once, unless its deployment has a command of its own."""

    def prepare_for_flow_run(self, *given: Any, **named: Any) -> None:
        """Name the command before Prefect looks whether there is one."""
        self.command = self.command or COMMAND
        super().prepare_for_flow_run(*given, **named)
