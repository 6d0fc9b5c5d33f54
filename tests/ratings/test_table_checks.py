"""Who hands in something else than a table or a scale is told what to write."""

import inspect

import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError, RatingTable, agreement, rater_model, truth

FUNCTIONS = {
    name: function
    for package in (agreement, rater_model, truth)
    for name in package.__all__
    if inspect.isfunction(function := getattr(package, name))
    and next(iter(inspect.signature(function).parameters)) in ("table", "t")
}
OTHERS = [[[1, 2], [3, 4]], np.array([[1, 2]]), pd.DataFrame({"item": [1]}), {}, None]


def test_the_functions_are_found():
    assert {"krippendorff_alpha", "majority_vote", "rater_severities"} <= set(FUNCTIONS)
    assert len(FUNCTIONS) > 25


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("other", OTHERS, ids=lambda one: type(one).__name__)
def test_whatever_is_no_table_is_answered_with_what_to_write(name, other):
    function = FUNCTIONS[name]
    needed = {
        parameter.name: ["R1"] if "rater" in parameter.name else 1
        for parameter in list(inspect.signature(function).parameters.values())[1:]
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    }

    with pytest.raises(InputError, match=r"needs a RatingTable; found \w+\. Write RatingTable\."):
        function(other, **needed)


@pytest.mark.parametrize("scale", ["likert", (1, 5), None])
def test_whatever_is_no_scale_is_answered_with_what_to_write(scale):
    frame = pd.DataFrame({"item": ["a"], "rater": ["R1"], "rating": [3]})
    for build in (
        lambda: RatingTable.from_matrix([[1, 2]], scale=scale),
        lambda: RatingTable.from_long(frame, scale=scale),
        lambda: RatingTable.from_counts([[1, 2]], scale=scale),
        lambda: RatingTable.from_crosstab([[1, 2]], scale=scale),
    ):
        with pytest.raises(InputError, match=r"scale must be a Scale; .* Write Scale\.likert"):
            build()
