import re

from hypothesis import given
from hypothesis import strategies as st

from ocrjury.report.score_report import WIDTH, ribbon
from ocrjury.text import TextOptions

TEXTS = st.text(alphabet="가나다ab ", max_size=30)


def draw(reference, hypothesis):
    return ribbon(reference, hypothesis, options=TextOptions())


def test_equal_texts_have_an_empty_ribbon():
    assert draw("가나", "가나").paths == {}
    assert draw("가나", "가나").words.startswith("2 characters match, 0 replaced")


def test_two_empty_texts_have_one_too():
    assert draw("", " ").paths == {}


def test_each_kind_has_a_height_of_its_own():
    paths = draw("가나다라마", "가x다y라").paths

    tops = {kind: re.findall(r"M[\d.]+ (\d+)h[\d.]+v(\d+)", path) for kind, path in paths.items()}
    assert tops == {"replace": [("0", "16")], "insert": [("0", "7")], "delete": [("9", "7")]}


def test_edits_that_no_eye_tells_apart_are_one_stretch():
    reference = "가나" * 3000

    path = draw(reference, reference.replace("나", "x")).paths["replace"]

    assert path.count("M") < 700


@given(TEXTS, TEXTS)
def test_every_stretch_lies_within(reference, hypothesis):
    for path in draw(reference, hypothesis).paths.values():
        for start, length in re.findall(r"M([\d.]+) \d+h([\d.]+)", path):
            assert 0 <= float(start) <= WIDTH
            assert float(start) + float(length) <= WIDTH * 1.001
