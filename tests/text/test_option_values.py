import pytest

from ocrjury import InputError
from ocrjury.text import TextOptions, read_options


def test_a_preset_without_changes_is_itself():
    assert read_options("jiwer") == TextOptions.preset("jiwer")


def test_every_option_can_be_written():
    options = read_options(
        "default",
        ["normalization=none", "whitespace=remove", "unit=codepoint", "words=character",
         "case=fold", "punctuation=remove", "bleu_words=uax29", "bleu_order=2",
         "bleu_weights=0.75,0.25", "bleu_smoothing=none", "bleu_effective_order=no"],
    )  # fmt: skip

    assert options == TextOptions(
        normalization=None, whitespace="remove", unit="codepoint", words="character",
        case="fold", punctuation="remove", bleu_words="uax29", bleu_order=2,
        bleu_weights=(0.75, 0.25), bleu_smoothing="none", bleu_effective_order=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("words", "NAME=VALUE with one of the names normalization, .* found 'words'"),
        ("wordz=uax29", "found 'wordz=uax29'"),
        ("words=two", "words must be one of .* found 'two'"),
        ("unit=none", "unit must be one of"),
        ("bleu_order=two", "bleu_order must be a whole number; found 'two'"),
        ("bleu_weights=a", "numbers separated by commas"),
        ("bleu_weights=1,1", "bleu_weights needs 4 numbers"),
        ("bleu_effective_order=maybe", "must be yes or no; found 'maybe'"),
    ],
)
def test_a_misspelt_change_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        read_options("default", [change])


def test_equal_options_have_an_equal_hash_and_others_another():
    hashes = {TextOptions.preset(name).options_hash for name in ("default", "jiwer", "ocrd")}

    assert len(hashes) == 3
    assert read_options("default", ["whitespace=remove"]).options_hash in hashes
    # Fixed for good: stored evaluations are compared by it.
    assert TextOptions().options_hash.startswith("fb57f14a58f1a54f")


def test_options_are_plain_values():
    body = TextOptions(bleu_order=1, bleu_weights=(1.0,)).to_json()

    assert body["bleu_weights"] == [1.0]
    assert TextOptions(**{**body, "bleu_weights": (1.0,)}).to_json() == body
