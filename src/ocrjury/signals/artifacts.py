"""Pages of evaluations in Prefect's UI: one artifact each, whose newest version is the page."""

import logging
import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import httpx

from ocrjury.errors import MissingDependencyError
from ocrjury.signals.server import request

log = logging.getLogger(__name__)

Send = Callable[[str, str, object], httpx.Response]
"""Sends a method, a path of the API and a body to a Prefect server."""
SECONDS = 5.0
_AT_ONCE = 100
"""Fewer than Prefect tells at once."""
TROUBLES = (MissingDependencyError, httpx.HTTPError, ValueError, LookupError, TypeError)
"""Errors that a server raises if it is away, busy or not Prefect."""


class EvaluationPage(NamedTuple):
    """Page of an evaluation: its standing in a few words, and everything about it."""

    evaluation: str
    standing: str
    markdown: str


def page_key(evaluation: str) -> str:
    """Key of the page of an evaluation; Prefect takes lower case, digits and dashes.

    A name with other characters ends in its hash, so that no two evaluations share a page.

    Examples
    --------
    >>> page_key("claims-2026w47"), page_key("claims-2026_w47")
    ('claims-2026w47', 'claims-2026-w47-9f09e1')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", evaluation.lower()).strip("-") or "evaluation"
    if plain == evaluation:
        return plain
    return f"{plain}-{sha256(evaluation.encode()).hexdigest()[:6]}"


def sender(api: str, *, key: str | None) -> Send:
    """Way to the server at an address, for whoever is no flow run."""
    base = api.rstrip("/")
    return lambda method, path, body: request(
        method, base + path, key=key, timeout=SECONDS, json=body
    )


def read_pages(evaluations: Sequence[str], send: Send) -> dict[str, str] | None:
    """Texts of the pages that are shown of some evaluations; None if the server does not say.

    As many requests as there are hundreds of them.
    """
    names = {page_key(name): name for name in evaluations}
    keys, pages = sorted(names), dict[str, str]()
    try:
        for start in range(0, len(keys), _AT_ONCE):
            of_pages = {"artifacts": {"key": {"any_": keys[start : start + _AT_ONCE]}}}
            for page in _answer(send("POST", "/artifacts/latest/filter", of_pages)):
                pages[names[page["key"]]] = page["data"]
    except TROUBLES as error:
        log.info("Prefect does not say which pages it shows (%s).", error)
        return None
    return pages


def put_page(page: EvaluationPage, send: Send, *, run: str | None = None) -> bool:
    """Show a page of an evaluation if it differs from what is shown, and remove former versions.

    Parameters
    ----------
    run
        Flow run on whose page it stands too.

    Returns
    -------
    bool
        Whether it is new. A server that is away or refuses is logged, and keeps the former page.
    """
    of_page = {"key": {"any_": [page_key(page.evaluation)]}}
    newest_first = {"artifacts": of_page, "sort": "CREATED_DESC"}
    try:
        versions = _answer(send("POST", "/artifacts/filter", newest_first))
        if versions and versions[0]["data"] == page.markdown:
            return False
        _answer(send("POST", "/artifacts/", _body(page, run)))
        for version in versions:
            send("DELETE", f"/artifacts/{version['id']}", None)
    except TROUBLES as error:
        log.info("the page of %s was not shown in Prefect (%s).", page.evaluation, error)
        return False
    return True


def _body(page: EvaluationPage, run: str | None) -> dict[str, Any]:
    """Artifact of a page; what is not given is left out, so that it is not stored as null."""
    body = {
        "key": page_key(page.evaluation),
        "type": "markdown",
        "description": page.standing,
        "data": page.markdown,
    }
    return body | ({} if run is None else {"flow_run_id": run})


def _answer(response: httpx.Response) -> Any:
    return response.raise_for_status().json()
