"""What a campaign may name has to exist in the library: the words are compared with their homes."""

import inspect
from typing import get_args

import pytest

from ocrjury.campaign import sections
from ocrjury.campaign.pool_section import Pool


def choices(section, key):
    annotation = section.model_fields[key].annotation
    literal = next((part for part in get_args(annotation) if get_args(part)), annotation)
    return get_args(literal)


def test_every_pool_format_can_be_read():
    from ocrjury.readers.format_names import Format

    assert choices(Pool, "format") == get_args(Format)


@pytest.mark.parametrize("name", choices(Pool, "options"))
def test_every_way_to_compare_texts_is_a_preset(name):
    from ocrjury.text import TextOptions

    assert TextOptions.preset(name)


@pytest.mark.parametrize("name", choices(sections.Gate, "policy"))
def test_every_policy_is_a_preset(name):
    from ocrjury.gate import GatePolicy

    assert GatePolicy.preset(name).name == name


def test_every_method_infers_a_truth():
    from ocrjury.truth.inference import METHODS

    assert choices(sections.TruthModel, "method") == tuple(METHODS)


def test_a_simulated_rater_errs_as_the_simulation_does():
    from ocrjury.simulation import RaterProfile

    ours = sections.SimulatedRater().model_dump()

    assert RaterProfile(**ours) == RaterProfile()
    assert list(ours) == list(inspect.signature(RaterProfile).parameters)


def test_the_shares_are_those_of_the_sampling():
    from ocrjury.sampling import draw_sample

    default = inspect.signature(draw_sample).parameters["shares"].default

    assert sections.Sampling().shares.model_dump() == dict(default)
