from datetime import UTC, datetime

import pytest

from ocrjury.campaign.bundled_example import EXAMPLE
from ocrjury.evaluation.run_labels import label_of

MONDAY_IN_SEOUL = datetime(2026, 11, 15, 21, tzinfo=UTC)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))


def label(flow, **parameters):
    return label_of(flow, parameters, scheduled=MONDAY_IN_SEOUL)


def test_a_scheduled_opening_bears_the_week_of_its_campaign():
    name, tags = label("open-evaluation", campaign=str(EXAMPLE))

    assert name == "korean-claims-2026w47-r00-open"
    assert tags == ("campaign:korean-claims", "evaluation:korean-claims-2026w47")


def test_the_demo_is_an_evaluation_of_the_example():
    name, tags = label("demo", period="a")

    assert name == "korean-claims-a-r00-demo"
    assert tags == ("campaign:korean-claims", "evaluation:korean-claims-a")


@pytest.mark.parametrize(
    ("flow", "parameters", "name"),
    [
        ("open-evaluation", {"campaign": "/gone/claims/campaign.yaml"}, "claims-open"),
        ("advance-evaluation", {"reason": "schedule"}, "sweep-schedule"),
        ("advance-evaluation", {"evaluation": "gone", "reason": "event"}, "gone-advance"),
        (
            "decide-evaluation",
            {"evaluation": "gone", "decision": "rerun judge"},
            "gone-rerun-judge",
        ),
        ("report-evaluation", {"evaluation": "gone"}, "gone-report"),
    ],
)
def test_what_is_not_there_is_named_all_the_same(flow, parameters, name):
    assert label(flow, **parameters) == (name, ())
