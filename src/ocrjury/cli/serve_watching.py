"""Metrics of ``ocrjury serve`` for programs that watch it."""

from datetime import UTC, datetime


def ask_runs() -> dict[str, int] | None:
    """Number of Prefect's runs by state, None if its server does not answer."""
    # Nobody pays for these who asks for no numbers.
    from ocrjury.signals.own_server import prefect_address, prefect_key
    from ocrjury.signals.run_counts import count_runs

    api = prefect_address()
    return count_runs(api, key=prefect_key(api), now=datetime.now(UTC))
