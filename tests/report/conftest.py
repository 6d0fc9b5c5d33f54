"""A report with realistic numbers: six simulated raters on a pool of Korean claim fields."""

import base64
import dataclasses
import functools
import io
import math
from datetime import UTC, datetime

import numpy as np
import pytest
from PIL import Image, ImageDraw

from ocrjury import Estimate, Scale
from ocrjury.agreement.rank_order import spearman
from ocrjury.bias import BiasFinding
from ocrjury.campaign.decision_targets import TakenTarget
from ocrjury.campaign.owners import Owner
from ocrjury.campaign.recommendation import Recommendation
from ocrjury.findings.agreement import (
    AgreementFinding,
    Disagreements,
    JudgeAgreement,
    PairKappa,
    PairKappas,
    PairSpread,
    Pattern,
    Profile,
    Suggestion,
)
from ocrjury.findings.confusions import Confusion, LevelPair
from ocrjury.findings.dimensions import Composite, Correlation, MeanOver
from ocrjury.findings.field_errors import FieldErrors, KindErrors
from ocrjury.findings.judges import Seat, SeatTest
from ocrjury.findings.looks import Look
from ocrjury.findings.measurement.pool_groups import columns_that_group
from ocrjury.findings.measurement.pool_metrics import measure_pool_metrics, text_facts
from ocrjury.findings.measurement.rater_means import mean_over_items
from ocrjury.findings.pool_estimates import (
    GoldCorrection,
    PoolEstimates,
    RaterInMean,
    Response,
    Saving,
    Sources,
    TypeEstimate,
)
from ocrjury.findings.pool_metrics import GroupMean, GroupMeans
from ocrjury.findings.pool_scores import FieldAccuracy, MetricSummary
from ocrjury.findings.sampling import Balance
from ocrjury.findings.trend import Trend, TrendRow
from ocrjury.gate.verdict import Action
from ocrjury.language import phrase
from ocrjury.pages.bias_rows import bias_rows
from ocrjury.report.data import (
    DimensionDecision,
    GateVerdict,
    Headline,
    Identity,
    PrintedDimension,
    Release,
    ReportData,
    ScaleLabels,
)
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.evidence import Items, PrintedRating, WorstItem
from ocrjury.report.marked_text import marked_text
from ocrjury.report.outcome import PrintedTarget, outcome_of
from ocrjury.report.rule_breaks import RuleBreak, RuleBreaks, RuleRow
from ocrjury.report.sections.agreement import COLUMNS, Agreement
from ocrjury.report.sections.counts import Counts
from ocrjury.report.sections.decisions import Decisions
from ocrjury.report.sections.differences import Differences, DividedRow
from ocrjury.report.sections.joint_dimensions import JointDimensions
from ocrjury.report.sections.plan import Expected, PlanComparison
from ocrjury.report.sections.raters import RaterRow, Raters
from ocrjury.report.sections.recommendations import Recommendations
from ocrjury.report.sections.request import Request
from ocrjury.report.sections.rounds import PrintedRound, Rounds
from ocrjury.report.sections.sampling import SamplePart, Sampling, StratumCounts
from ocrjury.report.sections.scores import Point, Scores
from ocrjury.sampling.designs import COMPONENTS
from ocrjury.store.decisions import StoredDecision
from ocrjury.text import TextOptions, score_texts

NAN = math.nan
TARGET = PrintedTarget(dimension="meaning", value=4.0)
OTHERS = Estimate(4.12, 3.93, 4.31, 0.09, 200, 6, 520, "GREG, other raters")
THESE = Estimate(3.98, 3.91, 4.05, 0.035, 200, 6, 520, "GREG, these raters")
WITHOUT_GOLD = Estimate(4.02, 3.7, 4.34, 0.14, 200, 6, 520, "GREG, other raters")
RATERS = ("R01", "R02", "R03", "R04", "R05", "R06")
SOURCES = Sources(
    raters=tuple(
        RaterInMean(
            rater=rater,
            n_ratings=87,
            weight=weight,
            share=weight / 5.25,
            severity=severity,
            without=None if rater == "R04" else Estimate(without),
        )
        for rater, weight, severity, without in zip(
            RATERS,
            (1, 1, 1, 1, 1, 0.25),
            (-0.21, 0.08, 0.12, 0.02, -0.03, 0.06),
            (4.16, 4.1, 4.11, 4.12, 4.13, 4.12),
            strict=True,
        )
    ),
    effective_raters=5.4,
    df=12.3,
    variance={"documents": 0.31, "ratings": 0.09, "gold": 0.6},
    length=0.38,
    with_more_items=0.33,
    with_more_raters=0.38,
)
LOOKS = tuple(
    (
        1,
        Look(
            dimension=name,
            look=1,
            planned=1,
            items=200,
            statistic="krippendorff_alpha",
            value=value,
            lower=lower,
            confidence=0.95,
            decision=decision,
        ),
    )
    for name, value, lower, decision in (
        ("meaning", 0.81, 0.76, "PASS"),
        ("layout", 0.56, 0.507, "FAIL"),
        ("readability", 0.769, 0.711, "PASS"),
    )
)
TEXTS = (
    (
        "kr-041/amount_total",
        "진료비영수증",
        "amount",
        "환자부담총액 1,284,500원",
        "환자부담총액 1.234.500",
    ),
    ("kr-012/code", "진단서", "code", "질병코드 S72.0", "질병코드 572.O"),
    ("kr-063/date", "처방전", "date", "발병일 2022년 7월 15일", "발병일 2022년 |월 15일"),
    (
        "kr-007/opinion",
        "수술기록",
        "text",
        "대퇴골 경부의 골절로 수술을 시행함",
        "대퇴골 경부외 골절로 수을 시행함함",
    ),
)


