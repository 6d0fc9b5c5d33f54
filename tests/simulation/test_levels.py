import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError, Scale
from ocrjury.simulation import true_scores

LIKERT = Scale.likert(1, 5)
DIMENSIONS = ["meaning", "layout"]


def many(copies=200, **columns):
    """The same document many times under other names."""
    return pd.DataFrame({"doc_id": [f"d{place}" for place in range(copies)], **columns})


@pytest.mark.parametrize(
    ("ned", "level"), [(0.04, 4), (0.05, 4), (0.06, 3), (0.2, 3), (0.5, 2), (0.51, 1), (1.0, 1)]
)
def test_texts_fall_by_the_ladder_of_the_guide(ned, level):
    # reference guide, field rules: NED 0 -> 5, <= .05 -> 4, <= .20 -> 3, <= .50 -> 2, else 1
    truth = true_scores(many(ned=ned, kind="text"), dimensions=["meaning"], scale=LIKERT, seed=1)

    assert truth["latent_meaning"].mean() == pytest.approx(level, abs=0.1)
    assert truth["meaning"].mode()[0] == level


def test_a_text_without_error_is_perfect_on_all_dimensions():
    truth = true_scores(many(ned=0.0), dimensions=DIMENSIONS, scale=LIKERT, seed=1)

    assert (truth[DIMENSIONS] == 5).all(axis=None)
    assert (truth["latent_meaning"] >= 5).all()


@pytest.mark.parametrize(
    ("kind", "texts", "highest"),
    [
        ("amount", ("12,000원", "12,001원"), 4),
        ("code", ("K35.8", "K35.6"), 3),
        ("date", ("2026-11-20", "2026-11-28"), 2),
        ("date", ("2026-11-20", "2026.11.20"), 5),
        ("amount", ("12,000원", "12.000원"), 5),
    ],
)
def test_a_wrong_field_is_capped_and_a_differently_written_one_is_not(kind, texts, highest):
    pool = many(ned=0.01, kind=kind, reference=texts[0], hypothesis=texts[1])

    truth = true_scores(pool, dimensions=["meaning"], scale=LIKERT, seed=1)

    assert truth["meaning"].max() == highest


def test_without_a_reference_confidence_decides():
    pool = pd.DataFrame(
        {"doc_id": range(300), "ned": np.nan, "confidence": [0.95, 0.3, None] * 100}
    )

    truth = true_scores(pool, dimensions=["meaning"], scale=LIKERT, seed=1)

    sure, unsure, missing = (truth["meaning"][start::3].mean() for start in range(3))
    assert sure > missing > unsure


def test_cer_serves_where_there_is_no_ned():
    truth = true_scores(many(cer=0.0), dimensions=["meaning"], scale=LIKERT, seed=1)

    assert (truth["meaning"] == 5).all()


def test_a_score_belongs_to_its_document_and_seed():
    pool = many(ned=0.1)
    how = {"dimensions": DIMENSIONS, "scale": LIKERT}
    whole = true_scores(pool, seed=1, **how)

    part = true_scores(pool[::-1][:50], seed=1, **how)
    other = true_scores(pool, seed=2, **how)

    again = whole.set_index("doc_id").loc[part["doc_id"]].reset_index()
    pd.testing.assert_frame_equal(part, again)
    assert not whole["latent_meaning"].equals(other["latent_meaning"])
    assert not whole["latent_meaning"].equals(whole["latent_layout"])


def test_five_levels_are_stretched_to_other_scales():
    pool = many(ned=[0.0, 0.04, 0.1, 0.4, 0.9] * 40)
    how = {"dimensions": ["meaning"], "seed": 1}

    continuous = true_scores(pool, scale=Scale.interval(0, 100), **how)["meaning"]
    binary = true_scores(pool, scale=Scale.binary(), **how)["meaning"]

    assert continuous.between(0, 100).all()
    assert [continuous[start::5].median() for start in range(5)] == pytest.approx(
        [100, 75, 50, 25, 0], abs=4
    )
    assert binary[::5].tolist() == [1] * 40
    assert binary[4::5].tolist() == [0] * 40


def test_a_nominal_scale_is_refused():
    with pytest.raises(InputError, match="need an ordered scale; found nominal a, b"):
        true_scores(many(ned=0), dimensions=["x"], scale=Scale.nominal(["a", "b"]), seed=1)


def test_documents_need_distinct_names():
    pool = pd.DataFrame({"doc_id": ["a", "a"], "ned": [0, 0]})

    with pytest.raises(InputError, match="names each document once"):
        true_scores(pool, dimensions=["meaning"], scale=LIKERT, seed=1)


@pytest.mark.parametrize("dimensions", ["meaning", [], ["a", "a"]])
def test_dimensions_must_be_a_list_of_names(dimensions):
    with pytest.raises(InputError, match="list of at least one name, each once"):
        true_scores(many(ned=0), dimensions=dimensions, scale=LIKERT, seed=1)
