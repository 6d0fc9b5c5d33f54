import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.hocr import _properties, read_hocr
from tests.readers.ocr_files import DATA


def read(name):
    return read_hocr((DATA / name).read_bytes())


def hocr(content, title="bbox 0 0 100 100"):
    page = f'<div class="ocr_page" title="{title}">{content}</div>'
    return f"<html><body>{page}</body></html>".encode()


def word(text, title="bbox 0 0 10 10"):
    return f'<span class="ocrx_word" title="{title}">{text}</span>'


def line(content):
    return f'<span class="ocr_line" title="bbox 0 0 100 10">{content}</span>'


def test_words_confidences_and_boxes_are_read():
    first, second = read("tesseract.hocr")

    assert first.text == "Patient's name\nA&B*"
    assert second.text == ""
    assert [w.confidence for line in first.lines for w in line.words] == [0.96, 0.48, 0.0, None]
    assert first.lines[0].words[1].box == pytest.approx((0.6, 0.1, 0.9, 0.2))
    assert first.mean_confidence == pytest.approx(0.48)


def test_the_images_name_may_hold_what_parts_properties():
    assert read("tesseract.hocr")[0].image == "/scans/a; b.png"


def test_lines_without_words_have_their_text_and_the_mean_of_their_characters():
    (page,) = read("lines.hocr")

    assert page.text == "다음 줄 끝\ntwo parts"
    assert page.lines[0].confidence == pytest.approx(0.6)
    assert page.mean_confidence == pytest.approx(0.6)


def test_control_characters_behind_a_line_break_do_no_harm():
    assert read_hocr(hocr(line("a<br>\x01b")))[0].text == "a \x01b"


def test_confidences_of_characters_within_a_word_count_where_the_word_has_none():
    characters = "".join(
        f'<span class="ocrx_cinfo" title="x_conf {conf}">a</span>' for conf in (90, 60)
    )

    (page,) = read_hocr(hocr(line(word(characters))))

    assert page.lines[0].words[0] == ("aa", 0.75, (0.0, 0.0, 0.1, 0.1), False, "")


def test_white_space_is_that_of_the_file():
    (page,) = read_hocr(hocr(line(word("진") + word("료") + " " + word("비") + "\n" + word("1 "))))

    assert page.text == "진료 비 1"


def test_text_of_a_line_outside_its_words_is_not_lost():
    (page,) = read_hocr(hocr(line(f"({word('a')}), {word('b')}.")))

    assert page.text == "(a), b."


@pytest.mark.parametrize("kind", ["ocr_par", "ocr_carea", "something"])
def test_a_page_without_lines_is_read_by_paragraph_or_whole(kind):
    content = f'<p class="{kind}">{word("a")} {word("b")}</p>'

    assert read_hocr(hocr(content))[0].text == "a b"


def test_headers_and_captions_are_lines():
    content = "".join(
        f'<span class="{kind}">{word(kind)}</span>'
        for kind in ("ocr_header", "ocr_caption", "ocr_textfloat", "ocrx_line", "ocr_footer")
    )

    assert len(read_hocr(hocr(content))[0].lines) == 5


@pytest.mark.parametrize("kind", ["ocr_header", "ocr_textfloat"])
def test_lines_within_a_header_are_lines_of_their_own(kind):
    content = f'<div class="{kind}">{line(word("a"))}{line(word("b"))}</div>{line(word("c"))}'

    assert read_hocr(hocr(content))[0].text == "a\nb\nc"


def test_a_paragraph_without_lines_beside_others_is_not_lost():
    areas = "".join(
        f'<div class="ocr_carea"><p class="ocr_par">{content}</p></div>'
        for content in (line(word("a")), word("b") + " " + word("c"), line(word("d")))
    )

    assert read_hocr(hocr(areas))[0].text == "a\nb c\nd"


def test_a_fragment_without_page_is_one_page():
    assert read_hocr(line(word("a")).encode())[0].text == "a"


def test_a_page_whose_box_does_not_begin_at_the_corner_has_no_relative_boxes():
    (page,) = read_hocr(hocr(line(word("a")), title="bbox 10 10 90 90"))

    assert page.lines[0].words[0].box is None


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("bbox 0 0 10", "a bbox that is not four numbers"),
        ("bbox 0 0 10 x", "not a number"),
        ("bbox 10 0 0 10", "negative width"),
        ("bbox -90 0 0 10", "outside its page"),
        ("x_wconf nan", "not a number"),
        ("x_wconf 101", "outside 0 to 100"),
        ("x_wconf -1", "outside 0 to 100"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(title, reason):
    with pytest.raises(BadContentError, match=reason) as caught:
        read_hocr(hocr("\n" + line(word("a", title=title))))

    assert caught.value.position == "line 2, ocrx_word 1 of ocr_line 1"


def test_html_that_is_no_hocr_is_refused():
    with pytest.raises(BadContentError, match="not hOCR"):
        read_hocr(b"<html><body><p>text</p></body></html>")


@pytest.mark.parametrize("cut", [60, 400, 900, 1400])
def test_a_file_that_breaks_off_is_refused(cut):
    content = (DATA / "tesseract.hocr").read_bytes()

    with pytest.raises(BadContentError, match="truncated"):
        read_hocr(content[:cut])


def test_other_encodings_are_read_as_declared_or_found():
    content = hocr(line(word("진료비")))
    declared = content.replace(b"<html>", b'<html><head><meta charset="euc-kr"></head>')

    assert read_hocr(content.decode().encode("cp949"))[0].text == "진료비"
    assert read_hocr(declared.decode().encode("euc-kr"))[0].text == "진료비"
    assert read_hocr(content.decode().encode("utf-16"))[0].text == "진료비"
    assert read_hocr(declared)[0].text == "진료비"  # it is UTF-8, whatever it says


NAMES = st.sampled_from(["bbox", "x_wconf", "a-1"])
VALUES = st.lists(st.sampled_from(["a", " 1", "'x;y'", '"z"', '"it\'s; so"', "/"]), max_size=4)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=4))
def test_properties_of_a_title_end_at_semicolons_outside_quotes(properties):
    written = [(name, "".join(values)) for name, values in properties]

    found = _properties(";".join(f" {name} {value} " for name, value in written))

    assert found == {name: value.strip() for name, value in written}


@pytest.mark.parametrize(
    ("title", "properties"),
    [
        ("x_source it's; bbox 0 0 1 1", {"x_source": "it's", "bbox": "0 0 1 1"}),
        ("'a; b 1'; ; bbox 0 0 1 1", {"bbox": "0 0 1 1"}),
    ],
)
def test_what_is_no_property_hides_none_of_the_others(title, properties):
    assert _properties(title) == properties
