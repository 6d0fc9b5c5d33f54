"""Tables of ratings as large as they are read at all, within the limits of a process.

Each takes a quarter of a minute and a gigabyte, so they are no part of `make test`.
"""

import pytest

from benchmarks.worst_inputs import INPUTS, LARGE
from tests.test_worst_inputs import read_all


@pytest.mark.parametrize("name", LARGE)
def test_a_large_table_is_read_or_refused_within_the_limits_of_a_process(name):
    assert read_all([name]) == {name: INPUTS[name].ends}
