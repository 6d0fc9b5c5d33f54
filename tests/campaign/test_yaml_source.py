import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign import yaml_limits
from ocrjury.campaign.yaml_source import read_yaml
from ocrjury.errors import InputError

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("abc 가나 on off 2026-11-20", max_size=12),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("abcd", min_size=1, max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip

NAMES = list(zip("abcdef", "bcdefg", strict=True))
LAUGHS = "a: &a [x]\n" + "".join(f"{b}: &{b} [{f'*{a}, ' * 12}]\n" for a, b in NAMES)
LADDER = "a: &a [x]\n" + "".join(f"{b}: &{b} {'[' * 20}*{a}{']' * 20}\n" for a, b in NAMES)
MERGED = "a: &a {x: 1}\n" + "".join(f"{b}: &{b} {{<<: [{f'*{a}, ' * 12}]}}\n" for a, b in NAMES)


def read(tmp_path, text):
    path = tmp_path / "file.yaml"
    path.write_text(text, "utf-8")
    return read_yaml(path)


@pytest.mark.parametrize(
    "word", ["off", "on", "no", "yes", "y", "2026-11-20", "12:30", "0x1f", "1_000"]
)
def test_a_word_stays_a_word(tmp_path, word):
    assert read(tmp_path, f"key: {word}").data == {"key": word}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        (".5", 0.5),
        ("-2.", -2.0),
        ("012", 12),
        ("true", True),
        ("~", None),
        ("", None),
    ],
)
def test_numbers_and_truth_are_read_as_people_mean_them(tmp_path, text, value):
    found = read(tmp_path, f"key: {text}").data["key"]

    assert found == value
    assert type(found) is type(value)


def test_a_key_is_found_on_its_line(tmp_path):
    source = read(tmp_path, "name: x\nrounds:\n  pilot:\n    items: 3\nlist:\n- a\n- b: 1\n")

    assert source.line(("rounds", "pilot", "items")) == 4
    assert source.line(("list", 1, "b")) == 7
    assert source.line(("list", 1)) == 7


def test_a_key_that_is_missing_is_sought_at_its_section(tmp_path):
    source = read(tmp_path, "name: x\nrounds:\n  pilot:\n    items: 3\n")

    assert source.line(("rounds", "pilot", "gold")) == 3
    assert source.line(("pool",)) == 1


def test_a_merged_section_is_no_repeated_key(tmp_path):
    source = read(tmp_path, "a: &base {x: 1, y: 2}\nb: {<<: *base, y: 3}\n")

    assert source.data["b"] == {"x": 1, "y": 3}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: 1\nb: 2\na: 3\n", r"file\.yaml, line 3: a is already given on line 1; keep one\."),
        ("x:\n  b: 1\n  b: 2\n", r"line 3: b is already given on line 2; keep one\."),
        ("- {b: 1, b: 2}\n", r"line 1: b is already given on line 1; keep one\."),
        (
            "a: 1\nb: [1, 2\nc: 3\n",
            r"file\.yaml, line 3, column 2: this is not YAML \(.*\)\. Look for a missing colon",
        ),
        ("a: * * *\n", r"line 1, column 5: this is not YAML"),
        ("a: !!python/object:os.system {}\n", r"line 1, column 4: this is not YAML"),
        ("a: 1\n---\nb: 2\n", r"line 2, column 1: this is not YAML"),
        ("a: 1\nb: \x07\n", r"line 2: YAML does not allow the character U\+0007; remove it"),
        ("", r"file\.yaml holds nothing at its top; it must hold keys"),
        ("- a\n", r"file\.yaml holds a list at its top"),
        ("hello\n", r"file\.yaml holds a single value at its top"),
    ],
)
def test_what_is_no_mapping_is_refused_with_its_place(tmp_path, text, sentence):
    with pytest.raises(InputError, match=sentence):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x: 1\na: " + "[" * 31, r"file\.yaml, line 2: more than 30 levels inside one another\."),
        (LAUGHS, "line 5: more than 20,000 keys and values, those of aliases included"),
        (LADDER, "line 3: more than 30 levels inside one another"),
        (MERGED, "line 5: more than 20,000 keys and values, those of aliases included"),
        ("x: 1\na: &a [*a]", "line 2: an alias inside what it stands for"),
        ("a: " + "9" * 5000, "line 1: a number of more than 100 characters"),
        ('x: 1\na: "\\ud800"', r"line 2: a lone surrogate \(half a character\)"),
        ("a: " + "x" * (256 << 10), r"file\.yaml is larger than 256 kB"),
    ],
)
def test_what_no_campaign_needs_is_refused_with_its_line(tmp_path, text, sentence):
    with pytest.raises(InputError, match=sentence):
        read(tmp_path, text)


def test_as_much_as_a_campaign_may_hold_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(yaml_limits, "MAX_NODES", 3 + 29 + 1 + 6)

    deep, many = "a: " + "[" * 29 + "]" * 29, "\nb: [1, 2, 3, 4, 5, 6"

    assert str(read(tmp_path, deep + many + "]").data["a"]) == "[" * 29 + "]" * 29
    with pytest.raises(InputError, match="line 2: more than 39 keys and values"):
        read(tmp_path, deep + many + ", 7]")


def test_aliases_are_read_as_what_they_stand_for(tmp_path):
    found = read(tmp_path, "a: &a {x: [1]}\nb: &b [*a, *a]\nc: [*b, *a]\n").data

    assert found["c"] == [[{"x": [1]}, {"x": [1]}], {"x": [1]}]


def test_a_file_that_is_not_there_names_the_remedy(tmp_path):
    with pytest.raises(
        InputError, match=r"There is no file .*nowhere\.yaml\. `ocrjury campaign new` writes"
    ):
        read_yaml(tmp_path / "nowhere.yaml")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(InputError, match="is a folder; name the YAML file in it"):
        read_yaml(tmp_path)


def test_text_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "file.yaml"
    path.write_bytes("title: 보험".encode("cp949"))

    with pytest.raises(InputError, match=r"is not UTF-8 text \(byte 7\); save it again as UTF-8\."):
        read_yaml(path)


def test_a_byte_order_mark_is_no_content(tmp_path):
    path = tmp_path / "file.yaml"
    path.write_text("name: x", "utf-8-sig")

    assert read_yaml(path).data == {"name": "x"}


@given(data=st.dictionaries(st.text("abcd", min_size=1, max_size=4), PLAIN, max_size=4))
def test_what_was_written_with_every_text_in_quotes_is_read_again(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("yaml") / "file.yaml"
    path.write_text(yaml.safe_dump(data, default_style='"', allow_unicode=True), "utf-8")

    assert read_yaml(path).data == data
