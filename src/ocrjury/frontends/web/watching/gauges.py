"""Numbers that are looked up when somebody asks: what is open in the store, and Prefect's runs."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ocrjury.frontends.web.site import Site
from ocrjury.store.database import FAILURES, Engine
from ocrjury.store.load import count_load

RunCounts = Mapping[str, int]
KEPT_SECONDS = 10.0
"""Prefect is asked this often at most, however often somebody asks for the numbers."""


class StoreGauges(Collector):
    """Gauges of what is open in a store."""

    def __init__(self, engine: Engine, now: Callable[[], datetime]) -> None:
        self.engine, self.now = engine, now

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Nothing: the store is not asked before somebody wants its numbers."""
        return ()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Numbers of the store; of one that cannot be reached, that it cannot."""
        up = "ocrjury_store_up", "Whether the store answers: 1 or 0."
        try:
            load = count_load(self.engine, now=self.now())
        except FAILURES:
            yield GaugeMetricFamily(*up, value=0)
            return
        yield GaugeMetricFamily(*up, value=1)
        yield _by("ocrjury_evaluations", "Evaluations.", "state", load.evaluations)
        yield _by("ocrjury_open_rounds", "Open rounds.", "frontend", load.rounds)
        yield GaugeMetricFamily(
            "ocrjury_overdue_rounds",
            "Open rounds whose deadline has passed.",
            value=load.overdue,
        )
        yield GaugeMetricFamily(
            "ocrjury_open_assignments",
            "Ratings that raters still owe.",
            value=load.assignments,
        )
        yield GaugeMetricFamily(
            "ocrjury_unsent_signals",
            "Signals that Prefect has not taken yet.",
            value=load.signals,
        )


class RunGauges(Collector):
    """Prefect's runs that were due within a day."""

    def __init__(self, ask: Callable[[], RunCounts | None]) -> None:
        self.ask = ask
        self._counts: RunCounts | None = None
        self._due = 0.0

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Nothing, as above."""
        return ()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Numbers of runs; of a server that does not answer, that it does not."""
        if time.monotonic() >= self._due:
            self._counts = self.ask()
            self._due = time.monotonic() + KEPT_SECONDS
        up = "ocrjury_prefect_up", "Whether Prefect's server answers: 1 or 0."
        yield GaugeMetricFamily(*up, value=int(self._counts is not None))
        if self._counts is not None:
            about = "Runs of flows that were due within the last 24 hours."
            yield _by("ocrjury_runs", about, "state", self._counts)


def gauges_of(site: Site) -> CollectorRegistry:
    """All numbers that are looked up for a site."""
    registry = CollectorRegistry()
    registry.register(StoreGauges(site.store.engine, site.now))
    registry.register(RunGauges(site.runs))
    return registry


def _by(name: str, about: str, label: str, numbers: Mapping[str, int]) -> GaugeMetricFamily:  # noqa: PLR0917
    """Gauge with a label."""
    gauge = GaugeMetricFamily(name, about, labels=[label])
    for value, number in sorted(numbers.items()):
        gauge.add_metric([value], number)
    return gauge
