from hypothesis import given
from hypothesis import strategies as st

from ocrjury.report.pdf import JOINER, keep_words


def test_only_printed_text_is_joined():
    html = (
        '<style>a{content:"한글"}</style><title>한글</title><p lang="한글">보험 청구 a가 나1다</p>'
    )

    joined = keep_words(html)

    assert joined.count(JOINER) == 3
    assert "보\u2060험 청\u2060구 a가 나1\u2060다" in joined


def test_a_number_stays_with_what_it_counts():
    kept = keep_words("<p>26개 중 3개: 共 1,525 个, a 3 b 4c")

    assert kept.replace(JOINER, "|") == "<p>26|개 중 3|개: 共 1,525 |个, a 3 b 4c"


def test_no_chinese_character_stands_alone_in_the_last_line_of_a_text():
    kept = keep_words("<b>人工评分大体一致</b>无抽样误差。<i>差</i>（参见第二章） <b>a 差")

    assert kept.replace(JOINER, "|") == (
        "<b>人工评分大体|一|致</b>无抽样|误|差。<i>差</i>（参见第|二|章） <b>a 差"
    )


@given(st.text(alphabet="가나 <>a\"'&;/"))
def test_nothing_else_changes(html):
    assert keep_words(html).replace(JOINER, "") == html
