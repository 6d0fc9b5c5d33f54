import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError, Scale


def test_a_likert_scale_is_whole_numbers_in_order():
    scale = Scale.likert(0, 4)

    assert scale.categories == (0, 1, 2, 3, 4)
    assert scale.numbers == (0.0, 1.0, 2.0, 3.0, 4.0)
    assert (scale.low, scale.high, scale.level, scale.ordered) == (0, 4, "ordinal", True)


@pytest.mark.parametrize(
    ("scale", "level", "ordered", "words"),
    [
        (Scale.likert(1, 5), "ordinal", True, "likert 1 to 5"),
        (Scale.binary(), "nominal", True, "binary 0 to 1"),
        (Scale.interval(0, 0.5), "interval", True, "interval 0 to 0.5"),
        (Scale.nominal(["표", "글"]), "nominal", False, "nominal 표, 글"),
    ],
)
def test_a_scale_knows_its_level_and_its_name(scale, level, ordered, words):
    assert (scale.level, scale.ordered, str(scale)) == (level, ordered, words)


def test_names_stand_for_their_places():
    scale = Scale.nominal(["b", "a", ("x", 1)])

    assert scale.numbers == (0.0, 1.0, 2.0)
    assert scale.codes == {"b": 0, "a": 1, ("x", 1): 2}


@given(st.integers(-50, 50), st.integers(1, 20))
def test_codes_are_places_of_categories(low, length):
    scale = Scale.likert(low, low + length)

    assert [scale.categories[code] for code in scale.codes.values()] == list(scale.codes)


def test_equal_scales_are_equal_and_can_be_keys():
    assert Scale.likert(1, 5) == Scale.likert(1, 5) != Scale.likert(1, 6)
    assert len({Scale.likert(1, 5), Scale.likert(1, 5), Scale.binary()}) == 2


@pytest.mark.parametrize(
    ("low", "high"), [(5, 1), (2, 2), (0.5, 3), (0, float("inf")), (float("nan"), 5)]
)
def test_likert_needs_two_whole_numbers_in_order(low, high):
    with pytest.raises(InputError) as error:
        Scale.likert(low, high)

    assert str(error.value) == (
        "Scale.likert needs two whole numbers, the first below the second; "
        f"found {low!r} and {high!r}. Scale.interval takes fractions."
    )


@pytest.mark.parametrize(("low", "high"), [(1, 0), (0, 0), (0, float("inf")), (float("nan"), 1)])
def test_an_interval_needs_two_finite_numbers_in_order(low, high):
    with pytest.raises(InputError, match="two finite numbers, the first below the second; found"):
        Scale.interval(low, high)


@pytest.mark.parametrize("names", [[], ["a", "a"]])
def test_names_need_to_be_there_and_to_differ(names):
    with pytest.raises(InputError, match="at least one category and each only once; found"):
        Scale.nominal(names)


def test_a_likert_scale_without_end_is_a_continuous_scale():
    with pytest.raises(InputError, match="at most 100,000"):
        Scale.likert(1, 10**11)


@pytest.mark.parametrize("name", [[1], float("nan"), None])
def test_a_category_is_hashable_and_equals_itself(name):
    with pytest.raises(InputError, match="needs text or numbers"):
        Scale.nominal(["title", name])
