"""Advice on the ratings of an export, which does not tell what gold is left."""

from tests.findings.test_ratings import examine, ratings


def test_advice_on_an_export_recalibrates_nobody_since_the_gold_left_is_unknown():
    noisy = ratings()
    mine = noisy.rater == "R03"
    noisy.loc[mine, "rating"] = 6 - noisy.loc[mine, "rating"]

    (of_a_file, of_an_export) = (
        {action.kind for action in examine(rows).verdict.actions if action.rater == "R03"}
        for rows in (noisy, noisy.assign(look=1, looks=1))
    )

    assert "recalibrate" in of_a_file
    assert "recalibrate" not in of_an_export
    assert "discuss" in of_an_export
