"""Files of ratings as people send them, into the open round of a real evaluation."""

import os
import resource

import pytest
import sqlalchemy as sa

from ocrjury.errors import InputError, StateError
from ocrjury.evaluation.case import at_work
from ocrjury.frontends.sheets import Sender, import_ratings
from ocrjury.store.database import reading
from ocrjury.store.ratings import list_ratings
from ocrjury.store.rounds import list_assignments
from ocrjury.store.schema.rating import ratings
from tests.forks import at_once

NAME = "small-p"
FILE = {"rounds": {"frontend": "file"}, "sampling": {"n": 10}}


@pytest.fixture
def waiting(small):
    """An evaluation that waits for 20 times two ratings."""
    for number, row in enumerate(small.pool):
        row["doc_id"] = f"문서 {number}"
    small.dimensions = ["meaning", "layout"]
    assert small.write(**FILE).open().message == "0 of 20 assignments"
    return small


@pytest.fixture
def send(waiting):
    """Hand in a file with this content."""

    def send(body):
        path = waiting.path.with_name("sent.csv")
        path.write_bytes(body if isinstance(body, bytes) else body.encode())
        return waiting.hand_in(path)

    return send


def wide(assignments, value=4, *, between=",", end="\n"):
    rows = [["evaluation", "item", "rater", "meaning", "layout"]]
    rows += [
        [NAME, assignment.item, assignment.rater, str(value), str(value)]
        for assignment in assignments
    ]
    return "".join(between.join(row) + end for row in rows)


def long(assignments, value=4):
    rows = [
        f"{NAME},{assignment.item},{assignment.rater},{dimension},{value}"
        for assignment in assignments
        for dimension in ("meaning", "layout")
    ]
    return "\n".join(["evaluation,item,rater,dimension,rating", *rows])


def stored(waiting):
    return {(one.item, one.rater): one.value for one in waiting.stored(list_ratings)}


@pytest.mark.parametrize(
    "body",
    [
        long,
        lambda some: wide(some).encode("cp949"),
        lambda some: wide(some).encode("utf-8-sig"),
        lambda some: wide(some, end="\r\n"),
        lambda some: wide(some, between=";"),
        lambda some: wide(some, between="\t"),
        lambda some: wide(some, end=",\n"),
        lambda some: wide(some).replace(
            "evaluation,item,rater,meaning", "Evaluation,Item, Rater ,MEANING"
        ),
        lambda some: wide(some).replace(",R0", ", R0"),
        lambda some: wide(some).replace("\n", "\n\n"),
        lambda some: long(some).replace("rating\n", "rating,note\n").replace(",4", ',4,"a\nb"'),
    ],
    ids=[
        *("long", "cp949", "bom", "crlf", "semicolon", "tab", "comma at the end", "capitals"),
        *("spaces", "empty lines", "line break in a cell"),
    ],
)
def test_what_spreadsheets_write_is_read(waiting, send, body):
    some = waiting.stored(list_assignments)[:3]

    done = send(body(some))

    assert (done.ratings, done.assignments, done.complete) == (6, 3, False)
    assert stored(waiting) == {(one.item, one.rater): 4 for one in some}


def test_two_parts_complete_a_round(waiting, send):
    everything = waiting.stored(list_assignments)

    first, second = send(wide(everything[:7])), send(wide(everything[7:]))

    assert (first.complete, second.complete) == (False, True)
    with pytest.raises(StateError, match="has no open round; nothing was stored"):
        waiting.advance()
        send(wide(everything, 3))


def test_a_revision_counts_and_the_first_answer_is_kept(waiting, send):
    some = waiting.stored(list_assignments)[:2]
    send(wide(some, 2))

    send(wide(some, 5))

    assert set(stored(waiting).values()) == {5}
    with at_work() as work, reading(work.engine) as connection:
        kept = connection.execute(sa.select(ratings.c.rev, ratings.c.value)).all()
    assert sorted(map(tuple, kept)) == [(1, 2.0)] * 4 + [(2, 5.0)] * 4


def test_an_older_file_after_a_newer_one_changes_nothing(waiting, send):
    some = waiting.stored(list_assignments)[:2]
    older, newer = send(wide(some, 2)), send(wide(some, 5))

    again = send(wide(some, 2))

    assert (older.again, newer.again, newer.replaced) == (False, False, 4)
    assert (again.again, again.ratings, again.replaced) == (True, 0, 0)
    assert set(stored(waiting).values()) == {5}


