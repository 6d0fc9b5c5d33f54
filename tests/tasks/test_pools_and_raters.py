"""Whole evaluations on pools and with raters of every kind."""

import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.report import build_report, render_html
from ocrjury.store.documents import list_items
from ocrjury.store.ratings import Submission
from ocrjury.store.rounds import list_rounds
from tests.store_calls import add_submissions
from tests.tasks.conftest import QUICK, closed, documents, opinion

FILE = {"rounds": {"frontend": "file"}}
FEW = {key: QUICK[key] for key in ("rounds", "adaptive")}


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        (("reference",), "confidence"),
        (("reference", "confidence"), "error-focused share went to the other two"),
        (("doc_type",), "The parts of the draw"),
    ],
)
def test_a_pool_may_lack_what_helps(small, missing, words):
    for row in small.pool:
        for column in missing:
            del row[column]

    data, text = closed(small, **QUICK)

    assert words in text
    if "confidence" in missing:
        assert (
            next(p for p in data.sections["sampling"].parts if p.reason == "error_focused").items
            == 0
        )


def test_a_pool_may_lack_it_here_and_there(small):
    for number, row in enumerate(small.pool):
        for place, column in enumerate(("reference", "confidence", "doc_type")):
            if number % (place + 3) == 0:
                del row[column]

    data, _ = closed(small, **QUICK)

    assert data.sections["scores"].n_reference == 40
    assert {"(none)", "bill", "note"} == {row.stratum for row in data.sections["sampling"].strata}


def test_a_missing_stratum_is_held_with_the_columns_there_are(small):
    held = small.write(sampling={"n": 20, "stratum": "branch"}).open()

    assert held.message.startswith("plan: sampling.stratum names the column 'branch'")
    assert "doc_type" in held.message


@pytest.mark.parametrize("count", [1, 5])
def test_a_whole_tiny_pool_is_rated(small, count):
    small.pool = documents(count)

    data, _ = closed(small, **QUICK, sampling={"n": count, "floor": 0})

    assert {item.inclusion_probability for item in small.stored(list_items)} == {1.0}
    assert data.sections["sampling"].n == count
    assert data.verdict.decision == "INCONCLUSIVE"


def test_without_a_number_enough_are_drawn(small):
    data, _ = closed(small, **QUICK, sampling={"n": None})

    assert data.sections["sampling"].n == data.sections["sampling"].recommended_n == 53


def test_several_systems_are_hidden_from_the_raters(small):
    for number, row in enumerate(small.pool):
        row["system"] = ("tess", "cloud")[number % 2]
    small.pool[0] |= {"doc_id": "cloud:d001"}

    small.write(**FILE).open()

    items = small.stored(list_items)
    assert {item.item for item in items} == {item.doc_id for item in items}
    assert {item.system for item in items} == {"tess", "cloud"}


STRANGE = [
    *("a/b/c", '"quoted"', "it's", "<script>alert(1)</script>", "문서 번호 1", "x" * 300),
    *("a|b|c", "a\nb", "{{ 7 * 7 }}", "%s", "../../etc/passwd", "a:b", "#h", "`code`", "=1+1"),
    *("'; drop table items; --", "\u202eabc", "0", "-1", "&amp;", "NULL", "[l](javascript:x)"),
]


def test_strange_ids_go_through_unchanged(small, stored_pages):
    for row, name in zip(small.pool, STRANGE, strict=False):
        row["doc_id"] = name

    _, text = closed(small, **QUICK, sampling={"n": 58, "floor": 0}, report={"worst_items": 60})

    assert set(STRANGE) & {item.item for item in small.stored(list_items)}
    with at_work() as work:
        page = work.store.files.path(next(work.store.files.folder.glob("report-*.html")).name)
    assert "<script>alert(1)" not in page.read_text("utf-8")
    assert "alert(1)" in text


def test_control_characters_and_turned_text_go_through(small, database_url, monkeypatch):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", database_url)
    strange = [
        "\x00\x01\x07\x1b[31m",
        "\u202e\u2066evil",
        "\ufeff\uffff",
        "</td><script>x</script>",
    ]
    for number, row in enumerate(small.pool):
        row["hypothesis"] += strange[number % 4]
        row["doc_type"] = ("a|b", "<i>t</i>", "\u202ert")[number % 3]

    data, _ = closed(
        small, **QUICK, report={"worst_items": 10, "examples": "shown"}, sampling={"n": 20}
    )
    page = render_html(data)

    assert len(data.items.rows) == 10
    assert "<script>x" not in page
    assert not set("\x00\x1b\u202e\u2066") & set(page)


def test_an_empty_output_everywhere_is_judged(small):
    for row in small.pool:
        row["hypothesis"] = ""

    data, _ = closed(small, **QUICK)

    assert data.sections["scores"].metrics[0].micro == 1


def test_perfect_output_leaves_agreement_unknown_in_words(small):
    for row in small.pool:
        row |= {"hypothesis": row["reference"], "confidence": 1.0}

    held = small.write(**FEW, simulation={"default": {"noise": 0.0, "halo": 0.0}}).open()
    assert held.message.startswith("inconclusive: ")
    assert "all ratings are equal" in held.message

    assert small.decide("proceed").name == "Closed"
    data, text = small.report()
    assert data.verdict.decision == "INCONCLUSIVE"
    assert data.estimates[0].others.value == pytest.approx(5)
    assert "all ratings are equal" in text


