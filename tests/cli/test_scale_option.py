import pytest

from ocrjury import InputError, Scale
from ocrjury.cli.scale_option import (
    declared_scale,
    declared_scales,
    rating_of,
    scale_hint,
    weight_of,
)


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("likert:1:5", Scale.likert(1, 5)),
        ("likert:-2:2", Scale.likert(-2, 2)),
        ("binary", Scale.binary()),
        ("interval:0:100", Scale.interval(0, 100)),
        ("nominal:a,b, c", Scale.nominal(["a", "b", "c"])),
        ("nominal", Scale.nominal(["x", "y"])),
    ],
)
def test_every_form_declares_its_scale(text, scale):
    assert declared_scale(text, ["y", "x", "y"]) == scale


@pytest.mark.parametrize(
    "text",
    ["", "likert", "likert:1", "likert:a:b", "interval:1:2:3", "likert:0:inf", "interval:nan:1"],
)
def test_half_a_declaration_is_refused(text):
    with pytest.raises(InputError, match=r"likert:1:5"):
        declared_scale(text, [])


@pytest.mark.parametrize("text", ["ordinal:1:5", "binary:2", "Likert:1:5"])
def test_another_word_is_refused(text):
    with pytest.raises(InputError, match="--scale must be likert:1:5, binary"):
        declared_scale(text, [])


def test_fractions_are_no_levels():
    with pytest.raises(InputError, match="two whole numbers"):
        declared_scale("likert:1:4.5", [])


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        (["0", "1"], "only 0 and 1 found: use --scale binary"),
        (["0"], "only 0 found: use --scale binary"),
        (["1"], "whole numbers from 1 to 1 found: use --scale likert:1:5"),
        (["0", "7"], "whole numbers from 0 to 7 found: use --scale likert:0:7"),
        (["0.5", "12"], "numbers from 0.5 to 12 found: use --scale interval:0:100"),
        (["no", "yes"], "names such as no, yes found: use --scale nominal:no,yes"),
        (["NA"], "no rating found"),
    ],
)
def test_the_hint_says_what_was_found(values, hint):
    assert scale_hint(values).startswith(hint)


def test_the_hint_keeps_the_letters_of_names():
    with pytest.raises(InputError, match=r"Names such as Stamp, Text found: .* nominal:Stamp,Text"):
        declared_scales(["use=binary"], {"kind": {"Stamp", "Text"}, "use": {"1"}})


def test_a_weight_is_a_number():
    assert weight_of("1e-3", "w") == 0.001
    with pytest.raises(InputError, match="a weight is a number; found 'x' for w"):
        weight_of("x", "w")


def test_cells_become_ratings_of_the_scale():
    assert rating_of("4", Scale.likert(1, 5)) == 4
    assert rating_of("0.5", Scale.interval(0, 1)) == 0.5
    assert rating_of("4", Scale.nominal(["4"])) == "4"
    assert rating_of("vier", Scale.likert(1, 5)) == "vier"
    assert rating_of("1_0", Scale.interval(0, 100)) == "1_0"


def test_a_thousand_levels_are_the_most():
    assert len(declared_scale("likert:1:1000", []).categories) == 1000
    with pytest.raises(InputError, match="more than 1,000 levels; use interval:0:1000"):
        declared_scale("likert:0:1000", [])


def test_levels_without_number_are_a_continuous_scale():
    with pytest.raises(InputError, match=r"more than 1,000 levels; use interval:1:1e\+11"):
        declared_scale("likert:1:100000000000", [])


def test_a_name_of_a_category_with_an_equals_sign_is_no_dimension():
    assert declared_scales(["nominal:a=b,c"], {"x": []}) == Scale.nominal(["a=b", "c"])
    assert declared_scales(["x=nominal:a=b,c"], {"x": []}) == {"x": Scale.nominal(["a=b", "c"])}


def test_bare_names_are_those_of_their_dimension():
    found = declared_scales(["nominal"], {"x": ["b"], "y": ["a"]})
    own = declared_scales(["x=nominal", "y=nominal"], {"x": ["b"], "y": ["a"]})

    assert found == Scale.nominal(["a", "b"])
    assert own == {"x": Scale.nominal(["b"]), "y": Scale.nominal(["a"])}


@pytest.mark.parametrize("name", ["NA", "n/a", "*"])
def test_a_category_that_stands_for_no_rating_is_refused(name):
    """Else all its ratings would be left out without a word."""
    with pytest.raises(InputError, match="stands for no rating"):
        declared_scales([f"nominal:stamp,{name}"], {"x": []})