PATTERNS = (
    Pattern(
        "wide_range", ("kr-063/date",), "The ratings of 3 of 200 items are 4 or more points apart."
    ),
    Pattern("single_value", ("R06",), "The same value throughout: R06."),
)


RATER_ROWS = [
    ("R01", -0.05, 0.07, (2, 3, 8, 20, 34), ()),
    ("R02", 0.04, 0.07, (2, 2, 7, 21, 34), ()),
    ("R03", -0.43, 0.08, (6, 7, 13, 22, 19), ("rates 0.43 points lower than colleagues",)),
    ("R04", 0.11, 0.07, (2, 2, 6, 20, 36), ()),
    ("R05", 0.21, 0.09, (1, 2, 5, 20, 39), ()),
    ("R06", 0.12, 0.17, (1, 1, 17, 8, 40), ("gives the same answers 40 times in a row",)),
]

LEVELS_OF_TWO = (
    (5, 0, 1, 0, 0),
    (0, 8, 0, 12, 0),
    (1, 0, 9, 2, 0),
    (0, 0, 2, 10, 1),
    (0, 0, 0, 2, 7),
)


def agreement_of(dimension, *, alpha, kappa, icc, human, chance, adjacent, **parts):
    def estimate(value, half):
        return Estimate(
            value, value - half, min(value + half, 1.0), half / 2, 200, 6, 400, "jackknife"
        )

    return AgreementFinding(
        dimension=dimension,
        n_items=200,
        n_raters=6,
        n_ratings=600,
        estimates=dict.fromkeys(COLUMNS, estimate(alpha, 0.06))  # of a column that is new as well
        | {
            "krippendorff_alpha": estimate(alpha, 0.06),
            "mean_pairwise_weighted_kappa": estimate(kappa, 0.08),
            "icc": estimate(icc, 0.07),
            "human_agreement": estimate(human, 0.02),
            "human_agreement_chance": Estimate(chance),
            "human_agreement_corrected": estimate((human - chance) / (1 - chance), 0.08),
            "adjacent_agreement": estimate(adjacent, 0.03),
        },
        pairs=PairKappas(
            "quadratic",
            (PairKappa("R01", "R02", Estimate(kappa)),),
            PairSpread(
                n=14, undefined=1, mean=kappa, sd=0.17, min=0.39, median=kappa + 0.04, max=0.84
            ),
        ),
        disagreements=Disagreements(
            threshold=2,
            n_items=200,
            n=round(100 * (1 - human)),
            rate=(1 - human) / 2,
            share=estimate(0.6 * (1 - human), 0.02),
        ),
        profiles=sample_profiles(),
        **parts,
    )


def confusion(rater, counts):
    same = sum(row[place] for place, row in enumerate(counts))
    share = 1 - same / sum(map(sum, counts))
    apart = Estimate(share, share - 0.06, share + 0.06)
    return Confusion(rater=rater, counts=counts, apart=apart)


def rating_counts(dimension, counts, *, items):
    low = sum(counts[:2]) / sum(counts)
    shares = (Estimate(share, share - 0.03, share + 0.03) for share in (low, items))
    return RatingCounts(dimension, counts, *shares)


def picture(text="1,284,500"):
    image = Image.new("RGB", (480, 96), "#f4f3ee")
    draw = ImageDraw.Draw(image)
    draw.rectangle((8, 8, 471, 87), outline="#777777")
    draw.text((40, 36), text, fill="#222222", font_size=24)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=70)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()


