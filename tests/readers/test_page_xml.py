import pytest

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.page_xml import read_page_xml
from tests.readers.ocr_files import DATA

SPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


def read(name):
    (page,) = read_page_xml((DATA / name).read_bytes())
    return page


def page_of(content, attributes='imageWidth="100" imageHeight="100"'):
    return f'<PcGts xmlns="{SPACE}"><Page {attributes}>{content}</Page></PcGts>'.encode()


def region(name, text, inner=""):
    line = f'<TextLine id="l-{name}"><TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>'
    return f'<TextRegion id="{name}">{line}{inner}</TextRegion>'


def test_regions_come_in_reading_order_through_nested_groups():
    # title; the unordered group: right, then the table, whose cell-c has no place of its own,
    # then its cells by index; the footer; at the end what the order does not name.
    assert read("page-2019.xml").text.split("\n") == [
        "진단서", "שלום עם", "비고", "합계", "3,000원", "해오름의료원", "담당의사 윤하영", "stamp",
    ]  # fmt: skip


def test_regions_without_a_reading_order_come_as_in_the_file():
    (page,) = read_page_xml(page_of(region("b", "one") + region("a", "two", region("c", "three"))))

    assert page.text == "one\ntwo\nthree"


def test_a_reading_order_that_names_what_is_not_there_or_twice_loses_nothing():
    order = (
        '<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="0" regionRef="b"/>'
        '<RegionRefIndexed index="1" regionRef="ghost"/>'
        '<RegionRefIndexed index="2" regionRef="b"/></OrderedGroup></ReadingOrder>'
    )

    (page,) = read_page_xml(page_of(order + region("a", "last") + region("b", "first")))

    assert page.text == "first\nlast"


def test_cells_of_a_table_of_transkribus_are_read():
    cells = region("a", "3,000원") + region("b", "5,000원")
    table = f'<TableRegion id="t">{cells.replace("TextRegion", "TableCell")}</TableRegion>'

    (page,) = read_page_xml(page_of(region("c", "합계") + table))

    assert page.text == "합계\n3,000원\n5,000원"


def test_lines_with_an_index_come_by_it():
    names = [line.name for line in read("page-2019.xml").lines]

    assert names.index("f1") < names.index("f2")


def test_of_several_texts_the_lowest_index_counts_else_the_most_confident():
    title = read("page-2019.xml").lines[0]

    assert title.words[0].text == "진단서"
    assert title.words[0].confidence == 0.75
    assert (title.text, title.confidence) == ("진단서", 0.9)


def test_words_and_glyphs_make_the_text_where_the_level_above_has_none():
    line = next(line for line in read("page-2019.xml").lines if line.name == "rtl")

    assert line.text == "שלום עם"
    assert [word.confidence for word in line.words] == [0.25, None]


def test_text_of_a_region_counts_where_no_line_has_any():
    page = read("page-2013.xml")

    assert page.text == "First line\nSecond line"
    assert page.mean_confidence == 0.75


def test_points_of_elements_are_read_as_points_of_attributes_are():
    page = read("page-2010.xml")

    assert page.text == "Ärztin"
    assert page.lines[0].box == (0.1, 0.1, 0.6, 0.2)


def test_boxes_are_shares_of_the_image_and_the_image_is_kept():
    page = read("page-2019.xml")

    assert page.lines[0].box == (0.3, 0.05, 0.7, 0.08)
    assert page.image == "kr-000.png"
    assert page.mean_confidence == pytest.approx((0.75 + 0.25) / 2)


def test_without_any_other_confidence_the_pages_own_counts():
    (page,) = read_page_xml(page_of(region("a", "x"), 'imageWidth="9" imageHeight="9" conf="0.5"'))

    assert page.mean_confidence == 0.5


def test_an_empty_page_is_a_text_of_nothing():
    (page,) = read_page_xml(page_of(""))

    assert page.text == ""
    assert page.mean_confidence is None


def test_characters_are_kept_as_they_are():
    (page,) = read_page_xml(page_of(region("a", "e&#x301; &lt;&amp; <![CDATA[<b>]]> &#x2028;")))

    assert page.text == "e\u0301 <& <b> \u2028"


@pytest.mark.parametrize(
    ("content", "reason", "position"),
    [
        (
            '<TextRegion><TextEquiv conf="nan"/></TextRegion>',
            "confidence that is no",
            "line 1, TextRegion 1 of Page 1",
        ),
        (
            '\n<TextRegion><TextEquiv conf="87"/></TextRegion>',
            r"outside 0 to 1 \(found 87",
            "line 2, TextRegion 1 of Page 1",
        ),
        (
            '<TextRegion><TextEquiv conf="-1"/></TextRegion>',
            "outside 0 to 1",
            "line 1, TextRegion 1 of Page 1",
        ),
        (
            '<TextRegion><TextEquiv index="x"/></TextRegion>',
            "not a number",
            "line 1, TextRegion 1 of Page 1",
        ),
        (
            '<TextRegion><TextLine id="l7"><Coords points="0 1"/></TextLine></TextRegion>',
            "comma",
            "line 1, TextLine l7",
        ),
        (
            '<TextRegion><TextLine><Coords points="-50,0 9,9"/></TextLine></TextRegion>',
            "outside its page, which is 100 wide and 100 high",
            "line 1, TextLine 1 of TextRegion 1",
        ),
        (
            '<TextRegion><TextLine><Coords points="0,nan 9,9"/></TextLine></TextRegion>',
            "not a number",
            "line 1, TextLine 1 of TextRegion 1",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(content, reason, position):
    with pytest.raises(BadContentError, match=reason) as caught:
        read_page_xml(page_of(content))

    assert caught.value.position == position


def test_a_box_that_reaches_a_little_over_the_edge_is_cut_off():
    content = '<TextRegion><TextLine><Coords points="-3,10 50,20"/></TextLine></TextRegion>'

    (page,) = read_page_xml(page_of(content))

    assert page.lines[0].box == (0.0, 0.1, 0.5, 0.2)


@pytest.mark.parametrize("content", ["<PcGts/>", "<alto/>", f'<PcGts xmlns="{SPACE}"/>'])
def test_other_xml_is_no_page(content):
    with pytest.raises(BadContentError, match="not PAGE-XML"):
        read_page_xml(content.encode())
