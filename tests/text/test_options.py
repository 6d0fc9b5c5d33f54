import pytest

from ocrjury import InputError
from ocrjury.text import TextOptions


def test_presets_are_the_documented_treatments():
    jiwer = TextOptions.preset("jiwer")
    dinglehopper = TextOptions.preset("dinglehopper")
    nlptutti = TextOptions.preset("nlptutti")

    assert TextOptions.preset("default") == TextOptions()
    assert (jiwer.normalization, jiwer.whitespace, jiwer.unit, jiwer.words) == (
        None, "strip", "codepoint", "space",
    )  # fmt: skip
    assert (dinglehopper.normalization, dinglehopper.whitespace) == ("NFC", "keep")
    assert (dinglehopper.unit, dinglehopper.words) == ("grapheme", "uax29")
    assert (nlptutti.normalization, nlptutti.whitespace) == (None, "remove")
    assert (nlptutti.unit, nlptutti.punctuation) == ("codepoint", "keep")
    assert TextOptions.preset("ocrd").whitespace == "remove"


def test_an_unknown_preset_is_refused_and_the_known_named():
    with pytest.raises(InputError, match=r"'default', 'jiwer', .* found 'jiver'"):
        TextOptions.preset("jiver")


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("normalization", "NFX", "'NFC', 'NFKC', None; found 'NFX'"),
        ("whitespace", "drop", "whitespace must be one of 'collapse'"),
        ("unit", "char", "unit must be one of 'grapheme', 'codepoint'; found 'char'"),
        ("words", "x", "words must be one of"),
        ("bleu_words", "x", "bleu_words must be one of"),
        ("case", "lower", "case must be one of 'keep', 'fold'"),
        ("bleu_order", 0, "at least 1; found 0"),
        ("bleu_weights", (1.0,), "needs 4 numbers"),
        ("bleu_weights", (0.0, 1.0, 1.0, 1.0), "first above 0"),
    ],
)
def test_a_misspelt_option_is_refused(option, value, message):
    with pytest.raises(InputError, match=message):
        TextOptions(**{option: value})


def test_options_are_equal_by_value_and_can_be_hashed():
    assert len({TextOptions(), TextOptions(unit="grapheme"), TextOptions(unit="codepoint")}) == 2


@pytest.mark.parametrize(
    ("options", "metrics", "signature"),
    [
        ({}, ["cer"], "CER|norm:NFC|ws:collapse|unit:grapheme|v:0.1.0"),
        ({"normalization": None}, ["wer"], "WER|norm:none|words:whitespace|v:0.1.0"),
        (
            {"case": "fold", "punctuation": "remove"},
            ["cer"],
            "CER|norm:NFC|case:fold|punct:remove|ws:collapse|unit:grapheme|v:0.1.0",
        ),
        (
            {"bleu_order": 2, "bleu_weights": (0.7, 0.3), "bleu_effective_order": False},
            ["bleu"],
            "BLEU|norm:NFC|bleu:whitespace,2,exp,full-order,w0.7/0.3|v:0.1.0",
        ),
        (
            {},
            ["ned", "cer", "wer", "bleu", "char_f1"],
            (
                "CER+NED+F1+WER+BLEU|norm:NFC|ws:collapse|unit:grapheme|words:whitespace"
                "|bleu:whitespace,4,exp|v:0.1.0"
            ),
        ),
    ],
)
def test_the_signature_names_what_the_metrics_depend_on(options, metrics, signature):
    assert TextOptions(**options).signature(metrics) == signature


def test_every_column_has_a_signature():
    from ocrjury.text.metrics import METRICS, TOTALS

    assert all(not TextOptions().signature([name]).startswith("|") for name in [*METRICS, *TOTALS])
