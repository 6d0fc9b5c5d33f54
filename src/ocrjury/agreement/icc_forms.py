"""The six forms of the intraclass correlation, and what sets them apart."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Form = Literal["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]


class Model(NamedTuple):
    """Raters of a form, and whether it is about a mean of k ratings or about one.

    Raters are ``changing`` from item to item, ``sampled`` from a population (their severity counts
    as disagreement), or ``fixed`` (it does not): the cases 1 to 3 of Shrout and Fleiss (1979).
    """

    raters: Literal["changing", "sampled", "fixed"]
    of_mean: bool = False


FORMS: Final[Mapping[Form, Model]] = {
    "ICC(1,1)": Model("changing"),
    "ICC(2,1)": Model("sampled"),
    "ICC(3,1)": Model("fixed"),
    "ICC(1,k)": Model("changing", of_mean=True),
    "ICC(2,k)": Model("sampled", of_mean=True),
    "ICC(3,k)": Model("fixed", of_mean=True),
}
