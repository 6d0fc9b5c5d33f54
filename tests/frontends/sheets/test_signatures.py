import base64
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.errors import InputError
from ocrjury.frontends.sheets.signatures import (
    image_name,
    row_key,
    signature,
    signed,
    signing_key,
)

KEY = bytes(32)


def test_the_key_of_a_store_is_made_once_and_is_its_owners_alone(store):
    key = signing_key(store)

    path = store.files.folder.parent / "sheets.key"
    assert signing_key(store) == key == path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(key) == 32
    assert [one.name for one in path.parent.glob("*sheets.key*")] == ["sheets.key"]


def test_processes_that_make_a_key_at_once_use_the_same_one(store):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: signing_key(store), range(16), timeout=60))

    assert len(keys) == 1


def test_a_file_that_is_no_key_is_refused(store):
    (store.files.folder.parent / "sheets.key").write_bytes(b"short")

    with pytest.raises(InputError, match=r"sheets\.key holds 5 bytes and no key of 32"):
        signing_key(store)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), unique=True, max_size=20))
def test_row_keys_differ_and_tell_nothing(names):
    keys = [row_key(KEY, name) for name in names]

    assert len(set(keys)) == len(names)
    assert all(len(key) == 18 and key.startswith("k-") for key in keys)


def test_another_store_makes_other_keys():
    assert row_key(KEY, "e/1/R01/0/d1") != row_key(bytes([1] * 32), "e/1/R01/0/d1")


def test_a_key_of_one_purpose_is_of_no_use_for_another():
    code = base64.b32decode(row_key(KEY, "x").removeprefix("k-").upper()).hex()

    assert not code.startswith(image_name(KEY, "x").removeprefix("p-"))


def test_a_signature_is_of_these_facts_only():
    facts = {"round": "1", "rater": "R01"}

    assert signed(KEY, {"rater": "R01", "round": "1"}, signature(KEY, facts))
    assert not signed(KEY, {**facts, "rater": "R02"}, signature(KEY, facts))
    assert not signed(bytes([1] * 32), facts, signature(KEY, facts))
    assert not signed(KEY, facts, "서명")
