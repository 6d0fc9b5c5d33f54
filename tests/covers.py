"""What covers of reports say."""

from ocrjury.estimate import Estimate
from ocrjury.findings.cover import Cover, ShownHeadline


def cover(**changes):
    """A cover that shows its headline."""
    facts = {
        "title": "Claims",
        "simulated": False,
        "verdict": "PASS",
        "word": "MET",
        "sentence": "Target met: mean 4.0 or better on Meaning",
        "reason": "The whole 95% range, 4.10 to 4.50, lies at or above 4.0.",
        "headline": headline(),
    }
    return Cover(**{**facts, **changes})


def headline(value=4.3, **changes):
    """A mean with its interval."""
    facts = {
        "dimension": "meaning",
        "caption": "Mean rating of the whole pool on Meaning, 1 to 5",
        "estimate": Estimate(value, value - 0.2, value + 0.2, n_items=200),
        "low": 1.0,
        "high": 5.0,
        "target": 4.0,
    }
    return ShownHeadline(**{**facts, **changes})


def withheld(**changes):
    """A cover on which the gate lets nothing be shown."""
    facts = {
        "verdict": "FAIL",
        "word": "NOT SHOWN",
        "sentence": "Not shown: mean 4.0 or better on Meaning",
        "reason": "No result is shown while the raters’ agreement is in doubt.",
        "headline": None,
        "withheld": "No result is shown while the raters’ agreement is in doubt.",
    }
    return cover(**{**facts, **changes})
