"""A rating above what a field rule allows is flagged, reported, and otherwise left alone."""

from collections import Counter

import pytest

from ocrjury.store.ratings import list_ratings
from ocrjury.store.remarks import list_rule_breaks
from tests.tasks.conftest import QUICK, closed, documents

RULE = {
    "rule": "text-differs",
    "kind": "text",
    "when": "text_differs",
    "dimension": "meaning",
    "at_most": 1,
    "sentence": {"en": "Text: if anything differs, 1.", "ko": "텍스트: 다르면 1점."},
}


@pytest.fixture
def fields(small):
    """A campaign on text fields that simulated raters judge by how bad they are."""
    small.pool = [*documents(50, kind="text"), *documents(60)[50:]]
    return small


def test_what_simulated_raters_give_above_a_rule_is_in_the_report(fields):
    data, text = closed(fields, **QUICK, rubric={"field_rules": [RULE]})

    wrong = {one["doc_id"] for one in fields.pool if one["reference"] != one["hypothesis"]}
    of_fields = [one for one in fields.stored(list_ratings) if int(one.item[1:4]) < 50]
    above = [field for field in of_fields if field.value > 1 and field.item in wrong]
    assert 0 < len(above) == data.sections["rules"].broken < data.sections["rules"].checked
    assert "lie above what the rule allows." in text
    kinds = Counter(field.round_kind for field in of_fields)
    assert data.sections["rules"].checked_by_kind == kinds
    assert "텍스트: 다르면 1점." in fields.report_page("ko")
    for one in data.sections["rules"].rows[0].breaks:
        own = [rating for rating in above if rating.rater == one.rater]
        assert one.ratings == len(own)
        assert dict(one.levels) == {
            level: len({rating.item for rating in own if rating.value == level})
            for level in {rating.value for rating in own}
        }


@pytest.mark.on_sqlite
def test_a_rule_changes_no_number(fields, tmp_path, monkeypatch):
    with_rule, _ = closed(fields, **QUICK, rubric={"field_rules": [RULE]})
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "another"))
    without, text = closed(fields, **QUICK)

    assert without.sections["rules"] is None
    assert "field rule" not in text.partition("Methods")[0]
    assert fields.stored(list_rule_breaks) == []
    assert with_rule.headline == without.headline
    assert with_rule.counts == without.counts


def test_what_no_rule_is_about_is_not_counted(fields):
    data, _ = closed(fields, **QUICK, rubric={"field_rules": [{**RULE, "kind": "date"}]})

    assert data.sections["rules"] is None
