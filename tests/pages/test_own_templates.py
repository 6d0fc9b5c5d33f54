"""What a template that is not ours can reach."""

import math
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from jinja2.exceptions import SecurityError

from ocrjury.campaign.brand import Brand
from ocrjury.estimate import Estimate
from ocrjury.pages import numbers
from ocrjury.pages.own_templates import sandbox

SAY = SimpleNamespace(numbers=numbers)
BRAND = Brand(name="<Acme>")


def said(expression, **context):
    """Print an expression in the sandbox."""
    made = sandbox("report", ())
    known = {"say": SAY, "brand": BRAND, "day": datetime(2026, 11, 24, tzinfo=UTC)}
    return made.from_string("{{ " + expression + " }}").render({**known, **context})


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ("say.numbers.short_hash('sha256:' ~ 'a' * 20)", "a" * 12),
        ("say.numbers.NOTHING", numbers.NOTHING),
        ("brand.line", "&lt;Acme&gt;"),
        ("day.isoformat()[:4]", "2026"),
        ("'%g'|format(2.0) ~ 'a'.upper()", "2A"),
        ("language() ~ isnan(x.value)", "enTrue"),
        ("{'a': [1]}.get('a')|first", "1"),
    ],
)
def test_it_prints_what_it_is_given(expression, printed):
    assert said(expression, x=Estimate(math.nan)) == printed


@pytest.mark.parametrize(
    "expression",
    [
        "say.numbers.math.sqrt(4)",
        "say.numbers['math']",
        "say.numbers|attr('math')",
        "say.numbers.tr('x')",
        "say.numbers.__name__",
        "say.numbers.count.__globals__",
        "''.__class__.__mro__",
        "'{0.__class__}'.format(brand)",
        "kept.clear()",
        "path.write_text('x')",
        "brand.parse_file(path)",
        "brand.model_dump()",
    ],
)
def test_it_reaches_nothing_behind_that(expression, tmp_path):
    kept = {"a": 1}

    with pytest.raises(SecurityError):
        said(expression, path=tmp_path / "x", kept=kept)

    assert list(tmp_path.iterdir()) == []
    assert kept == {"a": 1}


def test_it_takes_no_endless_time_by_one_loop():
    with pytest.raises(OverflowError):
        said("range(1000000)|list")
