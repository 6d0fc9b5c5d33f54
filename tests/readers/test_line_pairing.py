"""Lines are paired by what they say: what is shifted, missed, merged or moved."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from ocrjury.readers import line_grid
from ocrjury.readers.line_grid import Snippet
from ocrjury.readers.line_pairing import ALONE, MOVED, distance, pair_lines
from tests.readers.ocr_files import MINUTES as PAGE

ALPHABETS = {
    "latin": "abcdefghijklmnopqrstuvwxyz",
    "hangul": "".join(map(chr, range(0xAC00, 0xAC80))),
    "han": "".join(map(chr, range(0x4E00, 0x4E80))),
    "arabic": "".join(map(chr, range(0x627, 0x64B))),
}


def unlike_lines(n, seed, script="hangul"):
    """Draw lines of which no two are alike."""
    rng = random.Random(seed)
    return ["".join(rng.choices(ALPHABETS[script], k=rng.randint(20, 40))) for _ in range(n)]


def read_badly(line, rng, share=0.1):
    """Line of which a share of the characters was misread."""
    return "".join("#" if rng.random() < share else character for character in line)


def groups(reference, output):
    """Groups of two lists of texts, or of snippets, as plain lists; they must be pairable."""
    sides = [
        [Snippet(x) if isinstance(x, str) else x for x in side] for side in (reference, output)
    ]
    pairing = pair_lines(*sides)
    assert pairing.problem is None
    return [(list(group.reference), list(group.output)) for group in pairing.groups]


def alone(n):
    return [([place], [place]) for place in range(n)]


def box(row, *, left=0.1, right=0.9, height=0.02):
    """Box of the row-th line of a page."""
    return (left, 0.1 + row * 0.03, right, 0.1 + row * 0.03 + height)


@given(
    lines=st.lists(
        st.text(max_size=12) | st.sampled_from(["", "Summe", "12", "Summe 12", "שלום", "合計"]),
        max_size=25,
    ),
    boxed=st.booleans(),
)
def test_a_page_is_paired_with_itself_line_by_line(lines, boxed):
    page = [Snippet(line, box(row) if boxed else None) for row, line in enumerate(lines)]

    assert groups(page, page) == alone(len(lines))


@given(
    n=st.integers(1, 40),
    seed=st.integers(0, 10**6),
    script=st.sampled_from(sorted(ALPHABETS)),
    data=st.data(),
)
def test_lines_missed_by_the_ocr_leave_the_pairs_of_the_others(n, seed, script, data):
    lines, rng = unlike_lines(n, seed, script), random.Random(seed)
    kept = sorted(data.draw(st.sets(st.integers(0, n - 1))))

    paired = groups(lines, [read_badly(lines[place], rng) for place in kept])

    assert [group for group in paired if group[1]] == [
        ([place], [row]) for row, place in enumerate(kept)
    ]
    assert [place for places, rows in paired for place in places if not rows] == [
        place for place in range(n) if place not in kept
    ]


@given(
    reference=st.lists(st.text("ab c", max_size=8), max_size=20),
    output=st.lists(st.text("ab c", max_size=8), max_size=20),
)
def test_every_line_is_in_one_group_and_groups_never_cross(reference, output):
    pairing = pair_lines(list(map(Snippet, reference)), list(map(Snippet, output)))

    if pairing.problem is None:
        read = [place for group in pairing.groups for place in group.reference]
        assert read == list(range(len(reference)))
        assert [row for group in pairing.groups for row in group.output] == list(range(len(output)))


@pytest.mark.parametrize(("missed", "invented"), [(1, 0), (0, 1), (1, 1), (9, 9), (90, 90)])
def test_a_shift_shifts_no_pair(missed, invented):
    """As many lines on both sides say nothing; a shift beyond the band is found by its texts."""
    lines = unlike_lines(400, 5)

    paired = groups(lines, [*lines[missed:], *unlike_lines(invented, 3)])

    assert paired == [
        *(([place], []) for place in range(missed)),
        *(([row + missed], [row]) for row in range(400 - missed)),
        *(([], [400 - missed + row]) for row in range(invented)),
    ]


def test_half_a_page_that_was_missed_leaves_the_other_half():
    lines = unlike_lines(300, 7)

    assert groups(lines, lines[150:])[150:] == [([row + 150], [row]) for row in range(150)]


def test_a_missed_and_an_invented_line_are_not_a_pair_across_one_that_both_have():
    """Two unrelated lines have a few letters in common; that must not shift the one between."""
    assert groups(PAGE[:7], PAGE[1:])[1:7] == [([row], [row - 1]) for row in range(1, 7)]
    many = unlike_lines(20, 1, "latin")
    assert groups([PAGE[0], PAGE[1], *many], [PAGE[1], PAGE[7], *many])[:3] == [
        ([0], []),
        ([1], [0]),
        ([], [1]),
    ]


def test_merged_and_split_lines_are_joined():
    merged = [PAGE[0], f"{PAGE[1]} {PAGE[2]}", *PAGE[3:]]

    assert groups(PAGE, merged)[:3] == [([0], [0]), ([1, 2], [1]), ([3], [2])]
    assert groups(merged, PAGE)[:3] == [([0], [0]), ([1], [1, 2]), ([2], [3])]


def test_a_line_that_was_invented_is_not_joined_to_its_neighbour():
    rng = random.Random(5)
    lines = [read_badly(line, rng, 0.2) for line in PAGE]

    assert ([], [4]) in groups(PAGE, [*lines[:4], "~ ;_ i, eer", *lines[4:]])


def test_a_row_of_a_table_read_as_one_line_is_one_group():
    cells = ["3.000", "Röntgen", "12.10.", "EUR 48,20", "offen", "bar"]
    lines = unlike_lines(30, 2)

    paired = groups([*lines[:15], *cells, *lines[15:]], [*lines[:15], " ".join(cells), *lines[15:]])

    assert paired[15] == ([15, 16, 17, 18, 19, 20], [15])


def test_lines_read_as_paragraphs_are_joined():
    lines = unlike_lines(40, 2, "latin")
    paragraphs = [" ".join(lines[start : start + 8]) for start in range(0, 40, 8)]

    assert groups(lines, paragraphs) == [
        (list(range(8 * row, 8 * row + 8)), [row]) for row in range(5)
    ]
    assert groups(paragraphs, lines) == [
        ([row], list(range(8 * row, 8 * row + 8))) for row in range(5)
    ]
    assert groups(lines, [" ".join(lines)]) == [(list(range(40)), [0])]


def test_an_unreadable_line_between_pairs_is_a_pair():
    assert groups(PAGE, [*PAGE[:3], "@@@@@@@", *PAGE[4:]]) == alone(8)
    assert groups(["12"], ["xy"]) == alone(1)


def test_unreadable_lines_between_pairs_are_one_group():
    lines = unlike_lines(30, 6)
    garbage = ["#" * 25, "%" * 30, "$" * 28]

    paired = groups(lines, [*lines[:7], *garbage[:2], *lines[9:]])

    assert ([7, 8], [7, 8]) in paired
    assert len(paired) == 29


def test_empty_lines_are_neither_missed_nor_invented_for_another():
    assert groups(["a b", "", "c d"], ["a b", "c d"]) == [([0], [0]), ([1], []), ([2], [1])]
    assert groups(["a b", "c d"], ["a b", "", "c d"]) == [([0], [0]), ([], [1]), ([1], [2])]
    assert groups(["a b", "x y", "c d"], ["a b", "", "c d"]) == alone(3)
    assert groups([], []) == []
    assert groups(["a"], []) == [([0], [])]
    assert groups([], ["a", "b"]) == [([], [0]), ([], [1])]


def test_boxes_tell_equal_lines_apart():
    page = [Snippet("Summe 3,00", box(row)) for row in range(6)]

    paired = groups(page, [page[0], page[1], *page[3:]])

    assert ([2], []) in paired
    assert len([group for group in paired if all(group)]) == 5


def test_boxes_pair_what_cannot_be_read():
    page = [Snippet(line, box(row)) for row, line in enumerate(PAGE)]
    read = [Snippet("#" * 20, box(row)) for row in range(8) if row not in (2, 3)]

    assert groups(page, read) == [
        *alone(2),
        ([2], []),
        ([3], []),
        *(([row], [row - 2]) for row in range(4, 8)),
    ]


def test_boxes_of_another_frame_do_not_shift_the_texts():
    page = [Snippet(line, box(row)) for row, line in enumerate(PAGE)]
    cropped = [Snippet(line, box(row + 1)) for row, line in enumerate(PAGE)]

    assert groups(page, cropped) == alone(8)
    assert groups(cropped, page) == alone(8)


@pytest.mark.parametrize(
    ("reference", "output"),
    [
        (["진단서", "병명 뇌진탕", "질병코드 S06.0"], ["병 명 뇌진당", "질병코드 S06.O"]),
        (["診斷書", "病名 腦震盪", "疾病代碼 S06.0"], ["病名腦震荡", "疾病代碼 S06.O"]),
        (["دفتر الحساب", "المبلغ الإجمالي", "تاريخ الدفع"], ["المبلغ الاجمالى", "تاريخ الدفع"]),
        (["חשבון", "סכום כולל מעם", "תאריך התשלום"], ["סכום כולל מעס", "תאריך התשלום"]),
    ],
)
def test_lines_of_any_script_are_paired(reference, output):
    assert groups(reference, output) == [([0], []), ([1], [0]), ([2], [1])]


def test_case_white_space_composition_and_width_do_not_matter():
    assert groups(["ÉTÉ À LYON", "Nr. 12"], ["e\u0301te\u0301a\u0300lyon", "NR.12"]) == alone(2)
    assert groups(["１２３４５", "６７，８９０"], ["12345", "67,890"]) == alone(2)


@pytest.mark.parametrize("moved", [6, 20, 34])
def test_lines_in_another_order_cannot_be_paired(moved):
    lines = [Snippet(line) for line in unlike_lines(40, 9, "latin")]

    pairing = pair_lines(lines, [*lines[moved:], *lines[:moved]])

    assert not pairing.groups
    assert pairing.problem.endswith("% of the text stands in another order")


def test_texts_that_have_nothing_in_common_cannot_be_paired():
    pairing = pair_lines(
        [Snippet(line) for line in PAGE],
        [Snippet(line) for line in unlike_lines(8, 0)],
    )

    assert pairing.problem == "78% of the text has no counterpart or is cut differently"
    assert ALONE < 0.78


def test_short_lines_that_share_nothing_with_a_page_cannot_be_paired_either():
    page = [Snippet(f"line number {n} of the page, words {n * 37 % 101} here") for n in range(20)]
    dirt = Snippet("zzz qqq")

    pairing = pair_lines(page, [dirt] * 20)

    assert pairing.groups == []
    assert pairing.problem == "100% of the text has no counterpart or is cut differently"
    assert pair_lines(page, [dirt]).problem is None  # a page that was not read


def test_few_lines_out_of_place_are_missed_and_invented():
    lines = unlike_lines(40, 9)

    paired = groups(lines, [*lines[1:], lines[0]])

    assert (paired[0], paired[-1]) == (([0], []), ([], [39]))
    assert MOVED > 1 / 40


def test_work_grows_with_the_lines_not_with_their_square(monkeypatch):
    class Counting:
        calls = 0

        @classmethod
        def distance(cls, *texts, **options):
            cls.calls += 1
            return Levenshtein.distance(*texts, **options)

    monkeypatch.setattr(line_grid, "Levenshtein", Counting)
    calls = []
    for n in (500, 2000):
        Counting.calls = 0
        lines, rng = unlike_lines(n, 8), random.Random(8)
        read = [read_badly(line, rng) for line in lines]
        paired = groups(lines, [*read[: n // 3], *read[n // 3 + 3 :]])
        assert len([group for group in paired if all(group)]) == n - 3
        calls.append(Counting.calls)

    assert calls[1] < 5 * calls[0]


def test_a_line_longer_than_a_paragraph_takes_in_no_other():
    long = "".join(unlike_lines(300, 1))

    assert groups([long, "12. Oktober"], [long]) == [([0], [0]), ([1], [])]


def test_texts_longer_than_a_page_are_not_compared():
    assert distance("a b" * 60_000, "AB" * 60_000) == 120_000
    assert distance("a b" * 100, "AB" * 100) == 0


@pytest.mark.parametrize(("n", "length"), [(400_000, 3), (500, 20_000), (2, 30_000_000)])
def test_what_is_no_page_is_refused_before_any_work(n, length):
    lines = [Snippet("x" * length)] * n

    assert pair_lines(lines, lines).problem == "too much text to be paired"
    assert groups([lines[0]], [lines[0]]) == alone(1)
