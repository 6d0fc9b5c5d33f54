"""An evaluation whose dimensions have scales of their own, from the draw to the report."""

import zlib

import pytest

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.findings.dimensions import Composites
from ocrjury.store.ratings import list_ratings
from ocrjury.store.results import latest_findings, latest_results, latest_truths, latest_verdicts

SCALES = {
    "meaning": None,
    "usable": {"kind": "binary"},
    "ease": {"kind": "interval", "low": 0, "high": 100},
    "fault": {"kind": "nominal", "categories": ["none", "sign", "word"]},
}


def answer(one, dimension):
    """An answer that depends on the document, and now and then on the rater."""
    level = zlib.crc32(one.item.encode()) % 3
    doubt = zlib.crc32(f"{one.item}/{one.rater}/{dimension}".encode()) % 6 == 0
    return {
        "meaning": 2 + level + doubt,
        "usable": int(level + doubt > 1),
        "ease": 20 + 30 * level + (7 if doubt else 0),
        "fault": ["word", "sign", "none"][(level + doubt) % 3],
    }[dimension]


def with_scales(small, *names):
    """Give the campaign these dimensions, each on its own scale."""
    small.dimensions = list(names)
    small.rubric = lambda: [
        {"name": name, "title": name.title(), "description": name}
        | ({} if SCALES[name] is None else {"scale": SCALES[name]})
        for name in names
    ]
    return small


@pytest.fixture
def closed(small):
    with_scales(small, *SCALES).write(
        rounds={"frontend": "file", "top_ups": 0},
        gate={"on_fail": "proceed"},
        adaptive={"max_rounds": 0, "decisions": 0},
        report={"target": {"dimension": "usable", "mean": 0.5}},
    ).open()
    small.rate(say=answer)
    end = small.advance()
    if end.name == "Held":
        end = small.decide("proceed")
    assert end.name == "Closed", end.message
    return small


def test_every_dimension_is_judged_and_inferred_on_its_own_scale(closed):
    stored = closed.stored(latest_results, "agreement")
    methods = {name: body["estimates"]["krippendorff_alpha"] for name, body in stored.items()}
    labels = {
        name: {t.label for t in closed.stored(latest_truths) if t.dimension == name}
        for name in SCALES
    }

    assert set(methods) == set(SCALES)
    assert {v.dimension for v in closed.stored(latest_verdicts)} == {"*", *SCALES}
    assert labels["usable"] <= {0, 1}
    assert labels["fault"] <= {"none", "sign", "word"}
    assert max(labels["ease"]) > 5


def test_names_have_no_mean_and_the_others_meet_on_one_scale(closed):
    estimates = closed.stored(latest_results, "estimate")
    [composites] = closed.stored(latest_findings, Composites, kind="composite").values()
    means = {name: Estimate.from_json(body["others"]).value for name, body in estimates.items()}

    assert set(estimates) == {"meaning", "usable", "ease"}
    assert 0 <= means["usable"] <= 1 < means["meaning"] <= 5 < means["ease"]
    expected = (100 * (means["meaning"] - 1) / 4 + 100 * means["usable"] + means["ease"]) / 3
    plain = next(row for row in composites.rows if row.method == "mean")
    assert (plain.low, plain.high, plain.stretched) == (0, 100, True)
    assert plain.others.value == pytest.approx(expected, abs=1.5)


def test_the_report_prints_each_on_its_own_scale(closed):
    data, text = closed.report()

    assert data.headline.dimension == "usable"
    assert "Mean rating of the whole pool on Usable, 0 to 1" in text
    assert "mean ratings, each on the dimension’s own scale" in text
    assert "Scales: Meaning 1 to 5, usable from 4; Usable 0 to 1, usable from 1; Ease" in text
    assert "each was stretched to run from 0, its lower end, to 100, its upper end" in text
    assert "Usable: binary 0 to 1; Ease: interval 0 to 100; Fault: nominal none" in text
    assert "these lie two levels or more apart on Meaning" in text


def test_what_is_exported_can_be_imported_again(closed):
    frame = closed.exported()

    given = {name: set(frame.loc[frame["dimension"] == name, "rating"]) for name in SCALES}
    assert given["fault"] <= {"none", "sign", "word"}
    assert given["usable"] <= {"0", "1"}
    stored = [r for r in closed.stored(list_ratings) if r.dimension == "fault"]
    assert {r.value for r in stored} <= {0.0, 1.0, 2.0}


def test_simulated_raters_rate_each_on_its_own_scale(small):
    with_scales(small, "meaning", "usable", "ease").write(sampling={"n": 20}).open()

    given = {
        name: {r.value for r in small.stored(list_ratings) if r.dimension == name}
        for name in small.dimensions
    }
    assert given["usable"] <= {0.0, 1.0}
    assert given["meaning"] <= {1.0, 2.0, 3.0, 4.0, 5.0}
    assert any(not value.is_integer() for value in given["ease"])


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"truth": {"method": "mean_rating"}}, None),
        ({"gate": {"policy": "kappa"}}, "gate.policy is kappa, which compares categories"),
        ({"adaptive": {"policy": "disagreement"}}, "disagreement compares points"),
        ({"report": {"target": {"dimension": "usable", "mean": 3}}}, r"outside .*\(binary 0 to 1"),
    ],
)
def test_what_no_scale_of_the_rubric_can_have_is_refused(small, sections, message):
    with_scales(small, "meaning", "usable", "ease").write(**sections)

    if message is None:
        small.open_only()
        return
    with pytest.raises(InputError, match=message):
        small.open_only()
