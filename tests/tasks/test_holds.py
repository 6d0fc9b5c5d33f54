"""What goes wrong is held with a reason, and a decision leads on."""

import json

import pytest
import sqlalchemy as sa

from ocrjury.errors import InputError, RefusedError
from ocrjury.evaluation.case import at_work
from ocrjury.frontends.sheets import Sender, import_ratings
from ocrjury.store.database import reading
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.moves import list_moves
from ocrjury.store.results import latest_results
from ocrjury.store.rounds import list_assignments, list_progress, list_rounds
from ocrjury.store.schema.findings import results

FILES = {"rounds": {"frontend": "file", "deadline_days": 7}}


LEAD = Sender(vouched=True)


def rate(chain, raters, *, rating=4, share=1.0):
    """Hand in a file with the ratings of some raters."""
    rows = [a for a in chain.stored(list_assignments) if a.state == "open" and a.rater in raters]
    rows = rows[: round(len(rows) * share)]
    names = ("meaning", "layout", "readability")
    path = chain.path.with_name(f"ratings-{'-'.join(raters)}-{share}.csv")
    lines = [f"{chain.evaluation},{a.item},{a.rater},{','.join([str(rating)] * 3)}" for a in rows]
    path.write_text("\n".join([f"evaluation,item,rater,{','.join(names)}", *lines]), "utf-8")
    with at_work() as work:
        case = work.case(chain.evaluation)
        return import_ratings(
            *(work.store, case.row, path),
            scale=case.campaign.rubric.scale,
            now=work.now,
            sender=LEAD,
        )


EVERYBODY = ("R01", "R02", "R03", "R04", "R05", "R06")


