"""What marks the sentences of a page finds those that nobody said."""

import pytest

from ocrjury.language import language, tr
from tests.language.pseudo import PSEUDO, pseudo, unsaid


def test_sentences_are_marked_and_the_language_ends_with_its_block():
    with pseudo() as spoken:
        assert (spoken, language()) == (PSEUDO, PSEUDO)
        assert tr("{low} to {high}", low=1, high=tr("no interval")) == "⟦1 to ⟦no interval⟧⟧"
    assert tr("no interval") == "no interval"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>⟦Said⟧ 1.5 R01</p>", []),
        ("<p>⟦Open <code>x</code> <b>⟦now⟧</b>⟧</p>", []),
        ("<p>⟦Said⟧ and not</p>", ["⟦Said⟧ and not"]),
        ("<p>⟦a⟧ ⟧ b</p>", ["⟦a⟧ ⟧ b"]),
        ('<img alt="A chart"><input placeholder="⟦Name⟧">', ["A chart"]),
        ('<p>⟦One⟧ <a title="⟦Two⟧" href="x">three</a></p>', ["⟦One⟧ three"]),
        ('<p>⟦cut off</p><p class="x">After</p>', ["After"]),
        ('<p lang="ko">금액</p><style>a {}</style><code>run</code>', []),
        ('<p>한 <span lang="en">one <br>two</span></p><p>Again</p><p>Again</p>', ["한", "Again"]),
        ('<meta name="description" content="About"><meta name="viewport" content="x">', ["About"]),
    ],
)
def test_what_stands_outside_the_marks_is_found(html, found):
    assert unsaid(html, [r"R\d+"]) == found
