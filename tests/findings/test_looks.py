"""Which look of the gate the ratings of a file are: an export knows, and options say otherwise."""

import pandas as pd
import pytest

from ocrjury.errors import InputError
from ocrjury.findings.measurement.looks import glance_of
from ocrjury.gate.policy import GatePolicy

POLICY = GatePolicy.preset("default")
ALONE = pd.DataFrame({"item": ["a"], "dimension": ["meaning"]})
EXPORTED = pd.DataFrame(
    {
        "item": ["a", "a", "b", "b"],
        "dimension": ["meaning"] * 4,
        "look": [1, 1, 2, 2],
        "looks": [3, 3, 3, 3],
    }
)


@pytest.mark.parametrize(
    ("frame", "said", "look", "planned"),
    [
        (ALONE, {}, 1, 1),
        (ALONE, {"look": 2}, 2, 2),
        (ALONE, {"looks": 4}, 1, 4),
        (EXPORTED, {}, 2, 3),
        (EXPORTED, {"look": 1}, 1, 3),
        (EXPORTED, {"looks": 4}, 2, 4),
        (EXPORTED, {"look": 4, "looks": 4}, 4, 4),
    ],
)
def test_what_no_option_says_an_export_does(frame, said, look, planned):
    glance = glance_of(frame, {"meaning": {}}, POLICY, **said)

    assert (glance.look, glance.policy.looks) == ({"meaning": look}, planned)


def test_a_look_that_was_not_planned_is_refused_with_the_options_that_say_otherwise():
    with pytest.raises(InputError, match=r"found look 4 of 3. --look says .* --looks how many"):
        glance_of(EXPORTED, {"meaning": {}}, POLICY, look=4)
