"""Label Studio over HTTP: patience with a busy server, and sentences for what goes wrong.

A request is repeated only where that cannot do a thing twice. Where nobody knows whether a server
did what it was asked for, `UnansweredError` tells the caller to look first.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import httpx

from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.frontends.labelstudio.access_token import AccessToken
from ocrjury.patience import OutOfPatience, patience

TESTED = (1, 23)
"""The oldest version that was tried."""
NOT_FOUND, TOO_MANY, UNAVAILABLE = 404, 429, 503
_BUSY = frozenset({TOO_MANY, 500, 502, UNAVAILABLE, 504})
_NOT_BEGUN = frozenset({TOO_MANY, UNAVAILABLE})
_REFUSED = frozenset({401, 403})
_LONGEST_PAUSE = 30.0
PROJECTS_AT_ONCE, TASKS_AT_ONCE = 100, 50

Json = Mapping[str, Any]
Pairs = Mapping[str, str | int]


class UnansweredError(MissingDependencyError):
    """Nobody knows whether the server did what it was asked for."""


@dataclass(slots=True)
class Server:
    """A Label Studio server.

    Attributes
    ----------
    url
        Its address, without a slash at the end.
    token
        An access token; it is sent to this address alone, and never shown.
    attempts, pause
        How often a request is sent at most, and seconds before the second time; each further
        pause is twice as long, or what the server asks for.
    timeout, longest
        Seconds without a byte, and of a whole request, after which nobody waits for the answer.
    """

    url: str
    token: str = field(repr=False)
    attempts: int = 5
    pause: float = 0.5
    timeout: float = 60.0
    longest: float = 300.0
    _client: httpx.Client = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare the connection; nothing is sent yet."""
        self._client = httpx.Client(
            auth=AccessToken(self.token, url=self.url),
            timeout=httpx.Timeout(self.timeout, connect=10.0),
            headers={"Accept": "application/json"},
            limits=httpx.Limits(max_keepalive_connections=0),  # each is held for its request alone
        )

    def __enter__(self) -> Self:
        """Enter with the connection prepared."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the connection."""
        self._client.close()

    def check(self) -> str:
        """Check that a supported Label Studio answers and takes the token; return its version.

        `MissingDependencyError` if not.
        """
        release = str(_object(self.request("GET", "/api/version"), self.url).get("release", ""))
        version = tuple(int(part) for part in release.split(".")[:2] if part.isdecimal())
        if len(version) != 2:
            raise MissingDependencyError(_no_label_studio(self.url))
        if version < TESTED:
            raise MissingDependencyError(
                f"Label Studio at {self.url} is version {release}; ocrjury needs "
                f"{TESTED[0]}.{TESTED[1]} or newer. Upgrade it: pip install --upgrade label-studio"
            )
        self.request("GET", "/api/current-user/whoami")
        return release

    def users(self) -> dict[str, int]:
        """Number of every user by email address, in lower case."""
        users = self.request("GET", "/api/users/")
        listed = users.get("results", []) if isinstance(users, dict) else users
        return {str(user["email"]).casefold(): int(user["id"]) for user in listed}

    def projects(self) -> Iterator[Json]:
        """Yield title, description and number of every project."""
        page: int | None = 1
        while page is not None:
            parameters: Pairs = {
                "page": page,
                "page_size": PROJECTS_AT_ONCE,
                "include": "id,title,description",
            }
            response = _object(
                self.request("GET", "/api/projects/", parameters=parameters), self.url
            )
            yield from response.get("results", [])
            page = page + 1 if response.get("next") else None

    def tasks(self, project: int) -> Iterator[Json]:
        """Yield the tasks of a project with their annotations, in the order of their numbers."""
        page, left = 1, True
        while left:
            parameters: Pairs = {
                "project": project,
                "page": page,
                "page_size": TASKS_AT_ONCE,
                "fields": "all",
                "resolve_uri": "false",
            }
            response = _object(self.request("GET", "/api/tasks", parameters=parameters), self.url)
            yield from response.get("tasks", [])
            left = page * TASKS_AT_ONCE < int(response.get("total", 0))
            page += 1

    def request(
        self, method: str, path: str, *, parameters: Pairs | None = None, body: object = None
    ) -> Any:
        """Send a request and return the JSON of its answer; None for an empty one.

        Raises
        ------
        UnansweredError
            A POST had no answer, or a broken one; the server may have done it.
        MissingDependencyError
            Nobody answers, the token is refused, or this is no Label Studio.
        InputError
            The server refuses what it was sent; says why.
        """
        pause, answer = self.pause, None
        for attempt in range(1, self.attempts + 1):
            answer = self._send(method, path, parameters=parameters, body=body, attempt=attempt)
            if answer is not None and not self._again(answer, method):
                return self._content(answer)
            if attempt < self.attempts:
                time.sleep(_asked_for(answer, pause))
                pause *= 2
        status = "no answer" if answer is None else str(answer.status_code)
        raise MissingDependencyError(
            f"Label Studio at {self.url} did not serve {path} in {self.attempts} attempts "
            f"({status}). Look at its log, and try again."
        )

    def _send(
        self, method: str, path: str, *, parameters: Pairs | None, body: object, attempt: int
    ) -> httpx.Response | None:
        """Send one request and return its answer; None if it may be sent again."""
        try:
            with patience(self.longest) as held:
                return self._client.request(
                    method,
                    f"{self.url}{path}",
                    params=parameters,
                    json=body if body is not None else None,
                    extensions={"trace": held.trace},
                )
        except OutOfPatience as error:
            raise UnansweredError(
                f"Label Studio at {self.url} did not answer within {self.longest:g} seconds. Look "
                "at its log, and try again; what it has already is not sent twice."
            ) from error
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            if attempt < self.attempts:
                return None
            raise MissingDependencyError(
                f"No Label Studio answers at {self.url} ({error}). Start it, or fix "
                "rounds.labelstudio.url in the campaign."
            ) from error
        except httpx.TransportError as error:
            if method == "POST" or attempt == self.attempts:
                raise UnansweredError(
                    f"Label Studio at {self.url} did not answer ({type(error).__name__}). Try "
                    "again; what it has already is not sent twice."
                ) from error
            return None

    def _again(self, answer: httpx.Response, method: str) -> bool:
        """Return whether a request should be sent again."""
        if method == "POST" and answer.status_code in _BUSY - _NOT_BEGUN:
            raise UnansweredError(
                f"Label Studio at {self.url} failed ({answer.status_code}); its own log says why."
            )
        return answer.status_code in _BUSY

    def _content(self, answer: httpx.Response) -> Any:
        """JSON of a good answer; raises an error for every other."""
        if answer.status_code in _REFUSED:
            raise MissingDependencyError(
                f"Label Studio at {self.url} refuses the token ({answer.status_code}). Make one "
                "under Account & Settings, and put it into the environment variable that "
                "rounds.labelstudio.token_env names."
            )
        if answer.is_redirect:
            raise MissingDependencyError(
                f"{self.url} redirects to {answer.headers.get('Location', 'elsewhere')}; set "
                "rounds.labelstudio.url to where the server itself is."
            )
        gone = answer.request.method == "DELETE" and answer.status_code == NOT_FOUND
        # What is gone already needs no second removal.
        if gone or (answer.is_success and not answer.content):
            return None
        try:
            content = answer.json()
        except (ValueError, RecursionError) as error:
            raise MissingDependencyError(_no_label_studio(self.url)) from error
        if answer.is_success:
            return content
        path = answer.request.url.path
        # Complaints about tasks may repeat their text, which belongs into no log of ours.
        why = "its own log says why" if path.endswith("/import") else _complaint(content)
        raise InputError(
            f"Label Studio refused {answer.request.method} {path} ({answer.status_code}): {why}"
        )


def _asked_for(answer: httpx.Response | None, pause: float) -> float:
    """Seconds to wait: as many as the server asks for, else our own."""
    seconds = "" if answer is None else answer.headers.get("Retry-After", "")
    return min(float(seconds) if seconds.isdecimal() else pause, _LONGEST_PAUSE)


def _object(content: Any, url: str) -> Json:
    """Answer that is an object."""
    if not isinstance(content, dict):
        raise MissingDependencyError(_no_label_studio(url))
    return content


def _no_label_studio(url: str) -> str:
    """Error message for another kind of server."""
    return (
        f"What answers at {url} is no Label Studio. Fix rounds.labelstudio.url in the campaign: "
        "the address of its first page, without /projects or /api."
    )


def _complaint(content: Any) -> str:
    """Reason of the server's refusal in its own words, shortened."""
    if isinstance(content, dict):
        content = content.get("validation_errors") or content.get("detail") or content
    return str(content)[:300]