@pytest.mark.parametrize(
    ("people", "raters"),
    [
        (["R01,rater", "R02,rater", "R03,rater"], {"per_item": 3}),
        (["R01,rater", "R02,rater", "R03,rater"], {"double_rated": 0.3}),
        (["R01,rater", "R02,rater"], {}),
    ],
)
def test_a_panel_of_any_size_reaches_the_end(small, people, raters):
    small.people = people

    data, _ = closed(small, **QUICK | {"adaptive": {"cap": 4}}, raters=raters)

    assert {row.rater for row in data.sections["raters"].rows} == {line[:3] for line in people}
    assert {"adjudication", "panel"}.isdisjoint(r.kind for r in small.stored(list_rounds))


def test_one_rater_alone_cannot_show_agreement(small):
    small.people = ["R01,rater"]
    sections = {"rounds": QUICK["rounds"], "adaptive": {"cap": 4}}
    held = small.write(**sections, raters={"per_item": 1}).open()

    assert "fewer than two raters" in held.message

    assert small.decide("proceed").name == "Closed"
    assert {"adjudication", "panel"}.isdisjoint(r.kind for r in small.stored(list_rounds))
    data, text = small.report()
    assert [row.rater for row in data.sections["raters"].rows] == ["R01"]
    assert "No rater’s severity can be estimated: no item has two ratings." in text
    assert "Every rater’s mean is" not in text
    estimates = text.partition("Pool estimates, by dimension")[2].partition("Document types")[0]
    assert estimates.count("no interval: fewer than two raters") == 1  # three made it too wide


COLUMNS = "pseudonym,role,languages,conflicts,capacity,absent_from,absent_to"


@pytest.mark.parametrize(
    ("people", "why"),
    [
        (["R01,rater,,bill,,,", "R02,rater,,bill,,,", "R03,rater,,,,,"], "Only R03 may rate"),
        (["R01,rater,,,10,,", "R02,rater,,,10,,"], "2 raters in raters.csv hold 20"),
        (
            [
                *("R01,rater,ko;en;ja,,24,,", "R02,rater,ko,,18,,", "R03,rater,en,,18,,"),
                *("R04,rater,ja,,18,,", "R05,rater,de,,,,"),
            ],
            "4 raters who may rate its documents hold 78",
        ),
        (["R01,rater,,,,2026-11-01,", "R02,rater,,,,2026-11-01,2026-12-01"], "2 of them absent"),
        (["R01,rater,ko,,,,", "R02,rater,ko;en,,,,", "R03,rater,en,,,,"], "No rater reads 'ja'"),
        (["A01,adjudicator,,,,,", "E01,expert,,,,,"], "raters.csv has 0 of that role"),
    ],
)
def test_too_few_raters_are_held_for_the_reason_and_released(small, people, why):
    small.columns, small.people = COLUMNS, people
    for number, row in enumerate(small.pool):
        row["language"] = ("ko", "en", "ja")[number % 3]
    held = small.write(**FILE).open()
    assert held.message.startswith("plan: ")
    assert why in held.message
    assert "lacks" not in held.message

    small.people = [*people, "R08,rater,,,,,", "R09,rater,,,,,"]
    small.write(**FILE)

    assert small.decide("retry").message == "0 of 80 assignments"


@pytest.mark.parametrize("capacity", [0, 2])
def test_an_adjudicator_without_capacity_gets_what_fits(small, capacity):
    small.columns = "pseudonym,role,capacity"
    small.people = ["R01,rater,", "R02,rater,", f"A01,adjudicator,{capacity}", "E01,expert,1"]

    closed(
        small,
        sampling={"n": 10},
        adaptive={"cap": 2},
        simulation={"default": {"careless": 0.15}},
    )

    asked = [r for r in small.stored(list_rounds) if r.kind == "adjudication"]
    assert bool(asked) == bool(capacity)
    with at_work() as work:
        rows = build_report(work.store, small.evaluation).sections["rounds"].rows
    assert all(row.ratings <= capacity for row in rows if row.kind == "adjudication")


def judged_by(small, judges, dimension):
    """Hand in what is open; the others of ``judges`` cannot judge the dimension."""
    with at_work() as work:
        case = work.case(small.evaluation)
        sent = [
            Submission(
                row.assignment,
                {name: opinion(row) for name in small.dimensions if name not in unable},
                f"sent {row.assignment}",
                case.row.rubric_hash,
                "file",
                flags=dict.fromkeys(unable, "cannot_judge"),
            )
            for row in case.last_assignments
            for unable in [[] if row.rater in judges else [dimension]]
        ]
        add_submissions(work.engine, small.evaluation, sent, now=work.now)


@pytest.mark.parametrize("judges", [["R01"], []])
def test_a_dimension_that_one_rater_or_nobody_can_judge_does_not_stop_the_evaluation(small, judges):
    small.dimensions = ["meaning", "layout"]
    small.write(**{**QUICK, "rounds": {"frontend": "file", "top_ups": 0}}).open()

    judged_by(small, judges, "layout")
    assert small.advance().name == "Held"
    end = small.decide("proceed")

    assert end.name == "Closed", end.message
    meaning, layout = small.report()[0].estimates
    assert meaning.inferred.method.endswith("other raters like these")
    assert layout.others.defined is bool(judges)
    if judges:
        assert layout.inferred.method.endswith("this model of these raters")
        assert layout.inferred.n_raters == layout.others.n_raters == 1
