import dataclasses

from ocrjury import Estimate

HIGH = Estimate(4.8, 4.2, 5.4)
SHARE = Estimate(0.98, 0.9, 1.06)


def test_agreement_and_severity_end_where_they_must(make, report):
    row = report.agreement.dimensions[0]
    wild = {name: Estimate(0.5, -5.853, 3.0) for name in row.estimates}
    rater = dataclasses.replace(report.raters.rows[0], severity=Estimate(0.3, -7.0, 7.0))

    wide = make(
        agreement=dataclasses.replace(
            report.agreement, dimensions=(dataclasses.replace(row, estimates=wild),)
        ),
        raters=dataclasses.replace(report.raters, rows=(rater,)),
    )

    found = wide.agreement.dimensions[0]
    assert (found.get("krippendorff_alpha").low, found.get("adjacent_agreement").low) == (-1, 0)
    assert (wide.raters.rows[0].severity.low, wide.raters.rows[0].severity.high) == (-4, 4)


def test_a_judge_ends_at_one_and_a_score_with_the_scale(make, report):
    row = report.agreement.dimensions[0]
    judge = dataclasses.replace(row.judges[0], alignment=SHARE, ceiling=SHARE)
    score = dataclasses.replace(report.together.composites[0], these=HIGH, others=HIGH)

    wide = make(
        agreement=dataclasses.replace(
            report.agreement, dimensions=(dataclasses.replace(row, judges=(judge,)),)
        ),
        together=dataclasses.replace(report.together, composites=(score,)),
    )

    (_, found), *_ = wide.agreement.judges
    assert (found.alignment.high, found.ceiling.high) == (1, 1)
    assert wide.together.composites[0].others.high == 5


def test_cutting_twice_changes_nothing(report):
    assert dataclasses.replace(report) == report
