from datetime import UTC, datetime

from ocrjury.campaign.gold_file import GoldLine
from ocrjury.cli.gold import compare_with_file, promotable
from ocrjury.scales import Scale
from ocrjury.store.ratings import RatingRow

AT = datetime(2026, 11, 20, tzinfo=UTC)
LIKERT = Scale.likert(1, 5)


def rows(item, kind="main", **given):
    return [
        RatingRow(1, kind, item, rater, "meaning", value, 1, 1, 0, "file", AT)
        for rater, value in given.items()
    ]


def promoted(*given, least_raters=3):
    flat = [row for part in given for row in part]
    return promotable(flat, evaluation="claims-1", scale=LIKERT, least_raters=least_raters)


def test_what_an_adjudicator_decided_with_a_rater_is_gold():
    lines = promoted(rows("a", R01=5, R02=2), rows("a", "adjudication", A01=2))

    assert lines == [
        GoldLine(
            "a",
            "meaning",
            2.0,
            "adjudicated in claims-1: A01, R02 said 2; R01 said 5",
            "adjudicated",
        )
    ]


def test_what_an_adjudicator_says_alone_is_none_until_a_panel_votes():
    alone = [rows("a", R01=5, R02=2), rows("a", "adjudication", A01=3)]

    assert promoted(*alone) == []
    (line,) = promoted(*alone, rows("a", "panel", E01=3, E02=4))

    assert (line.value, line.source) == (3.0, "adjudicated")
    assert line.explanation == (
        "settled by a panel in claims-1: R02 said 2; E01 said 3; E02 said 4; R01 said 5"
    )


def test_a_panel_on_names_settles_by_its_most_frequent_vote():
    votes = rows("a", "panel", E01=0, E02=2, E03=2, E04=0, E05=1)

    (line,) = promotable(
        votes, evaluation="claims-1", scale=Scale.nominal(["fine", "wrong", "lost"]), least_raters=3
    )

    # The first declared of the two tied, where a median would be what E05 alone said.
    assert line.value == 0.0


def test_a_consensus_needs_enough_independent_raters_of_one_opinion():
    agreed = rows("a", R01=4, R02=4, R03=4)

    (line,) = promoted(agreed, rows("b", R01=4, R02=4), rows("c", R01=4, R02=4, R03=5))

    assert (line.doc_id, line.value, line.source) == ("a", 4.0, "consensus")
    assert line.explanation == "3 raters agree in claims-1: R01, R02, R03"
    assert len(promoted(agreed, rows("b", R01=4, R02=4), least_raters=2)) == 2


def test_pilots_gold_and_second_ratings_are_no_consensus():
    for kind in ("pilot", "gold", "repeat"):
        assert promoted(rows("a", R01=4, R02=4), rows("a", kind, R03=4)) == []
    assert promoted(rows("a", R01=4, R02=4), rows("a", "adaptive", R03=4)) != []


def test_nothing_is_gold_twice_and_another_value_is_told():
    lines = [GoldLine("a", "meaning", 4.0), GoldLine("b", "meaning", 2.0)]
    more = GoldLine("c", "meaning", 5.0)

    found = compare_with_file([*lines, more], {("a", "meaning"): 4.0, ("b", "meaning"): 3.0})

    assert found.new == [more]
    assert found.there == lines
    assert found.differ == [lines[1]]


def test_a_file_that_would_hold_nothing_is_not_made_and_said_to_be_not_written(
    run, collecting, tmp_path
):
    path = tmp_path / "gold.csv"

    answer = run("gold", "promote", collecting, "--out", path)

    assert answer.out == f"Nothing is new; {path} was not written.\n"
    assert not path.exists()
