"""Authentication of requests to Label Studio."""

from collections.abc import Generator

import httpx

UNAUTHORIZED = 401


class AccessToken(httpx.Auth):
    """Put a token on every request.

    A legacy token goes on as it is. A personal access token (three parts with dots between) only
    fetches short-lived tokens, anew whenever one has expired.
    """

    requires_response_body = True

    def __init__(self, token: str, *, url: str) -> None:
        self._token, self._url = token, url
        self._fetched: str | None = None

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response]:
        """Send the request, and once more with a fresh token if the first had expired."""
        if self._token.count(".") != 2:
            request.headers["Authorization"] = f"Token {self._token}"
            yield request
            return
        if self._fetched is None:
            yield from self._fetch(request)
        request.headers["Authorization"] = f"Bearer {self._fetched}"
        answer = yield request
        if answer.status_code == UNAUTHORIZED:
            yield from self._fetch(request)
            request.headers["Authorization"] = f"Bearer {self._fetched}"
            yield request

    def _fetch(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response]:
        """Fetch a short-lived token; where that is refused, the request itself will be too."""
        answer = yield httpx.Request(
            "POST",
            f"{self._url}/api/token/refresh/",
            json={"refresh": self._token},
            extensions=request.extensions,  # its limits of time
        )
        try:
            self._fetched = str(answer.json()["access"])
        except (ValueError, KeyError, TypeError):
            self._fetched = "refused"
