"""Start a flow of this project on a running Prefect server, by the name of its deployment."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from ocrjury.errors import InputError
from ocrjury.signals.server import NotReadyError, body_of, request


class StartedRun(NamedTuple):
    """A flow run that Prefect accepted: its id, its name, and the address of its page."""

    flow_run: str
    name: str
    address: str


def start_deployment(
    api: str,
    name: str,
    parameters: Mapping[str, Any],
    *,
    key: str | None = None,
    timeout: float = 10.0,
    label: Mapping[str, Any] | None = None,
) -> StartedRun:
    """Create a flow run of a deployment; a worker starts it within seconds.

    Parameters
    ----------
    api
        Address of the API, such as ``http://127.0.0.1:4200/api``.
    name
        Flow and deployment, such as ``advance-evaluation/advance``.
    parameters
        By name; those that are not given keep the deployment's values.
    label
        `name` and `tags` under which the run waits until it starts; Prefect makes a name up
        otherwise.

    Raises
    ------
    InputError
        A parameter has no such name, or its value is refused.
    MissingDependencyError
        No server answers, or it has no such deployment.
    """
    base = api.rstrip("/")
    deployment = _deployment(base, name, key=key, timeout=timeout)
    _check_names(name, parameters, deployment.get("parameter_openapi_schema") or {})
    response = request(
        "POST",
        f"{base}/deployments/{deployment['id']}/create_flow_run",
        key=key,
        timeout=timeout,
        json={"parameters": dict(parameters)} | dict(label or {}),
    )
    body = body_of(response)
    if response.is_error:
        raise InputError(f"Prefect refuses to start {name}: {body.get('detail', body)}")
    return StartedRun(body["id"], body["name"], f"{ui_address(base)}/runs/flow-run/{body['id']}")


def ui_address(api: str) -> str:
    """Address of the UI that belongs to an API.

    Examples
    --------
    >>> ui_address("http://127.0.0.1:4200/api/")
    'http://127.0.0.1:4200'
    """
    return api.rstrip("/").removesuffix("/api")


def _deployment(base: str, name: str, *, key: str | None, timeout: float) -> dict[str, Any]:
    response = request("GET", f"{base}/deployments/name/{quote(name)}", key=key, timeout=timeout)
    if response.status_code == 404:
        raise NotReadyError(
            f"The Prefect server at {base} has no deployment {name}. Run `ocrjury up`, or "
            "`ocrjury deploy` if the server runs elsewhere."
        )
    return body_of(response)


def _check_names(name: str, parameters: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    # Prefect itself accepts an unknown parameter and then crashes the run.
    known = list(schema.get("properties", {}))
    unknown = [parameter for parameter in parameters if parameter not in known]
    if unknown:
        raise InputError(
            f"{name} has no parameter {', '.join(unknown)}; it has {', '.join(known) or 'none'}."
        )
