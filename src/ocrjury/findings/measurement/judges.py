"""Measure automatic judges against the raters."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ocrjury.agreement.alignment import judge_alignment
from ocrjury.agreement.alternative_annotator import judge_replacement
from ocrjury.agreement.gdpval import human_agreement
from ocrjury.findings.agreement import JudgeAgreement
from ocrjury.findings.judges import Seat, SeatTest
from ocrjury.findings.measurement.frames import long_frame
from ocrjury.ratings import RatingTable

Scores = Mapping[Any, float | str | None]
"""Scores of an automatic judge by item; an item without one is left out."""


def measure_judge(judge: str, table: RatingTable, scores: Scores) -> JudgeAgreement:
    """Agreement of a judge with the raters, and of the raters on the same items."""
    known = {item: score for item, score in scores.items() if pd.notna(score)}
    frame, weight = long_frame(table), table.item_weight
    judged = RatingTable.from_long(
        frame[frame["item"].isin(list(known))],
        scale=table.scale,
        item_weight=None
        if weight is None
        else dict(zip(table.items, weight.tolist(), strict=True)),
    )
    ceiling = human_agreement(judged, ci="jackknife")
    seat = None if table.anonymous else measure_seat(table, known)
    return JudgeAgreement(judge, judge_alignment(table, known), ceiling, seat)


def measure_seat(table: RatingTable, scores: Scores) -> SeatTest:
    """Test whether a judge may take a rater's seat."""
    test = judge_replacement(table, scores)
    return SeatTest(
        passes=test.passes,
        winning_rate=test.winning_rate,
        advantage=test.advantage,
        allowance=test.allowance,
        error=test.error,
        seats=tuple(
            Seat(
                rater=str(seat.rater),
                n_items=seat.n_items,
                judge_wins=seat.judge_wins,
                rater_wins=seat.rater_wins,
                p_value=seat.p_value,
                replaceable=seat.replaceable,
            )
            for seat in test.seats
        ),
        left_out=tuple(map(str, test.left_out)),
        reason=test.reason,
        warnings=test.warnings,
    )