def sample_agreement():
    kappas = iter(
        (0.84, 0.79, 0.81, 0.77, 0.42, 0.83, 0.8, 0.78, 0.39, 0.82, 0.74, 0.47, 0.76, 0.44)
    )
    pairs = []
    for i, a in enumerate(RATERS):
        for b in RATERS[i + 1 :]:
            value = next(kappas, NAN)
            reason = "too_few_common_items" if math.isnan(value) else None
            n = 4 if reason else 22 + 3 * len(pairs)
            pairs.append(
                PairKappa(a, b, Estimate(value, value - 0.2, value + 0.1, n_items=n, reason=reason))
            )
    return Agreement(
        dimensions=(
            agreement_of(
                "meaning",
                alpha=0.81,
                kappa=0.78,
                icc=0.82,
                human=0.92,
                chance=0.74,
                adjacent=0.97,
                item_means=(6, 9, 22, 61, 102),
                confusions=tuple(
                    confusion(
                        rater=rater,
                        counts=(
                            (10, 2, 0, 0, 0),
                            (3, 12, 4, 0, 0),
                            (0, 3, 20, 5 + number, 0),
                            (0, 0, 6, 40, 9),
                            (1, 0, 0, 8, 60),
                        ),
                    )
                    for number, rater in enumerate(RATERS)
                ),
                level_pairs=(
                    LevelPair(
                        rater_a="R03",
                        rater_b="R06",
                        counts=LEVELS_OF_TWO,
                        same=Estimate(0.65, 0.51, 0.77, n_items=60),
                    ),
                    LevelPair(
                        rater_a="R05",
                        rater_b="R06",
                        counts=tuple(zip(*LEVELS_OF_TWO, strict=True)),
                        same=Estimate(0.65, 0.51, 0.77, n_items=60),
                    ),
                ),
                judges=(
                    JudgeAgreement(
                        "LLM",
                        Estimate(0.86, 0.84, 0.88, n_items=198),
                        Estimate(0.92, 0.9, 0.94, n_items=198),
                        sample_seat(),
                    ),
                    JudgeAgreement(
                        "rules",
                        Estimate(NAN, reason="no_items"),
                        Estimate(NAN, reason="no_items"),
                    ),
                ),
            ),
            agreement_of(
                "layout",
                alpha=0.56,
                kappa=0.52,
                icc=0.58,
                human=0.83,
                chance=0.71,
                adjacent=0.86,
                item_means=(14, 31, 43, 62, 50),
                patterns=PATTERNS,
                suggestions=(
                    Suggestion("anchors", "Add an anchor example for every level of the scale."),
                ),
            ),
            agreement_of(
                "readability",
                alpha=0.77,
                kappa=0.74,
                icc=0.76,
                human=0.9,
                chance=0.75,
                adjacent=0.95,
                item_means=(5, 12, 31, 67, 85),
                patterns=PATTERNS[:1],
            ),
        ),
        means={"krippendorff_alpha": MeanOver(0.713, 3)},
        pairs=tuple(pairs),
        pairs_dimension="meaning",
    )


def sample_differences():
    return Differences(
        disagreements=17,
        double_rated=200,
        share=Estimate(0.094, 0.058, 0.148),
        divided=(
            DividedRow(
                "kr-063/date",
                "처방전",
                4.0,
                ("meaning", "layout"),
                (
                    PrintedRating("R01", {"meaning": 1, "layout": 1, "readability": 3}),
                    PrintedRating("R06", {"meaning": 5, "layout": 5, "readability": 4}),
                ),
            ),
            DividedRow(
                "kr-007/opinion",
                None,
                3.0,
                ("layout",),
                (PrintedRating("R02", {"layout": 2}), PrintedRating("R05", {"layout": 5})),
            ),
        ),
    )


def sample_raters():
    return Raters(
        rows=tuple(
            RaterRow(
                rater=name,
                n_ratings=sum(counts),
                mean=mean_over_items(ratings_of(counts), Scale.likert(1, 5)),
                severity=Estimate(value, value - half, value + half, half / 2),
                counts=counts,
                equal_to_label=Estimate(0.5, 0.37, 0.63)
                if name == "R06"
                else Estimate(0.86, 0.75, 0.93),
                flags=flags,
            )
            for name, value, half, counts, flags in RATER_ROWS
        ),
        dimension="meaning",
        mean=mean_of([sum(column) for column in zip(*(row[3] for row in RATER_ROWS), strict=True)]),
        tested=True,
        bias=bias_rows(sample_findings()),
    )


def sample_findings():
    def finding(kind, rater, dimension, effect, unit, p, half=0.1):
        level = "medium" if p < 0.01 else "low"
        return BiasFinding(
            *(kind, rater, dimension, effect, unit),
            low=effect - half,
            high=effect + half,
            p_value=p / 6,
            p_adjusted=p,
            p_overall=min(2 * p, 1.0),
            flagged=p <= 0.05,
            level=level,
        )

    def untold(kind, rater, unit, reason):
        return BiasFinding(kind, rater, None, NAN, unit, status="not_identifiable", reason=reason)

    severe = {"R01": -0.05, "R02": 0.04, "R03": -0.43, "R04": 0.11, "R05": 0.21}
    return [
        *(
            finding("severity", rater, "meaning", effect, "points", 0.4 if rater != "R03" else 4e-4)
            for rater, effect in severe.items()
        ),
        BiasFinding(
            *("severity", "R06", "meaning", NAN, "points"),
            status="not_identifiable",
            reason="too_few_common_items",
        ),
        finding("halo", None, None, 0.27, "residual correlation", 0.002),
        finding("halo", "R06", None, 0.41, "residual correlation", 0.02),
        untold("anchoring", None, "points per point", "no_order"),
        finding("range_restriction", "R06", None, 40.0, "identical answers in a row", 0.03, NAN),
    ]


