"""Chinese text has a blank beside Latin letters and digits, and none elsewhere."""

import pytest

from ocrjury import language
from ocrjury.chinese import with_blanks
from ocrjury.language import phrase, speaking, tr


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["维度", "meaning", "的均值"], "维度 meaning 的均值"),
        (["维度 ", "语义", " 的均值"], "维度语义的均值"),
        (["共 ", "20", " 项"], "共 20 项"),
        (["比例为", "3.6%", "。"], "比例为 3.6%。"),
        (["“", "meaning", "”的目标"], "“meaning”的目标"),
        (["", "布局（新）", " 上"], "布局（新）上"),
        (["系数", "α"], "系数 α"),
        (["和", "+0.10", "（金标准项目）"], "和 +0.10（金标准项目）"),
        (["为", "−0.04"], "为 −0.04"),
        (["列", "+列"], "列+列"),
        (["R01", " ", "R02"], "R01 R02"),
        (["数据", "中文abc", ""], "数据中文abc"),
        (["", ""], ""),
    ],
)
def test_pieces_meet_with_a_blank_only_where_chinese_sets_one(pieces, text):
    assert with_blanks(pieces) == text


def test_a_sentence_in_chinese_fits_its_values(monkeypatch):
    texts = {"{item} on {page}": "{page}上的 {item}", "page {n}": "第{n}页"}
    monkeypatch.setattr(language, "catalogue", lambda _: texts)
    with speaking("zh"):
        assert (
            tr("{item} on {page}", item="项目", page=phrase("page {n}", n=3)) == "第 3 页上的项目"
        )
