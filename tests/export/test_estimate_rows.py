"""Rows of estimates say what the stored estimates say."""

from dataclasses import replace

from ocrjury.estimate import Estimate
from ocrjury.export.estimate_rows import _of_columns, _of_pool, _of_preferences, _of_score
from ocrjury.findings.dimensions import Composite
from ocrjury.findings.pool_estimates import PoolEstimates, TargetShare, TypeEstimate
from ocrjury.findings.pool_metrics import GroupMean, GroupMeans
from ocrjury.findings.systems import Preferences, SystemShare

MEAN = Estimate(4.2, 4.0, 4.4, n_items=60)
FEW = Estimate(0.05, 0.01, 0.12, n_items=60, few=True)


def few_of(rows):
    return {(row["statistic"], row.get("basis")): row["few"] for row in rows}


def test_a_share_on_the_cover_that_rests_on_too_few_cases_says_so():
    share = TargetShare(others=FEW, these=FEW, hajek=Estimate(0.05), naive=Estimate(0.05))
    pool = PoolEstimates(dimension="meaning", others=MEAN, these=MEAN, target_share=share)

    rows = list(_of_pool(pool, lowest=1.0, level=5.0, headline=True))

    [headline] = [row for row in rows if row["headline"]]
    assert (headline["statistic"], headline["few"]) == ("target_share", True)
    few = few_of(rows)
    assert few["target_share", "these"]
    assert not few["target_share", "hajek"]
    assert not few["mean", "others"]


def test_quartiles_are_of_these_raters_whose_choice_their_ranges_leave_out():
    pool = PoolEstimates(dimension="meaning", others=MEAN, these=MEAN, quartiles=(MEAN,) * 3)

    rows = list(_of_pool(pool, lowest=1.0, level=None, headline=False))

    names = ["lower_quartile", "median", "upper_quartile"]
    quartiles = [(row["statistic"], row["basis"]) for row in rows if row["statistic"] in names]
    assert quartiles == [(name, "these") for name in names]


def test_a_part_says_how_far_it_lies_from_the_pool_where_that_is_known():
    apart = Estimate(-0.4, -0.6, -0.2, n_items=20)
    nobody = Estimate(float("nan"), reason="too_few_common_items")
    about = {"pool": 30, "n": 20, "estimate": MEAN}
    types = tuple(
        TypeEstimate(doc_type=name, **about, **known)
        for name, known in (("bill", {"apart": apart}), ("form", {"apart": nobody}), ("fax", {}))
    )
    pool = PoolEstimates(dimension="meaning", others=MEAN, these=MEAN, types=types)
    scans = {"scan": (GroupMean("poor", 20, MEAN, apart=apart), GroupMean("good", 40, MEAN))}

    rows = [*_of_pool(pool, lowest=1.0, level=5.0, headline=True)]
    rows += _of_columns(GroupMeans("meaning", scans))

    told = [row for row in rows if row["statistic"] == "mean_less_pool"]
    keys = ("group", "name", "population", "other", "basis", "value", "low", "high", "reason")
    assert [tuple(row.get(key) for key in keys) for row in told] == [
        ("doc_type", "bill", 30, None, "others", -0.4, -0.6, -0.2, None),
        ("doc_type", "form", 30, None, "others", None, None, None, "too_few_common_items"),
        ("column", "poor", None, "scan", "others", -0.4, -0.6, -0.2, None),
    ]


def test_so_does_a_preference():
    many = Estimate(0.6, 0.4, 0.8)
    shares = (SystemShare("a", FEW, FEW), SystemShare("b", many, many))
    preferences = Preferences(systems=shares, same=FEW, pages=60, raters=3, answers=120)

    rows = list(_of_preferences(preferences))

    assert [(row.get("basis"), row["few"]) for row in rows] == [
        ("others", True),
        ("these", True),
        ("others", False),
        ("these", False),
        (None, True),
    ]


def test_a_score_tells_its_scale_what_its_method_could_not_do_and_that_gold_is_not_in_it():
    note = "Ratings vary too little for a principal component: this is the mean."
    estimate = Estimate(62.0, 55.0, 69.0, warnings=("Few raters.",))
    mean = Composite(method="mean", used="mean", weights={}, these=MEAN, others=MEAN)
    score = replace(mean, method="pca", these=estimate, others=estimate, note=note, stretched=True)

    others, these = _of_score(score, gold=True)
    [plain, _] = _of_score(mean, gold=False)

    assert (others["basis"], these["basis"], plain["basis"]) == ("uncorrected", "these", "others")
    assert others["warnings"] == f"{note} Few raters."
    assert (others["unit"], plain["unit"]) == ("hundredths of the scale", "points")
    assert plain["warnings"] is None