def sample_profiles():
    def profile(rank, name, value, half, counts):
        return Profile(
            rater=name,
            rank=rank,
            count=sum(counts),
            mean=mean_over_items(ratings_of(counts), Scale.likert(1, 5)),
            sd=1.1 + 0.01 * rank,
            median=4.0,
            skew=-0.9,
            kurtosis=0.2,
            low=1.0,
            high=5.0,
            counts=counts,
            severity=Estimate(value, value - half, value + half, half / 2),
        )

    strict_first = sorted(RATER_ROWS, key=lambda row: row[1])
    return tuple(profile(n, *row[:4]) for n, row in enumerate(strict_first, start=1))


def sample_rules():
    return RuleBreaks(
        rows=(
            RuleRow(
                rule="amount-differs",
                kind="amount",
                when="value_differs",
                sentence="Amount: if it differs by even one won, at most 4.",
                at_most=4,
                breaks=(
                    RuleBreak(
                        dimension="meaning",
                        rater="R03",
                        ratings=4,
                        items=4,
                        told=1,
                        levels=((5, 4),),
                    ),
                ),
            ),
            RuleRow(
                rule="text-distance",
                kind="text",
                when="ned",
                sentence="Text: by normalised edit distance.",
                breaks=(
                    RuleBreak(
                        dimension="meaning",
                        rater="R05",
                        ratings=2,
                        items=1,
                        told=0,
                        levels=((3, 1),),
                    ),
                    RuleBreak(
                        dimension="meaning",
                        rater="R06",
                        ratings=7,
                        items=7,
                        told=2,
                        levels=((5, 1), (4, 6)),
                    ),
                ),
            ),
            RuleRow(
                rule="date-format",
                kind="date",
                when="only_format_differs",
                sentence="Date: if only the format differs, 5.",
                at_most=5,
            ),
        ),
        checked_by_kind={"main": 320, "adaptive": 41, "panel": 20, "gold": 10},
    )


def sample_joint_dimensions():
    # No score of a dimension on which agreement was not shown, such as layout, is printed.
    weights = {"meaning": 0.6, "readability": 0.4}
    loadings = {"meaning": 0.72, "readability": 0.69}
    score = {"these": Estimate(4.05, 3.98, 4.12), "others": Estimate(4.05, 3.9, 4.2)}
    return JointDimensions(
        correlations=(
            Correlation("layout", "meaning", 400, Estimate(0.61, 0.52, 0.69, n_items=200)),
            Correlation("meaning", "readability", 400, Estimate(0.83, 0.78, 0.87, n_items=200)),
        ),
        composites=(
            Composite(method="weighted", used="weighted", weights=weights, **score),
            Composite(
                method="pca",
                used="pca",
                weights=weights,
                loadings=loadings,
                explained=0.78,
                **score,
            ),
        ),
        halo=sample_findings()[6],
    )


def mean_of(counts):
    return sum(level * n for level, n in enumerate(counts, start=1)) / sum(counts)


def ratings_of(counts):
    return [level for level, n in enumerate(counts, start=1) for _ in range(n)]


def sample_sampling():
    strata = {
        "진단서": (258, (22, 11, 6)),
        "진료비영수증": (402, (30, 13, 16)),
        "처방전": (233, (15, 10, 7)),
        "수술기록": (195, (12, 9, 5)),
        "입원확인서": (219, (11, 9, 3)),
        "보험금청구서": (218, (10, 8, 3)),
    }
    return Sampling(
        pool_size=1525,
        n=200,
        stratum="doc_type",
        parts=(
            SamplePart(reason="random", share=0.5, items=100, mean_weight=9.1, mean_rating=4.08),
            SamplePart(reason="stratified", share=0.3, items=60, mean_weight=8.2, mean_rating=4.0),
            SamplePart(
                reason="error_focused", share=0.2, items=40, mean_weight=2.4, mean_rating=2.41
            ),
        ),
        strata=tuple(
            StratumCounts(stratum=name, pool=pool, drawn=dict(zip(COMPONENTS, drawn, strict=True)))
            for name, (pool, drawn) in strata.items()
        ),
        weight_low=1.2,
        weight_median=8.6,
        weight_high=11.4,
        recommended_n=308,
        balance=(
            Balance("cer", 0.166, 0.245, 0.169),
            Balance("no_error", 0.61, 0.48, 0.605),
            Balance("confidence", 0.84, 0.79, 0.838),
        ),
    )


FEW_CASES = (
    "Too few cases: 6 of 200 items are on the smaller side of this share; under 10 its "
    "interval is a rough guide."
)
APART = (
    "GREG of plain means (4.12) and Hájek (3.71) differ by 3.4 standard errors of their "
    "difference: the auxiliaries and the people disagree about the pool, or documents and weights "
    "were mixed up. Look at the plot of CER against score."
)