@pytest.mark.parametrize(
    "body", ["item,rater,meaning,layout\n", "item,rater,meaning,layout\n,,,\n"]
)
def test_a_file_without_a_rating_stores_none(send, body):
    assert send(body).ratings == 0


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "is empty; its first row must name the columns"),
        (b"\n\n", "is empty"),
        (bytes(range(256)) * 400, "neither UTF-8 nor CP949"),
        (b"PK\x03\x04" + os.urandom(5000), "neither UTF-8 nor CP949"),
        ("item,rater\n", None),
        ("a,b\n1,2\n", "needs the columns item and rater.*found 'a', 'b'"),
        (",".join(f"c{n}" for n in range(500)), "and 490 more"),
        (",".join(f"c{n}" for n in range(20_000)), "row 1: it has 20,000 cells, but a table has"),
        ('item,rater,meaning\n"a,R01,4\n', "line 2: this is not CSV"),
        ("item,rater,meaning,meaning\na,R01,4,4\n", "column 'meaning' stands there twice"),
        ("item,rater,meaning,layout,remark\na,R01,4,4,so so\n", "there is no dimension 'remark'"),
        (
            "item,rater,meaning,layout\na,R01,4,4,4\n",
            "row 2: it has 5 cells; the file has 4 columns",
        ),
        (f"item,rater,meaning\n{'x' * 200_000},R01,4\n", "line 2: a cell has more than 131,072"),
        (
            f"evaluation,item,rater,meaning\n{NAME},{'x' * 90_000},R01,4\n",
            "there is no item 'xxxxx",
        ),
    ],
)
def test_what_is_no_table_of_ratings_is_refused_in_a_few_words(waiting, send, body, sentence):
    if sentence is None:
        assert send(body).ratings == 0
        return

    with pytest.raises(InputError, match=sentence) as error:
        send(body)

    assert len(str(error.value)) < 600
    assert stored(waiting) == {}


def test_every_bad_cell_is_named_with_the_row_of_the_spreadsheet(waiting, send):
    one, two, *_ = waiting.stored(list_assignments)
    lines = [
        "evaluation,item,rater,dimension,rating,note",
        f'{NAME},{one.item},{one.rater},meaning,4,"two\nlines"',
        "",
        f"{NAME},{one.item},{one.rater},meaning,5,",
        f"{NAME},{one.item},{one.rater},layout,0_4,",
        f"{NAME},{two.item},{two.rater},meaning,nan,",
        f"{NAME},{two.item},{two.rater},layout,1e999,",
        f"{NAME},{two.item},{two.rater},mood,3,",
    ]

    with pytest.raises(InputError) as error:
        send("\n".join(lines))

    for sentence in (
        f"row 4: a second rating of item {one.item!r} by rater {one.rater!r}; row 2 has the first",
        "row 5: '0_4' on 'layout' is no rating on the scale (likert 1 to 5)",
        "nan on 'meaning' is outside the scale",
        "inf on 'layout' is outside the scale",
        "there is no dimension 'mood'; there are meaning, layout",
    ):
        assert sentence in str(error.value)
    assert stored(waiting) == {}


def test_each_problem_of_a_row_is_told_once_and_in_the_order_of_rows(waiting, send):
    one, two, *_ = waiting.stored(list_assignments)
    lines = [
        "evaluation,item,rater,row_code,meaning,layout",
        f"{NAME},{one.item},{one.rater},k-x,4,4",
        f"{NAME},nowhere,{one.rater},,4,4",
        f"{NAME},{two.item},{two.rater},,good,9",
    ]

    with pytest.raises(InputError) as error:
        send("\n".join(lines))

    told = str(error.value).splitlines()
    assert told[0].endswith("4 problems, so nothing was stored.")
    assert [line.split(" (")[0].split(":")[0].strip() for line in told[1:-1]] == [
        "row 2",
        "row 3",
        "row 4",
        "row 4",
    ]


def refusal(evaluation, path, _start):
    """Why a file is refused; the kernel ends a process that takes ten seconds for it."""
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    with at_work() as work, pytest.raises(InputError) as error:
        row, scale = work.case(evaluation).row, work.case(evaluation).campaign.rubric.scales
        sender = Sender(vouched=True)
        import_ratings(work.store, row, path, scale=scale, now=work.now, sender=sender)
    return str(error.value)


def test_forty_thousand_rows_of_garbage_are_refused_at_once(waiting, tmp_path):
    some = waiting.stored(list_assignments)
    for rows in (
        [f"{NAME},x{n},R{n},d{n},{n}" for n in range(40_000)],
        [f"{NAME},{some[n % 20].item},{some[n % 20].rater},d{n % 9},{n}" for n in range(40_000)],
    ):
        path = tmp_path / "garbage.csv"
        path.write_text("\n".join(["evaluation,item,rater,dimension,rating", *rows]))

        [told] = at_once(refusal, waiting.evaluation, path, count=1)

        assert "so nothing was stored" in told
        assert len(told) < 3000
