"""Metrics of ``ocrjury serve`` for programs that watch it."""

import os
from datetime import UTC, datetime

from ocrjury.errors import InputError

TOKEN, SHORTEST = "OCRJURY_METRICS_TOKEN", 32


def metrics_token() -> str | None:
    """Token that ``/metrics`` asks for, None without one.

    Raises
    ------
    InputError
        It could be guessed.
    """
    token = os.environ.get(TOKEN, "").strip() or None
    if token is not None and (len(token) < SHORTEST or not token.isascii()):
        raise InputError(
            f"{TOKEN} must have {SHORTEST} ASCII characters at least, such as those of "
            "`openssl rand -hex 32`."
        )
    return token


def ask_runs() -> dict[str, int] | None:
    """Number of Prefect's runs by state, None if its server does not answer."""
    # Nobody pays for these who asks for no numbers.
    from ocrjury.signals.own_server import prefect_address, prefect_key
    from ocrjury.signals.run_counts import count_runs

    api = prefect_address()
    return count_runs(api, key=prefect_key(api), now=datetime.now(UTC))
