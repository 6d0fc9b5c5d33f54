"""Files with bytes changed, cut and repeated: a pool, or a refusal that names the file."""

import contextlib
import json
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.readers import read_pool, read_units
from ocrjury.readers.format_names import FORMATS
from tests.readers.ocr_files import DATA

FILES = {path.name: path.read_bytes() for path in DATA.iterdir() if path.suffix != ".md"}
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**9)
    | st.floats()
    | st.sampled_from(["", "x", "합", "LINE", "WORD", "KEY", "1", "succeeded"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=4,
)
MANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)


@st.composite
def mutated(draw):
    """Draw the name of a file and its content with some bytes changed."""
    name = draw(st.sampled_from(sorted(FILES)))
    data = bytearray(FILES[name])
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        length = draw(st.integers(0, 30))
        kind = draw(st.sampled_from(["replace", "delete", "repeat", "cut"]))
        if kind == "replace":
            data[place : place + length] = draw(st.binary(max_size=30))
        elif kind == "delete":
            del data[place : place + length]
        elif kind == "repeat":
            data[place:place] = data[place : place + length] * draw(st.integers(1, 20))
        else:
            del data[max(place, 1) :]
    return name, bytes(data)


@st.composite
def reshaped(draw):
    """Draw the name of a JSON file and its content with one value changed."""
    name = draw(st.sampled_from(sorted(name for name in FILES if name.endswith(".json"))))
    document = json.loads(FILES[name])
    here = document
    while isinstance(here, dict | list) and here:
        key = draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if not isinstance(here[key], dict | list) or not here[key] or draw(st.integers(0, 4)) == 0:
            here[key] = draw(VALUES)
            break
        here = here[key]
    return name, json.dumps(document).encode()


def is_pool_or_refusal(path, **options):
    """Whether a file is a pool that keeps its promises, or is refused by its name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            pool = read_units(path, **options) if "unit" in options else read_pool(path, **options)
        except InputError as refused:
            return str(path) in str(refused)
        check(pool)
        return True


def check(pool):
    """Check what every pool promises."""
    assert pool["doc_id"].is_unique
    assert pool["hypothesis"].notna().all()
    assert pool["confidence"].dropna().between(0, 1).all()
    for left, top, right, bottom in pool["box"].dropna():
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
    pool.to_json()  # attrs and texts can be written


@MANY
@given(case=mutated() | reshaped(), unit=st.sampled_from(["page", "line", "word", "field"]))
def test_changed_files_are_a_pool_or_a_refusal(*, tmp_path, case, unit):
    name, data = case
    path = tmp_path / name
    path.write_bytes(data)

    assert is_pool_or_refusal(path)
    assert is_pool_or_refusal(path, unit=unit)
    path.unlink()


@MANY
@given(
    data=st.binary(max_size=80) | st.sampled_from(sorted(FILES.values())),
    form=st.sampled_from(FORMATS),
)
def test_any_bytes_in_any_format_are_a_pool_or_a_refusal(*, tmp_path, data, form):
    path = tmp_path / "file"
    path.write_bytes(data)

    assert is_pool_or_refusal(path, format=form)


@MANY
@given(case=mutated() | reshaped())
def test_a_changed_file_never_harms_the_rest_of_a_folder(tmp_path, case):
    name, data = case
    (tmp_path / name).write_bytes(data)
    (tmp_path / "good.txt").write_text("x", encoding="utf-8")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        pool = read_pool(tmp_path)

    assert "good" in pool["doc_id"].tolist()
    (tmp_path / name).unlink()


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_cut_at_any_place_is_a_pool_or_a_refusal(tmp_path, name):
    path = tmp_path / name
    step = max(len(FILES[name]) // 40, 1)

    for end in range(0, len(FILES[name]), step):
        path.write_bytes(FILES[name][:end])
        assert is_pool_or_refusal(path)
        if name.endswith((".xml", ".json", ".hocr")):
            with pytest.raises(InputError):
                read_pool(path)
            with contextlib.suppress(InputError):
                read_units(path, unit="field")
