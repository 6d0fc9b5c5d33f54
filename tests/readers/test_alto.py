import pytest

from ocrjury.readers.alto import read_alto
from ocrjury.readers.content_errors import BadContentError
from tests.readers.ocr_files import DATA


def read(name):
    return read_alto((DATA / name).read_bytes())


def alto(line, *, page="", space="http://www.loc.gov/standards/alto/ns-v4#"):
    return (
        f'<alto xmlns="{space}"><Layout><Page {page}><PrintSpace><TextBlock><TextLine>{line}'
        "</TextLine></TextBlock></PrintSpace></Page></Layout></alto>"
    ).encode()


def test_a_hyphenated_word_stays_as_printed():
    (page,) = read("alto-2.xml")

    assert page.text == "Der Zusam-\nmenhang"
    assert [word.text for line in page.lines for word in line.words] == ["Der", "Zusam-", "menhang"]


def test_boxes_are_shares_in_any_unit():
    (page,) = read("alto-2.xml")

    assert page.lines[0].box == pytest.approx((0.1, 0.1, 0.5, 0.2))
    assert page.lines[0].words[0].box == pytest.approx((0.1, 0.1, 0.3, 0.2))
    assert page.image == "page.tif"


def test_confidence_of_a_page_is_the_mean_of_its_words():
    (page,) = read("alto-2.xml")

    assert page.mean_confidence == pytest.approx((1 + 0.5 + 0.6) / 3)


def test_without_words_confidences_that_of_the_page_counts():
    assert read("alto-3.xml")[0].mean_confidence == 0.875  # ACCURACY, 0 to 100
    assert read("alto-4.xml")[0].mean_confidence == 0.625  # PC, 0 to 1


def test_a_file_may_hold_several_pages_and_one_without_text():
    assert [page.text for page in read("alto-3.xml")] == ["- 7 -\nfirst\nsecond\nthird", ""]


def test_blocks_that_name_the_next_come_before_it():
    assert read("alto-3.xml")[0].text.split("\n")[1:] == ["first", "second", "third"]


def test_blocks_that_link_in_a_circle_come_once():
    block = '<TextBlock ID="{}" IDNEXT="{}"><TextLine><String CONTENT="{}"/></TextLine></TextBlock>'
    blocks = block.format("a", "b", 1) + block.format("b", "a", 2)
    content = f"<alto><Layout><Page>{blocks}</Page></Layout></alto>"

    assert read_alto(content.encode())[0].text == "1\n2"


def test_the_reading_order_of_version_4_3_names_blocks_and_lines():
    assert read("alto-4.xml")[0].text == "제목\ne\u0301tat\n청구 금액\n끝"


def test_white_space_stands_where_the_file_has_it():
    # Strings without SP between them are one word in pieces, if the file has SP at all.
    assert read("alto-4.xml")[0].lines[2].text == "청구 금액"
    assert read_alto(alto('<String CONTENT="a"/><String CONTENT="b"/>'))[0].text == "a b"


@pytest.mark.parametrize(
    "space",
    ["", "http://www.loc.gov/standards/alto/ns-v2#", "http://bibnum.bnf.fr/ns/alto_prod"],
)
def test_any_namespace_is_alto(space):
    assert read_alto(alto('<String CONTENT="a"/>', space=space))[0].text == "a"


def test_a_line_that_begins_with_a_hyphen_keeps_it():
    assert read_alto(alto('<HYP CONTENT="-"/><String CONTENT="a"/>'))[0].text == "- a"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("<String/>", "a String without CONTENT"),
        ('<String CONTENT="x" WC="nan"/>', "a confidence that is not a number"),
        ('<String CONTENT="x" WC="1.2"/>', r"a confidence outside 0 to 1 \(found 1.2\)"),
        ('<String CONTENT="x" HPOS="1" VPOS="1" WIDTH="-5" HEIGHT="2"/>', "negative width"),
        ('<String CONTENT="x" HPOS="a" VPOS="1" WIDTH="5" HEIGHT="2"/>', "not a number"),
        ('<String CONTENT="x" HPOS="-90" VPOS="1" WIDTH="5" HEIGHT="2"/>', "outside its page"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(line, reason):
    with pytest.raises(BadContentError, match=reason) as caught:
        read_alto(alto(line, page='WIDTH="100" HEIGHT="100"'))

    assert caught.value.position == "line 1, String 1 of TextLine 1"


def test_a_box_outside_its_page_is_told_with_its_sides_and_the_id_of_its_element():
    box = 'HPOS="90" VPOS="1" WIDTH="50" HEIGHT="2"'
    line = f'<String CONTENT="x"/><String ID="w&#233;2" CONTENT="y" {box}/>'

    with pytest.raises(BadContentError) as caught:
        read_alto(alto(line, page='WIDTH="100" HEIGHT="100"'))

    assert caught.value.position == "line 1, String w\u00e92"
    assert caught.value.reason == (
        "a box outside its page, which is 100 wide and 100 high (left 90, top 1, right 140, "
        "bottom 3)"
    )


@pytest.mark.parametrize("content", [b"<PcGts/>", b"<alto/>"])
def test_other_xml_is_no_alto(content):
    with pytest.raises(BadContentError, match="not ALTO"):
        read_alto(content)
