import pytest

from ocrjury import InputError
from ocrjury.cli.command_line import build_parser
from ocrjury.cli.rater_names import rater_named, raters_named

NAME = "claims-2026w47"


def parsed(*words):
    return build_parser(["raters"]).parse_args(["raters", *words])


@pytest.mark.parametrize("command", ["invite", "remind", "revoke"])
@pytest.mark.parametrize(
    "words",
    [
        [NAME, "R01", "R02"],
        [NAME, "--rater", "R01", "--rater", "R02"],
        ["--rater", "R01", NAME, "--rater", "R02"],
        [NAME, "R01", "R02", "--rater", "R01"],
    ],
)
def test_raters_are_named_bare_or_by_option_and_each_counts_once(command, words):
    assert sorted(raters_named(parsed(command, *words))) == ["R01", "R02"]


@pytest.mark.parametrize("command", [["certificate", NAME], ["record"]])
@pytest.mark.parametrize("words", [["R01"], ["--rater", "R01"], ["R01", "--rater", "R01"]])
def test_a_rater_is_named_bare_or_by_option(command, words):
    assert rater_named(parsed(*command, *words)) == "R01"


@pytest.mark.parametrize("command", ["invite", "remind", "revoke"])
def test_only_the_evaluation_has_to_be_named(command):
    with pytest.raises(InputError, match=r"arguments are required: evaluation\."):
        parsed(command)


def test_nobody_is_named_where_no_rater_is():
    assert raters_named(parsed("invite", NAME)) == []
    assert rater_named(parsed("record")) is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["record", "R01", "--rater", "R02"], "name one rater; found R01 and R02.\n"),
        (["certificate", NAME], "name the rater who passed the pilot, such as R01.\n"),
    ],
)
def test_two_raters_or_none_where_one_is_needed_are_refused(run, words, sentence):
    assert run("raters", *words) == (2, "", sentence)