def sample_seat():
    seat = {"n_items": 60, "judge_wins": 0.82, "rater_wins": 0.85}
    return SeatTest(
        passes=True,
        winning_rate=2 / 3,
        advantage=0.82,
        allowance=0.1,
        error=0.05,
        seats=tuple(
            Seat(rater=name, **seat, p_value=p, replaceable=p < 0.01)
            for name, p in (("R01", 0.001), ("R02", 0.002), ("R03", 0.3))
        ),
        warnings=("Most items have two ratings.",),
    )


def sample_estimates():
    few = Estimate(0.03, 0.01, 0.06, warnings=(FEW_CASES,))
    return (
        PoolEstimates(
            dimension="meaning",
            others=dataclasses.replace(OTHERS, warnings=(APART,)),
            these=THESE,
            hajek=Estimate(4.1, 4.0, 4.2),
            inferred=Estimate(4.2, 4.01, 4.39),
            usable=Estimate(0.81, 0.76, 0.86),
            unusable=few,
            few=("unusable",),
            sources=SOURCES,
            gold=GoldCorrection(
                n_items=20,
                n_ratings=118,
                uncorrected=WITHOUT_GOLD,
                usable=Estimate(0.79, 0.74, 0.84),
            ),
            response=Response(
                drawn=200,
                rated=197,
                complete=188,
                given=385,
                wanted=400,
                growth=1.21,
                silent={"처방전": 2, "수술기록": 1},
            ),
            quartiles=(Estimate(3.5), Estimate(4.5), Estimate(5.0)),
            types=sample_types(),
            savings=(
                Saving(source="cer", needed=1.62),
                Saving(source="LLM", needed=1.31),
                Saving(source="doc_type", needed=0.994),
                Saving(source=None, needed=3.9),
            ),
        ),
        PoolEstimates(
            dimension="layout",
            others=OTHERS,
            these=THESE,
            hajek=OTHERS,
            usable=Estimate(0.5, warnings=("A sentence about layout.",)),
            response=Response(drawn=200, rated=200, complete=190, given=390, wanted=400),
        ),
        PoolEstimates(
            dimension="readability",
            others=Estimate(4.2, reason="fewer_than_two_raters"),
            these=Estimate(4.2, 4.13, 4.27),
            hajek=Estimate(4.18, 4.0, 4.36),
            unusable=few,
            few=("unusable",),
            response=Response(drawn=200, rated=200, complete=200, given=400, wanted=400),
            savings=(Saving(source="cer", needed=1.2),),
        ),
    )


def sample_types():
    rows = (
        ("진단서", 258, 39, Estimate(4.31, 4.1, 4.52)),
        ("진료비영수증", 402, 59, Estimate(3.41, 3.16, 3.66)),
        ("처방전", 233, 32, Estimate(4.05, 3.8, 4.3)),
        ("수술기록", 195, 26, Estimate(3.92, 3.6, 4.24)),
        ("입원확인서", 219, 23, Estimate(4.44, 4.25, 4.63)),
        ("각서", 4, 4, Estimate(4.1, 3.1, 5)),
        ("보험금청구서", 218, 3, Estimate(NAN, reason="fewer_than_two_items")),
    )
    return tuple(
        TypeEstimate(doc_type=name, pool=pool, n=n, estimate=mean, few=n == 4)
        for name, pool, n, mean in rows
    )


def sample_plan():
    return PlanComparison(
        dimension="meaning",
        planned=Expected(
            items=200,
            ratings=400,
            gold_ratings=120,
            raters=6,
            cost=400.0,
            width_others=0.32,
            width_these=0.15,
            width_share=0.12,
        ),
        achieved=Expected(
            items=197,
            ratings=385,
            gold_ratings=118,
            raters=6,
            cost=385.0,
            width_others=0.38,
            width_these=0.14,
            width_share=0.1,
        ),
        source="korean-claims-2026w46",
        measured=True,
        hours=8.7,
    )


def sample_trend():
    return Trend(
        dimension="meaning",
        mean=(
            TrendRow(
                evaluation="korean-claims-2026w45",
                period="2026w45",
                mean=Estimate(3.9, 3.7, 4.1, n_items=200),
                change=Estimate(NAN),
                same_rubric=False,
            ),
            TrendRow(
                evaluation="korean-claims-2026w46",
                period="2026w46",
                mean=Estimate(3.96, 3.77, 4.15, n_items=200),
                change=Estimate(0.06, -0.05, 0.17),
                both=84,
            ),
            TrendRow(
                evaluation="korean-claims-2026w47",
                period="2026w47",
                mean=Estimate(4.12, 3.93, 4.31, n_items=197),
                change=Estimate(0.16, 0.04, 0.28),
                both=91,
            ),
        ),
        left_out=("korean-claims-2026w44",),
    )