def test_an_unreadable_pool_is_held_and_retried(chain, tmp_path):
    held = chain.write(pool={"path": str(tmp_path / "absent.jsonl")}, **FILES).open()
    assert held.name == "Held"
    assert held.message.startswith("pool: ")
    assert "absent.jsonl" in held.message

    rows = [{"doc_id": f"d{n}", "hypothesis": "a", "reference": "b"} for n in range(100)]
    (tmp_path / "absent.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    chain.write(pool={"path": str(tmp_path / "absent.jsonl")}, sampling={"n": 20}, **FILES)
    waiting = chain.decide("retry")

    assert (waiting.name, waiting.message) == ("WaitingForRatings", "0 of 40 assignments")


def test_a_sample_larger_than_the_pool_is_held_as_a_plan(chain):
    held = chain.write(sampling={"n": 2000}, **FILES).open()
    assert held.message.startswith("plan: sampling.n asks for 2000 items")

    chain.write(sampling={"n": 20}, **FILES)

    assert chain.decide("retry").name == "WaitingForRatings"


def test_too_few_raters_are_named(chain, tmp_path):
    (tmp_path / "raters.csv").write_text("pseudonym,role\nR01,rater\nA01,adjudicator\n", "utf-8")

    held = chain.write(raters={"file": str(tmp_path / "raters.csv")}, **FILES).open()

    assert held.message.startswith("plan: ")
    assert chain.stored(read_evaluation).held_from == "scored"


def test_nobody_can_advance_what_waits(chain):
    chain.write(sampling={"n": 20}, **FILES).open()

    before = chain.stored(list_moves)
    assert chain.advance().message == "0 of 40 assignments"

    assert chain.stored(list_moves) == before


def test_agreement_so_far_is_kept_once_for_the_same_ratings_which_are_read_once(chain, statements):
    chain.write(sampling={"n": 20}, **FILES).open()
    assert chain.stored(latest_results, "interim") == {}
    rate(chain, EVERYBODY[:5])

    statements.clear()
    for _ in range(2):
        chain.advance()
    assert sum("current_ratings.value" in statement for statement in statements) == 1

    interim = chain.stored(latest_results, "interim")
    assert list(interim) == ["layout", "meaning", "readability"]
    # Everybody said the same, so there is a share of equal ratings and no alpha.
    assert interim["meaning"]["estimates"]["exact_agreement"]["value"] == 1.0
    assert interim["meaning"]["estimates"]["krippendorff_alpha"]["reason"] == "no_variation"
    assert chain.stored(results_versions) == {1}


def results_versions(engine, evaluation):
    with reading(engine) as connection:
        kept = sa.select(results.c.version).where(
            results.c.evaluation == evaluation, results.c.kind == "interim"
        )
        return set(connection.execute(kept).scalars())


def test_files_complete_a_round_and_it_is_judged(chain):
    chain.write(sampling={"n": 20}, **FILES).open()

    done = rate(chain, EVERYBODY)
    end = chain.advance()

    assert (done.assignments, done.ratings, done.complete) == (40, 120, True)
    # Everybody said the same, so agreement cannot be told.
    assert end.message.startswith("inconclusive: ")


def test_the_same_file_is_imported_once(chain):
    chain.write(sampling={"n": 20}, **FILES).open()
    first = rate(chain, ("R01",))
    path = chain.path.with_name("ratings-R01-1.0.csv")
    with at_work() as work:
        case = work.case(chain.evaluation)
        again = import_ratings(
            *(work.store, case.row, path),
            scale=case.campaign.rubric.scale,
            now=work.now,
            sender=LEAD,
        )

    assert (first.again, again.again, again.ratings) == (False, True, 0)


def test_bad_rows_are_all_named_and_nothing_is_stored(chain):
    chain.write(sampling={"n": 20}, **FILES).open()
    one = chain.stored(list_assignments)[0]
    path = chain.path.with_name("bad.csv")
    path.write_text(
        "evaluation,item,rater,dimension,rating\n"
        f"{chain.evaluation},{one.item},{one.rater},meaning,9\n"
        f"{chain.evaluation},{one.item},{one.rater},layout,four\n"
        f"{chain.evaluation},nowhere,{one.rater},layout,4\n"
        f"{chain.evaluation},{one.item},R99,layout,4\n",
        "utf-8",
    )

    with at_work() as work, pytest.raises(InputError) as error:
        case = work.case(chain.evaluation)
        scale = case.campaign.rubric.scale
        import_ratings(work.store, case.row, path, scale=scale, now=work.now, sender=LEAD)

    for sentence in (
        "row 3: 'four' on 'layout' is no rating on the scale (likert 1 to 5)",
        "row 4: there is no item 'nowhere' in the open round",
        f"row 5: item {one.item!r} is not assigned to rater 'R99'",
        "9 on 'meaning' is outside the scale (likert 1 to 5)",
        "no rating on dimension 'readability'",
        "nothing was stored",
    ):
        assert sentence in str(error.value)
    assert all(a.state == "open" for a in chain.stored(list_assignments))


@pytest.mark.usefixtures("database")
def test_late_ratings_go_to_others_once_and_then_a_lead_decides(chain):
    chain.write(sampling={"n": 20}, **FILES).open()
    rate(chain, EVERYBODY[:5])
    late = [a for a in chain.stored(list_assignments) if a.state == "open"]
    assert {a.rater for a in late} == {"R06"}

    assert chain.at(28).advance().message == f"{40 - len(late)} of 40 assignments"
    taken = [a for a in chain.stored(list_assignments) if a.reason == "takes over"]
    assert {a.item for a in taken} == {a.item for a in late}
    assert "R06" not in {a.rater for a in taken}
    assert chain.stored(list_rounds)[-1].replanned

    held = chain.at(30, 23).advance()
    assert held.name == "WaitingForRatings"


def test_an_overdue_round_is_extended_then_completed(chain):
    chain.write(sampling={"n": 20}, **FILES).open()
    rate(chain, EVERYBODY[:2])
    chain.monkeypatch.setenv("OCRJURY_CLOCK", "2026-11-28T09:00:00+00:00")
    chain.advance()
    chain.monkeypatch.setenv("OCRJURY_CLOCK", "2026-12-20T09:00:00+00:00")
    held = chain.advance()
    assert held.message.startswith("overdue")

    waiting = chain.decide("extend", days=5)

    assert waiting.name == "WaitingForRatings"
    rate(chain, EVERYBODY)
    assert chain.advance().message.startswith("inconclusive")


def test_a_rating_after_the_deadline_still_counts(chain):
    chain.write(sampling={"n": 20}, **FILES).open()
    chain.monkeypatch.setenv("OCRJURY_CLOCK", "2026-11-28T09:00:00+00:00")
    chain.advance()
    chain.monkeypatch.setenv("OCRJURY_CLOCK", "2026-12-20T09:00:00+00:00")
    assert chain.advance().message.startswith("no_ratings")

    rate(chain, EVERYBODY)

    assert chain.advance().message.startswith("inconclusive")
    assert "34" in [move.row for move in chain.stored(list_moves)]


def test_a_dropped_raters_items_go_to_others(chain):
    chain.write(sampling={"n": 20}, **FILES).open()
    before = {p.rater: p.open for p in chain.stored(list_progress, 1)}

    chain.decide("drop", raters=("R02",))

    after = {p.rater: p.open for p in chain.stored(list_progress, 1)}
    assert after["R02"] == 0
    assert sum(after.values()) == sum(before.values())


def test_closing_judges_what_there_is(chain):
    chain.write(sampling={"n": 20}, **FILES).open()
    with pytest.raises(RefusedError, match="'close' needs a rating"):
        chain.decide("close")
    rate(chain, EVERYBODY[:3])

    assert chain.decide("close").message.startswith("inconclusive")


def test_an_abort_keeps_the_ratings(chain):
    chain.write(sampling={"n": 20}, **FILES).open()
    rate(chain, ("R01",))

    assert chain.decide("abort").name == "Aborted"

    assert chain.stored(list_rounds)[0].state == "dropped"
    assert sum(a.state == "done" for a in chain.stored(list_assignments)) > 0
