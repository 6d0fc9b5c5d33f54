"""Rating that a rater gave just before."""

import numpy as np

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.bias.submissions import Submissions


def previous_ratings(submissions: Submissions, value: Floats) -> Floats:
    """Value of the previous submission minus the rater's mean; 0 without one (n,)."""
    count = np.maximum(np.bincount(submissions.rater, minlength=submissions.n_raters), 1)
    mean = np.bincount(submissions.rater, value, submissions.n_raters) / count
    centred = value - mean[submissions.rater]
    sequence = submissions.sequence()
    follows = follows_another(submissions, sequence)
    previous = np.zeros(len(value))
    previous[sequence[follows]] = centred[np.roll(sequence, 1)[follows]]
    return previous


def follows_another(submissions: Submissions, sequence: Integers) -> Booleans:
    """Which submissions of a sequence follow another of the same session (n',)."""
    follows = np.zeros(len(sequence), dtype=bool)
    follows[1:] = np.diff(submissions.session[sequence]) == 0
    return follows