def sample_field_errors():
    return FieldErrors(
        dimension="meaning",
        share=Estimate(0.31, 0.27, 0.35),
        by_kind=(
            KindErrors("amount", 357, 43, Estimate(0.25, 0.18, 0.33)),
            KindErrors("code", 307, 32, Estimate(0.45, 0.4, 0.5)),
            KindErrors("date", 156, 17, Estimate(0.2, 0.07, 0.45), few=True),
        ),
        unknown=2,
    )


def sample_scores():
    rng = np.random.default_rng(11)
    cer = np.where(rng.random(200) < 0.42, 0.0, rng.gamma(0.9, 0.16, 200)).round(4)
    cer[3] = 1.4
    score = np.clip(4.9 - 5.2 * cer + rng.normal(0, 0.5, 200), 1, 5).round(2)
    reasons = rng.choice(COMPONENTS, 200, p=(0.5, 0.3, 0.2))
    rows = [
        ("cer", 0.153, 0.166, 0.072, 0.62, (0.114, 0.196), -0.78),
        ("wer", 0.31, 0.34, 0.25, 1.0, (0.28, 0.35), -0.74),
        ("ned", 0.15, 0.16, 0.07, 0.6, (0.12, 0.19), -0.78),
        ("char_f1", 0.91, 0.9, 0.95, 0.99, (0.89, 0.92), 0.71),
        ("bleu", 0.61, 0.59, 0.7, 1.0, (0.57, 0.64), 0.66),
    ]
    return Scores(
        pool_size=1525,
        n_reference=1525,
        metrics=tuple(
            MetricSummary(
                metric=name,
                n=1525,
                n_undefined=3 if name == "cer" else 0,
                micro=micro,
                macro=macro,
                median=median,
                p95=p95,
                low=low,
                high=high,
            )
            for name, micro, macro, median, p95, (low, high), _ in rows
        ),
        points=tuple(
            Point(x, y, str(r))
            for x, y, r in zip(cer.tolist(), score.tolist(), reasons, strict=True)
        ),
        rho=Estimate(spearman(cer, score), -0.91, -0.74),
        correlations={name: Estimate(rho, rho - 0.05, rho + 0.04) for name, *_, rho in rows},
        fields=(
            FieldAccuracy("date", 156, Estimate(0.83, 0.76, 0.88)),
            FieldAccuracy("amount", 357, Estimate(0.63, 0.58, 0.68)),
            FieldAccuracy("text", 705, Estimate(0.62, 0.58, 0.66)),
            FieldAccuracy("code", 307, Estimate(0.54, 0.48, 0.59)),
        ),
        signature="CER|norm:NFC|ws:collapse|unit:grapheme|v:0.1.0",
    )


def sample_metrics():
    """Charts of a pool that a small simulation scores: bad scans, and confidences too high."""
    rng = np.random.default_rng(15)
    n = 600
    level = np.array(["light", "heavy", "medium"])[rng.integers(0, 3, n)]
    rate = np.where(level == "heavy", 0.35, 0.05)
    length = rng.integers(4, 16, n)
    references = ["".join(rng.choice(list("가나다라0158"), size)) for size in length]
    outputs = [
        "".join(
            "" if rng.random() < share / 3 else "5" if rng.random() < share else sign
            for sign in text
        )
        for text, share in zip(references, rate, strict=True)
    ]
    outputs[:30] = [""] * 30
    scored = score_texts(references, outputs).assign(
        reference=references,
        hypothesis=outputs,
        page_id=[f"p{number // 10}" for number in range(n)],
        kind=np.array(["amount", "text"])[np.arange(n) % 2],
        doc_type=np.array(["진단서", "처방전"])[np.arange(n) % 3 % 2],
        level=level,
    )
    confidence = np.clip(0.98 - scored["cer"] * 0.5 + rng.normal(0, 0.04, n), 0, 1)
    scored["confidence"] = confidence.where(np.arange(n) > 12)
    facts = text_facts(
        [scored],
        options=TextOptions(),
        examples="masked",
        kinds=frozenset({"amount"}),
        is_critical=lambda reference, output, kind: reference != output,
    )
    groups = columns_that_group(map(str, scored), lambda name: scored[name], named=None)
    return measure_pool_metrics(scored, facts, groups=groups)


def sample_groups():
    means = {"light": (4.4, 61), "medium": (4.1, 70), "heavy": (2.6, 66)}
    rows = tuple(
        GroupMean(name, n, Estimate(mean, mean - 0.2, mean + 0.2, n_items=n))
        for name, (mean, n) in means.items()
    )
    return GroupMeans("meaning", {"level": rows})


