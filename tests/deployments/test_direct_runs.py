from uuid import UUID

import pytest
from prefect.client.schemas.objects import FlowRun

from ocrjury.deployments.direct_runs import COMMAND, DirectRun

RUN = FlowRun(id=UUID(int=1), flow_id=UUID(int=2))


@pytest.mark.parametrize(("own", "command"), [(None, COMMAND), ("nice prefect", "nice prefect")])
def test_a_run_is_started_by_its_command_without_another_process_before(own, command):
    run = DirectRun(command=own)

    run.prepare_for_flow_run(RUN)

    assert (run.command, run._command_configured) == (command, True)
