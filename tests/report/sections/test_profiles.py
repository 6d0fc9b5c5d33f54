import dataclasses
import math
import re

from ocrjury import Estimate
from ocrjury.findings.agreement import Profile
from ocrjury.report.sections import profiles

NAN = math.nan
NAMES = Profile(
    rater="R01",
    rank=None,
    count=3,
    mean=Estimate(NAN),
    sd=NAN,
    median=NAN,
    skew=NAN,
    kurtosis=NAN,
    low=NAN,
    high=NAN,
    counts=(2, 1),
    severity=Estimate(NAN),
)


def of_rater(finding, profile, **changes):
    return dataclasses.replace(finding, profiles=(profile,), **changes)


def test_a_table_says_how_far_raters_differ(report):
    (first, *_) = report.sections["agreement"].dimensions

    assert profiles.caption(report, first) == (
        "Meaning: means differ by 0.79, standard deviations by 0.05"
    )
    assert profiles.caption(report, of_rater(first, NAMES, dimension="layout")) == "Layout"
    alone = dataclasses.replace(first.profiles[0], sd=NAN)
    assert profiles.caption(report, of_rater(first, alone)) == "Meaning"
    two = dataclasses.replace(first, profiles=(alone, alone))
    assert profiles.caption(report, two) == "Meaning: means differ by 0.00"


def test_the_lead_counts_raters_and_dimensions(make, report):
    bare = make(identity=dataclasses.replace(report.identity, config_hash=None))

    assert profiles.lead(bare) == "6 raters on 3 dimensions, the strictest first."
    assert profiles.lead(report) == (
        "6 raters on 3 dimensions, the strictest first, under their pseudonyms."
    )


def test_names_have_counts_and_no_numbers(make, report):
    scale = dataclasses.replace(
        report.scale, levels=(0, 1), anchors=("stamp", "text"), kind="nominal"
    )

    assert profiles.ends_text(NAMES) == "—"
    assert profiles.strip_alternative(make(scale=scale), "meaning", NAMES) == (
        "R01: stamp (2 times), text (1 time)."
    )


def test_every_rater_of_every_dimension_is_in_the_appendix(html, report):
    appendix = html.partition('id="profiles"')[2]

    for finding in report.sections["agreement"].dimensions:
        for row in finding.profiles:
            assert re.search(rf"{row.rater}: 1 \({row.counts[0]} times?\), ", appendix)
    assert appendix.count("<table") == 3


def test_columns_that_nobody_has_a_number_for_are_left_out(report):
    (first, *_) = report.sections["agreement"].dimensions
    named = dataclasses.replace(report.sections["agreement"], dimensions=(of_rater(first, NAMES),))
    unordered = dataclasses.replace(report, sections={**report.sections, "agreement": named})

    assert len(profiles.columns(first)) == len(profiles.COLUMNS)
    assert [column.head for column in profiles.columns(of_rater(first, NAMES))] == ["Ratings"]
    assert "The scale has no order" in profiles.reading(unordered)
    assert "strictest" not in profiles.lead(unordered)