def make_items(examples="shown"):
    rows = []
    for place, (doc_id, doc_type, kind, reference, hypothesis) in enumerate(TEXTS):
        text = marked_text(reference, hypothesis, masked=examples == "masked")
        rows.append(
            WorstItem(
                doc_id=doc_id,
                page_id=doc_id.split("/")[0],
                doc_type=doc_type,
                kind=kind,
                language="ko",
                text=text if examples != "off" else WorstItem(doc_id="").text,
                cer=0.11 + 0.03 * place,
                substitutions=2 + place,
                deletions=1,
                insertions=0,
                confidence=0.91 - 0.1 * place if place != 2 else None,
                ratings=(
                    PrintedRating("R01", {"meaning": 1, "layout": 3, "readability": 2}),
                    PrintedRating("R04", {"meaning": 2, "layout": 4, "readability": 2}),
                    PrintedRating("R05", {"meaning": 1, "readability": 3}),
                ),
                label=1 if place < 3 else 2,
                label_confidence=0.97 - 0.05 * place,
                image=picture() if examples == "shown" and place != 2 else None,
            )
        )
    return Items(rows=tuple(rows), dimension="meaning", n_rated=200, examples=examples)


def sample_rounds():
    return Rounds(
        rows=(
            PrintedRound(
                number=0,
                kind="pilot",
                rule="20 items, every rater",
                items=20,
                assignments=120,
                ratings=360,
                raters=6,
            ),
            PrintedRound(
                number=1,
                kind="main",
                rule="the sample, two raters per item",
                items=200,
                assignments=400,
                ratings=1200,
                raters=6,
                cost=400,
                uncertain=0.31,
                labelled=200,
                frontend="sheets",
                lacking=("diff", "order", "timing"),
            ),
            PrintedRound(
                number=2,
                kind="adaptive",
                rule="highest information gain per cost, 20% exploration",
                items=60,
                assignments=60,
                ratings=180,
                raters=6,
                cost=60,
                uncertain=0.145,
                labelled=200,
            ),
            PrintedRound(
                number=3,
                kind="adaptive",
                rule="highest information gain per cost, 20% exploration",
                items=31,
                assignments=31,
                ratings=93,
                raters=6,
                cost=31,
                uncertain=0.08,
                labelled=200,
            ),
            PrintedRound(
                number=4,
                kind="adjudication",
                rule="below target confidence after the cap",
                items=12,
                assignments=12,
                ratings=36,
                raters=1,
                cost=36,
                uncertain=0.02,
                labelled=200,
            ),
        ),
        cost_unit="minutes",
        unresolved=2,
    )


