"""Every record of `ocrjury.findings` survives JSON; none is forgotten."""

import dataclasses
import importlib
import json
import math
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime

import ocrjury.findings
from ocrjury.bias.findings import BiasFinding
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.findings.plan import Plan
from ocrjury.findings.record import Measured, Number, Record
from ocrjury.language import Phrase, phrase

MOMENTS = st.datetimes(
    min_value=datetime(1990, 1, 1),  # noqa: DTZ001  # the zones are drawn too
    timezones=st.integers(-12, 12).map(lambda hours: timezone(timedelta(hours=hours))),
)
# One nan object: comparing fields, Python asks for identity before equality.
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.just(math.nan)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COUNTS = st.integers(-(10**9), 10**9)
for plain, strategy in (
    (AwareDatetime, MOMENTS),
    (float, NUMBERS),
    (str, TEXTS),
    (int, COUNTS),
):
    st.register_type_strategy(plain, strategy)
st.register_type_strategy(
    Mapping,
    lambda kind: st.dictionaries(*(st.from_type(part) for part in get_args(kind)), max_size=2),
)


# Records hold records that hold records: two of each kind show what there is to show.
st.register_type_strategy(
    tuple,
    lambda kind: (
        st.lists(st.from_type(get_args(kind)[0]), max_size=2).map(tuple)
        if get_args(kind)[1:] == (...,)
        else st.tuples(*(st.from_type(part) for part in get_args(kind)))
    ),
)


@dataclass(frozen=True, slots=True)
class Inner(Record):
    size: Number


@dataclass(frozen=True, slots=True)
class Example(Record):
    name: str
    number: Number
    estimate: Measured
    inner: tuple[Inner, ...]
    by_name: Mapping[str, Measured]
    at: AwareDatetime | None = None


def record_modules():
    names = (m.name for m in pkgutil.iter_modules(ocrjury.findings.__path__, "ocrjury.findings."))
    return [importlib.import_module(name) for name in names if not name.endswith(".measurement")]


def dataclasses_of(modules):
    return [
        thing
        for module in modules
        for thing in vars(module).values()
        if dataclasses.is_dataclass(thing) and thing.__module__ == module.__name__
    ]


RECORDS = [Example, *dataclasses_of(record_modules())]


def draw_all_fields(cls):
    """Build a dataclass with every field drawn, those with defaults too."""
    return st.builds(
        cls,
        **{
            name: TEXTS if hint is Any else st.from_type(hint)
            for name, hint in get_type_hints(cls).items()
            if name in {field.name for field in dataclasses.fields(cls)}
        },
    )


for each in (Estimate, BiasFinding, Inner, *RECORDS):
    st.register_type_strategy(each, st.deferred(lambda each=each: draw_all_fields(each)))


@pytest.mark.parametrize("cls", RECORDS, ids=lambda cls: cls.__name__)
def test_every_dataclass_of_the_package_is_a_frozen_record(cls):
    assert issubclass(cls, Record)
    assert cls.__dataclass_params__.frozen


# A record that loses something loses it almost always, and most records hold others of them.
@pytest.mark.parametrize("cls", RECORDS, ids=lambda cls: cls.__name__)
@settings(
    max_examples=settings().max_examples // 4,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_a_record_survives_json(cls, data):
    record = data.draw(st.from_type(cls))

    text = json.dumps(record.to_json(), allow_nan=False)
    again = cls.from_json(json.loads(text))

    assert again == record
    assert again.to_json() == record.to_json()


def an_example(**changes):
    fields = {"name": "a", "number": 1.5, "estimate": Estimate(0.5), "inner": (), "by_name": {}}
    return Example(**fields | changes)


def test_a_time_keeps_its_zone():
    moment = datetime(2026, 11, 20, 9, 30, tzinfo=timezone(timedelta(hours=9)))

    again = Example.from_json(an_example(at=moment).to_json())

    assert again.at == moment
    assert again.at.utcoffset() == timedelta(hours=9)
    assert Example.from_json(an_example(at=moment.astimezone(UTC)).to_json()).at.tzinfo is not None


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_number_that_json_lacks_comes_back_as_nan(number):
    body = an_example(number=number, inner=(Inner(number),)).to_json()

    assert (body["number"], body["inner"][0]["size"]) == (None, None)
    assert math.isnan(Example.from_json(body).number)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"name": 5}, "name"),
        ({"number": "1.5"}, "number"),
        ({"inner": [{"size": "x"}]}, "inner.0.size"),
        ({"inner": [{}]}, "inner.0.size"),
        ({"estimate": 0.5}, "estimate"),
        ({"estimate": {"value": 0.5}}, "estimate"),
        ({"by_name": {"a": {**Estimate(1).to_json(), "low": "x"}}}, "by_name.a"),
        ({"at": "yesterday"}, "at"),
        ({"at": "2026-11-20T09:00:00"}, "at"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_with_its_path(change, path):
    with pytest.raises(InputError, match=rf"stored Example cannot be read: {path}: "):
        Example.from_json(an_example().to_json() | change)


def test_a_body_without_a_field_is_refused():
    body = an_example().to_json()
    del body["number"]

    with pytest.raises(InputError, match="number: Field required"):
        Example.from_json(body)


def test_a_sentence_is_stored_with_what_it_was_made_of():
    note = phrase("{low} to {high}", low=1, high=5)
    plan = Plan(**SMALL, source=note)
    again = Plan.from_json(json.loads(json.dumps(plan.to_json())))
    assert again == plan
    assert isinstance(again.source, Phrase)
    assert Plan.from_json(Plan(**SMALL, source="as it is").to_json()).source == "as it is"
    with pytest.raises(InputError, match=r"source: .*a sentence is text; found 3"):
        Plan.from_json({**plan.to_json(), "source": 3})


SMALL = {
    "dimension": "meaning",
    "items": 3,
    "assignments": 6,
    "gold_ratings": 0,
    "raters": 2,
    "cost": 6.0,
    "hours": 0.5,
}
