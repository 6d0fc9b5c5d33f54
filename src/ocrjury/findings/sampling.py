"""Design of the sample as drawn."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ocrjury.findings.record import Number, Record, Sentence
from ocrjury.sampling.designs import Design
from ocrjury.sampling.reasons import ReasonKind


@dataclass(frozen=True, slots=True)
class Balance(Record):
    """The mean of something that is known of every document.

    ``name`` is ``cer``, ``no_error`` (the share with CER 0) or ``confidence``. Over the ``pool``,
    over the ``sample`` with every document alike, and ``weighted`` by the inverse of the inclusion
    probability.
    """

    name: str
    pool: Number
    sample: Number
    weighted: Number


@dataclass(frozen=True, slots=True)
class Spread(Record):
    """Expected spread of the outcome in bands of CER or confidence; ``edges`` part the bands."""

    by: str
    edges: tuple[Number, ...]
    spread: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class RiskReason(Record):
    """Reason for more draws of a kind of documents, as in `ocrjury.sampling.reasons.Reason`."""

    kind: ReasonKind
    score: str | None = None
    threshold: Number = math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleDesign(Record):
    """The design of a sample, of all that was drawn up to the latest top-up.

    ``frame`` is the hash of the pool, ``shares`` and ``sample_strata`` are by part of the design.
    ``risk`` names the rule of the error-focused part in words, ``reasons`` what it goes by; for the
    design target ``spread`` holds what was learnt from the evaluation ``spread_from``. ``note``
    tells what departed from the plan.
    ``pages`` counts those of the pool where whole pages were drawn, None where documents were.
    """

    n: int
    pool_size: int
    design: Design
    seed: int
    frame: str | None
    shares: Mapping[str, Number]
    floor: int
    stratum: str | None
    risk: str | None
    spread: Spread | None
    spread_from: str | None
    note: Sentence | None
    pool_strata: Mapping[str, int]
    sample_strata: Mapping[str, Mapping[str, int]]
    balance: tuple[Balance, ...]
    weight_min: Number
    weight_max: Number
    pages: int | None = None
    reasons: tuple[RiskReason, ...] = ()