def make_report(**changes):
    """A report; keywords replace its parts."""
    report = ReportData(
        identity=Identity(
            evaluation="korean-claims-2026w47",
            title="보험 청구 서류",
            period="2026-W47",
            issued_at=datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
            package_version="0.1.0",
            seed=20261120,
            simulated=True,
            config_hash="c41d0b6be0f27a6a39f7d1d1b0ce6c2cf5ad3e14d0a9b0f3bd0a7f40d9d17e02",
            rubric_hash="88aa0b6be0f27a6a39f7d1d1b0ce6c2cf5ad3e14d0a9b0f3bd0a7f40d9d17e02",
            pool_hash="sha256:5be1f0aa9c1e7f8d3f2be6f2a0d6a97bfa7d2ef4a8a0f6f71a1d9f0b6d7a90c4",
            software=(("Python", "3.11.7"), ("numpy", "2.4.6"), ("WeasyPrint", "70.0")),
            reproduce="ocrjury report korean-claims-2026w47",
        ),
        dimensions=(
            PrintedDimension("meaning", "Meaning", "의미"),
            PrintedDimension("layout", "Layout", "레이아웃"),
            PrintedDimension("readability", "Readability", "가독성"),
        ),
        n_ratings=1200,
        scale=ScaleLabels(
            levels=(1, 2, 3, 4, 5),
            anchors=("unusable", "poor", "fair", "good", "perfect"),
            text="likert 1 to 5",
        ),
        verdict=GateVerdict(
            decision="FAIL",
            reasons=(
                phrase(
                    "On {dimension}, Krippendorff's alpha is 0.560 and its one-sided 95% upper "
                    "bound 0.608, below the required 0.667.",
                    dimension="layout",
                ),
                phrase(
                    "On {dimension}, Krippendorff's alpha is 0.810 and its one-sided 95% lower "
                    "bound 0.760; 0.667 is required.",
                    dimension="meaning",
                ),
                phrase(
                    "The verdict is that of {dimension}, the worst of 3 dimensions; the mean of "
                    "Krippendorff's alpha over all, 0.713, is for information only.",
                    dimension="layout",
                ),
            ),
            actions=(
                Action(
                    "rewrite_anchors",
                    phrase(
                        "Rewrite the anchors of {dimension}: give every level one example that all "
                        "raters can see, and decide the boundary cases in the rubric.",
                        dimension="layout",
                    ),
                    "layout",
                ),
                Action(
                    "recalibrate",
                    phrase(
                        "Recalibrate R06 on {dimension}: without this rater alpha would be 0.08 "
                        "higher.",
                        dimension="layout",
                    ),
                    "layout",
                    "R06",
                ),
            ),
            release=Release(
                "Kim", "layout is not used downstream", datetime(2026, 11, 19, tzinfo=UTC)
            ),
            dimensions=(
                DimensionDecision(dimension="meaning", decision="PASS", grade="reliable"),
                DimensionDecision(dimension="layout", decision="FAIL"),
                DimensionDecision(dimension="readability", decision="PASS", grade="tentative"),
            ),
            looks=LOOKS,
        ),
        outcome=outcome_of(OTHERS, TARGET, trusted=True),
        target=TARGET,
        headline=Headline(
            dimension="meaning",
            these=THESE,
            others=OTHERS,
            hajek=Estimate(4.1, 4.0, 4.2),
            uncorrected=WITHOUT_GOLD,
            sources=SOURCES,
            naive=3.69,
        ),
        counts=(
            rating_counts("meaning", (14, 17, 56, 111, 202), items=0.08),
            rating_counts("layout", (31, 62, 84, 123, 100), items=0.22),
            rating_counts("readability", (10, 23, 64, 133, 170), items=0.09),
        ),
        estimates=sample_estimates(),
        field_errors=sample_field_errors(),
        trend=sample_trend(),
        items=make_items(),
        sections={
            "request": Request(owner=Owner(decision="Head of claims"), days=14),
            "sampling": sample_sampling(),
            "counted": Counts(documents=1525, pages=72, drawn=200, rated=197, gold=20, pilot=21),
            "recommendations": Recommendations(
                (
                    Recommendation("Raters per item", "at least 2, better 3", "2", met=True),
                    Recommendation("Adjudicator", "one named", "R07", met=True),
                    Recommendation("Pilot", "20 to 30 items", "20 items", met=True),
                    Recommendation(
                        "Number of items",
                        "at least 200; 308 of 1,525 for a share within ±5 points",
                        "200 of 1,525: a share within ±6.5 points at 95%",
                        met=True,
                    ),
                    Recommendation("Order of items", "shuffled", "shuffled per rater", met=True),
                    Recommendation("Session length", "at most 60 minutes", "75 minutes", met=False),
                    Recommendation(
                        "Items with two or more raters", "at least 20%", "100%", met=True
                    ),
                    Recommendation(
                        "Agreement in the report", "always printed", "always printed", met=True
                    ),
                )
            ),
            "agreement": sample_agreement(),
            "differences": sample_differences(),
            "raters": sample_raters(),
            "rules": sample_rules(),
            "plan": sample_plan(),
            "joint_dimensions": sample_joint_dimensions(),
            "scores": sample_scores(),
            "metrics": sample_metrics(),
            "groups": sample_groups(),
            "rounds": sample_rounds(),
            "decisions": Decisions(
                (
                    StoredDecision(
                        *("d1", 1, "extend", TakenTarget(days=3), "public holiday", "Kim"),
                        at=datetime(2026, 11, 12, 8, 5, 30, tzinfo=UTC),
                    ),
                    StoredDecision(
                        *(
                            "d2",
                            2,
                            "proceed",
                            TakenTarget(),
                            "layout is not used downstream",
                            "Kim",
                        ),
                        at=datetime(2026, 11, 19, 14, 0, tzinfo=UTC),
                    ),
                )
            ),
        },
    )
    own = {name: changes.pop(name) for name in [*changes] if name in report.sections}
    sections = changes.pop("sections", report.sections) | own
    return dataclasses.replace(report, sections=sections, **changes)


@pytest.fixture
def make():
    """The builder of reports."""
    return make_report


@pytest.fixture
def sample_items():
    """The builder of the worst items."""
    return make_items


@pytest.fixture(scope="session")
def report():
    """The sample report."""
    return make_report()


@pytest.fixture(scope="session")
def html(report):
    """The sample report as HTML."""
    from ocrjury.report.html import render_html

    return render_html(report)


@pytest.fixture(scope="session")
def html_in(report, html):
    """A function that writes the page in a language, once."""

    from ocrjury.report.html import render_html

    @functools.cache
    def run(language):
        identity = dataclasses.replace(report.identity, language=language)
        return html if language == "en" else render_html(make_report(identity=identity))

    return run


@pytest.fixture(scope="session")
def pdf(html, tmp_path_factory):
    """The path of the sample report as PDF."""
    from ocrjury.report.pdf import write_pdf

    path = tmp_path_factory.mktemp("pdf") / "보고서.pdf"
    write_pdf(html, path)
    return path


@pytest.fixture(scope="module")
def window(browser):
    """A window without a network, and what was asked for in it."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.asked, page.untouched = [], None
    page.on("request", lambda sent: page.asked.append(sent.url.partition(":")[0]))
    yield page
    context.close()


@pytest.fixture
def browse(window, html, tmp_path):
    """A function that opens the report in a window of some width."""

    def run(width=1280, content=html):
        path = tmp_path / "report.html"
        path.write_text(content, "utf-8")
        window.set_viewport_size({"width": width, "height": 900})
        window.goto(path.as_uri())
        window.untouched = None
        return window

    return run


@pytest.fixture
def look(window, browse):
    """A function that shows the report to who leaves it as it is, as the next test does."""

    def run(width=1280):
        if window.untouched != width:
            browse(width).untouched = width
        return window

    return run
