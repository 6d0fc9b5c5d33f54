from hypothesis import given
from hypothesis import strategies as st

from ocrjury.report.pdf import JOINER, keep_words


def test_only_syllables_of_printed_text_are_joined():
    html = (
        '<style>a{content:"한글"}</style><title>한글</title><p lang="한글">보험 청구 a가 나1다</p>'
    )

    joined = keep_words(html)

    assert joined.count(JOINER) == 2
    assert "보\u2060험 청\u2060구 a가 나1다" in joined


@given(st.text(alphabet="가나 <>a\"'&;/"))
def test_nothing_else_changes(html):
    assert keep_words(html).replace(JOINER, "") == html
