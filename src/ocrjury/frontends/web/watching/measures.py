"""Metrics of a rating page for Prometheus: numbers only, names of nobody.

Labels are routes as the program spells them, methods, states and frontends; an address with a
visit, an evaluation or a rater in it is never one.
"""

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector

import ocrjury

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Measures:
    """Counters and histograms of one process, from its start."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.hand_ins = Counter(
            "ocrjury_hand_ins",
            "Submissions of raters, by outcome: stored or refused.",
            ["outcome"],
            registry=self.registry,
        )
        self.answers = Counter(
            "ocrjury_answers",
            "Answers by method, route and status.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "ocrjury_answer_seconds",
            "Seconds from a request to the end of its answer, by route.",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        for outcome in ("stored", "refused"):
            self.hand_ins.labels(outcome)  # zero is a number too: an alert needs the first step
        Info("ocrjury", "Version of the package.", registry=self.registry).info(
            {"version": ocrjury.__version__}
        )
        ProcessCollector(registry=self.registry)
