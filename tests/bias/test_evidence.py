import numpy as np

from ocrjury import Scale
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.submissions import read_submissions


def test_fits_are_made_once_and_bear_their_dimension(simulate):
    submissions = read_submissions(simulate(1, items=30), scale=Scale.likert(1, 5))

    evidence = BiasEvidence(submissions, rng=np.random.default_rng(1))

    assert [one.dimension for one in evidence.by_dimension] == ["q1", "q2", "q3"]
    assert evidence.overall.dimension is None
    assert evidence.by_dimension is evidence.by_dimension
    assert [spread.ratings for spread in evidence.spreads] == list(evidence.by_dimension)


def test_shuffled_moments_are_those_of_rearranged_ratings(simulate):
    submissions = read_submissions(simulate(2, items=30), scale=Scale.likert(1, 5))

    (spread, *_) = BiasEvidence(submissions, rng=np.random.default_rng(1)).spreads

    assert spread.null.y.shape == (6, 499)
    # what all raters gave together stays as it is
    total = (spread.moments.n * spread.moments.y).sum()
    assert np.allclose((spread.null.n * spread.null.y).sum(axis=0), total)
