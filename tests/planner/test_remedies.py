from ocrjury.planner.precision import Components
from ocrjury.planner.search import why_impossible


def test_gold_and_more_raters_are_named_only_where_they_help():
    scattered = Components(100, 1.0, 0.0, 0.3, 3.0, 3)

    told = why_impossible(scattered, 0.01)

    assert told[0].startswith("Impossible with these raters: whatever they are asked")
    assert not [text for text in told if "would do" in text]
    assert told[1] == "Neither 200 raters nor 1,000 gold items would be enough."
    assert told[-1].startswith("A width of ")


def test_these_raters_only_are_offered_where_that_is_narrow_enough():
    strict = Components(100_000, 1.0, 0.7, 0.5, 0.3, 4)

    assert [text for text in why_impossible(strict, 0.05) if "for these raters only" in text]
