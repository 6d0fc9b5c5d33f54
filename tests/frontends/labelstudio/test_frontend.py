import json

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ocrjury.campaign.config import read_campaign
from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.frontends.ingest import receive
from ocrjury.frontends.labelstudio import LabelStudioFrontend, open_frontend
from ocrjury.frontends.labelstudio.projects import ensure_tasks
from ocrjury.frontends.labelstudio.server import Server
from ocrjury.store.database import reading, writing
from ocrjury.store.quarantine import list_refused
from ocrjury.store.ratings import list_ratings
from ocrjury.store.remarks import read_comment
from ocrjury.store.rounds import list_assignments, withdraw
from ocrjury.store.schema.material import documents
from ocrjury.store.shown_images import ChangedImages, changed_images
from tests.frontends.labelstudio.stand_in import FIRST, LEAD, SECOND, TOKEN, Handler, result
from tests.frontends.labelstudio.worked_round import NAME, NOW, QUEUES
from tests.store_calls import list_rule_flags

GOOD = {"rating_meaning": "4", "rating_layout": "3"}


def collect(frontend, round_):
    return receive(round_, frontend.poll(round_), now=NOW)


def texts(label_studio, rater):
    return [label_studio.tasks[one]["data"]["hypothesis"] for one in label_studio.tasks_of(rater)]


def ratings(store):
    return {
        (rating.item, rating.rater, rating.repeat, rating.dimension): rating.value
        for rating in list_ratings(store.engine, NAME)
    }


class TestPublish:
    def test_every_rater_gets_a_project_with_the_items_in_the_stored_order(
        self, frontend, round_, label_studio
    ):
        published = frontend.publish(round_)

        assert sum(project.open_tasks for project in published) == 8
        assert [one["title"] for one in label_studio.projects.values()] == [
            "claims-2026w47 r1 R01",
            "claims-2026w47 r1 R02",
        ]
        first, second = texts(label_studio, "R01"), texts(label_studio, "R02")
        assert first[:3] == ["(empty)", "output 1", "output 9"]
        assert first[4] == "(empty)"
        assert second[1:] == ["output 4", "output 1"]
        assert all(
            (one["sampling"], one["maximum_annotations"], one["show_skip_button"])
            == ("Sequential sampling", 1, False)
            for one in label_studio.projects.values()
        )

    def test_nothing_that_would_bias_a_rater_leaves_the_store(self, frontend, round_, label_studio):
        frontend.publish(round_)

        sent = json.dumps([label_studio.projects, label_studio.tasks])
        for secret in (
            "tesseract",
            "0.4321",
            "0.8765",
            "stratum",
            "doc-",
            "gold",
            "page-1",
            "p1.png",
        ):
            assert secret not in sent
        assert {tuple(task["data"]) for task in label_studio.tasks.values()} == {
            ("key", "about", "reference", "hypothesis", "image")
        }

    def test_a_reference_that_raters_do_not_see_is_not_sent(
        self, campaign_path, server, round_, label_studio
    ):
        campaign = read_campaign(campaign_path)
        page = campaign.rounds.page.model_copy(update={"reference": "hidden"})
        rounds = campaign.rounds.model_copy(update={"page": page})
        frontend = LabelStudioFrontend(campaign.model_copy(update={"rounds": rounds}), server)

        frontend.publish(round_)

        assert all("reference" not in task["data"] for task in label_studio.tasks.values())
        sent = [project["label_config"] for project in label_studio.projects.values()]
        assert all("$reference" not in config for config in sent)

    def test_a_task_says_what_is_rated_and_the_rules_for_its_kind(
        self, frontend, round_, label_studio
    ):
        frontend.publish(round_)

        about = [label_studio.tasks[one]["data"]["about"] for one in label_studio.tasks_of("R02")]
        assert about == [
            "form · 텍스트",
            "form · 텍스트",
            "form · Total $sum · 금액\n금액: 4점 이하",
        ]

    def test_a_second_time_and_gold_look_like_everything_else(self, frontend, round_, label_studio):
        frontend.publish(round_)

        first, _, gold, _, again = (
            label_studio.tasks[one]["data"] for one in label_studio.tasks_of("R01")
        )
        assert first["key"] != again["key"]
        assert {**first, "key": ""} == {**again, "key": ""}
        assert all(len(one["key"]) == 32 for one in (first, gold, again))

    def test_an_image_that_changed_since_the_draw_is_kept(self, frontend, round_, store):
        with writing(store.engine) as connection:
            drawn = sa.update(documents).where(documents.c.doc_id == "doc-1")
            connection.execute(drawn.values(image_sha256="0" * 64))

        frontend.publish(round_)

        assert changed_images(store.engine, NAME) == ChangedImages(other=("doc-1",))

    def test_again_changes_nothing(self, frontend, round_, label_studio):
        frontend.publish(round_)
        before = json.dumps([label_studio.projects, label_studio.tasks])
        asked = len(label_studio.requests)

        frontend.publish(round_)

        assert json.dumps([label_studio.projects, label_studio.tasks]) == before
        assert {verb for verb, _ in label_studio.requests[asked:]} == {"GET"}

    def test_assignments_made_since_are_added_and_withdrawn_ones_removed(
        self, frontend, round_, label_studio, store
    ):
        frontend.publish(round_)
        kept = label_studio.tasks_of("R02")[0]
        label_studio.annotate(kept, SECOND, GOOD)
        with writing(store.engine) as connection:
            withdraw(connection, NAME, ["R02"])

        [first, second] = [frontend.publish_project(round_, one) for one in frontend.plan(round_)]

        assert (first.removed_tasks, second.removed_tasks, second.open_tasks) == (0, 2, 0)
        assert label_studio.tasks_of("R02") == [kept]

    def test_raters_whom_label_studio_does_not_know_are_named(self, frontend, round_, label_studio):
        del label_studio.users[SECOND]

        with pytest.raises(InputError, match=r"no user .* of R02\. Invite them"):
            frontend.publish(round_)
        assert label_studio.projects == {}

    def test_raters_without_an_address_are_named(self, frontend, round_, store):
        with writing(store.engine) as connection:
            connection.execute(sa.text("update raters set email = '' where rater = 'R01'"))

        with pytest.raises(InputError, match="R01 without an email address"):
            frontend.publish(round_)

    def test_whoever_has_nothing_left_to_rate_need_not_be_known(
        self, frontend, round_, label_studio, store
    ):
        del label_studio.users[SECOND]
        with writing(store.engine) as connection:
            withdraw(connection, NAME, ["R02"])

        assert sum(project.open_tasks for project in frontend.publish(round_)) == 5

    def test_it_is_refused_where_nobody_allowed_that_raters_see_each_other(self, frontend, round_):
        section = frontend.campaign.rounds.labelstudio.model_copy(update={"allow_degraded": False})
        rounds = frontend.campaign.rounds.model_copy(update={"labelstudio": section})
        campaign = frontend.campaign.model_copy(update={"rounds": rounds})

        with pytest.raises(InputError, match="lacks blind"):
            LabelStudioFrontend(campaign, frontend.server).publish(round_)

    def test_it_names_what_it_lacks_where_that_is_allowed(self, frontend):
        assert frontend.lacking() == ("blind", "diff", "server_validation", "timing")


class TestKilledWhilePublishing:
    def test_whatever_the_moment_the_next_attempt_completes_it(
        self, frontend, round_, label_studio, monkeypatch
    ):
        frontend.publish(round_)
        whole = (len(label_studio.projects), len(label_studio.tasks))
        changes = len(label_studio.sent("POST"))
        assert (whole, changes) == ((2, 8), 4)

        for moment in range(1, changes + 1):
            for done in (True, False):
                label_studio.projects.clear()
                label_studio.tasks.clear()
                die_at(monkeypatch, moment, done=done)
                with pytest.raises(KeyboardInterrupt):
                    frontend.publish(round_)
                monkeypatch.undo()

                frontend.publish(round_)

                assert (len(label_studio.projects), len(label_studio.tasks)) == whole
                assert texts(label_studio, "R02")[1:] == ["output 4", "output 1"]

    @pytest.mark.parametrize("answer", range(1, 17))
    def test_an_answer_that_is_lost_doubles_nothing(self, frontend, round_, label_studio, answer):
        label_studio.lost = {answer}

        frontend.publish(round_)

        assert (len(label_studio.projects), len(label_studio.tasks)) == (2, 8)

    def test_a_busy_server_is_asked_again(self, frontend, round_, label_studio):
        label_studio.busy = [(429, [("Retry-After", "0")]), (503, []), (500, []), (502, [])]

        frontend.publish(round_)

        assert len(label_studio.tasks) == 8

    def test_a_server_that_keeps_nothing_is_given_up(self, frontend, round_, monkeypatch):
        monkeypatch.setattr(Handler, "_import", lambda *_: (201, {"task_count": 0}))

        with pytest.raises(MissingDependencyError, match="does not keep what it is sent"):
            frontend.publish(round_)

    def test_what_stands_twice_is_cleared_up_unless_it_was_rated(
        self, frontend, round_, label_studio
    ):
        frontend.publish(round_)
        [one, two, three] = label_studio.tasks_of("R02")
        for double in (one, two):
            number = next(label_studio.numbers)
            label_studio.tasks[number] = {
                **label_studio.tasks[double],
                "id": number,
                "annotations": [],
            }
        rated = max(label_studio.tasks)
        label_studio.annotate(rated, SECOND, GOOD)

        frontend.publish(round_)

        assert label_studio.tasks_of("R02") == [one, three, rated]

    def test_of_two_projects_for_one_rater_the_older_is_used_and_both_are_read(
        self, frontend, round_, label_studio, store
    ):
        frontend.publish(round_)
        first = min(label_studio.projects)
        double = next(label_studio.numbers)
        label_studio.projects[double] = {**label_studio.projects[first], "id": double}
        task = next(label_studio.numbers)
        data = label_studio.tasks[label_studio.tasks_of("R02")[0]]["data"]
        [wanted, _] = frontend.plan(round_)
        label_studio.tasks[task] = {
            "id": task,
            "project": double,
            "data": {**data, "key": wanted.asked[1].key},
            "annotations": [],
        }
        label_studio.annotate(task, FIRST, GOOD)

        frontend.publish(round_)

        assert len(collect(frontend, round_).accepted) == 1
        assert len(label_studio.projects) == 3

    def test_where_another_process_was_quicker_ours_goes_away(
        self, frontend, round_, label_studio, monkeypatch
    ):
        real = Handler._make_project

        def make_twice(self, body):
            real(self, body)
            return real(self, body)

        monkeypatch.setattr(Handler, "_make_project", make_twice)

        frontend.publish(round_)

        assert len(label_studio.projects) == 2
        assert len(label_studio.sent("DELETE")) == 2
        assert len(label_studio.tasks) == 8


def test_many_tasks_go_in_batches_in_their_order(server, label_studio):
    keys = [f"{number:03}" for number in range(120)]
    large = "x" * 1_500_000

    def data(wanted):
        for key in wanted:
            yield {"key": key, "hypothesis": large if key < "004" else "small"}

    assert ensure_tasks(server, 1, keys, data=data) == 120

    assert [task["data"]["key"] for task in label_studio.tasks.values()] == keys
    assert len(label_studio.sent("POST")) == 4


def die_at(monkeypatch, moment, *, done):
    """Let the process die at a POST, before the server has done it or after."""
    real, count = Server.request, iter(range(1, 1000))

    def request(self, method, path, **rest):
        dies = method == "POST" and next(count) == moment
        if dies and not done:
            raise KeyboardInterrupt
        answer = real(self, method, path, **rest)
        if dies:
            raise KeyboardInterrupt
        return answer

    monkeypatch.setattr(Server, "request", request)


class TestPoll:
    def test_ratings_of_both_raters_come_in(self, frontend, round_, label_studio, store):
        frontend.publish(round_)
        label_studio.annotate(label_studio.tasks_of("R01")[1], FIRST, GOOD)
        label_studio.annotate(
            label_studio.tasks_of("R02")[2], SECOND, {**GOOD, "rating_layout": "5"}
        )

        found = collect(frontend, round_)

        assert (len(found.accepted), found.known, found.refused, found.complete) == (
            2,
            0,
            (),
            False,
        )
        assert ratings(store) == {
            ("doc-1", "R01", 0, "meaning"): 4,
            ("doc-1", "R01", 0, "layout"): 3,
            ("doc-1", "R02", 0, "meaning"): 4,
            ("doc-1", "R02", 0, "layout"): 5,
        }
        assert {rating.source for rating in list_ratings(store.engine, NAME)} == {"labelstudio"}

    def test_twice_adds_nothing(self, frontend, round_, label_studio, store):
        frontend.publish(round_)
        label_studio.annotate(label_studio.tasks_of("R01")[0], FIRST, GOOD)
        label_studio.annotate(label_studio.tasks_of("R01")[1], SECOND, GOOD)
        collect(frontend, round_)
        before = (ratings(store), list_refused(store.engine, NAME))

        again = collect(frontend, round_)

        assert (len(again.accepted), again.known, len(again.refused)) == (0, 1, 1)
        assert (ratings(store), list_refused(store.engine, NAME)) == before

    def test_the_first_and_the_second_time_are_told_apart(
        self, frontend, round_, label_studio, store
    ):
        frontend.publish(round_)
        first, *_, again = label_studio.tasks_of("R01")
        label_studio.annotate(first, FIRST, GOOD)
        label_studio.annotate(again, FIRST, {**GOOD, "rating_meaning": "5"})

        collect(frontend, round_)

        found = ratings(store)
        assert found["doc-3", "R01", 0, "meaning"] == 4
        assert found["doc-3", "R01", 1, "meaning"] == 5

    def test_a_changed_annotation_is_a_revision_also_when_it_is_changed_back(
        self, frontend, round_, label_studio, store
    ):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        annotation = label_studio.annotate(task, FIRST, GOOD)
        seen = []
        for said in (GOOD, {**GOOD, "rating_meaning": "2"}, GOOD):
            label_studio.change(annotation, FIRST, said)
            assert len(collect(frontend, round_).accepted) == 1
            seen.append(ratings(store)["doc-1", "R01", 0, "meaning"])

        assert seen == [4, 2, 4]

    def test_of_several_annotations_the_newest_counts_and_the_others_are_logged(
        self, frontend, round_, label_studio, store, caplog
    ):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        newer = label_studio.annotate(task, FIRST, GOOD)
        older = label_studio.annotate(task, FIRST, {**GOOD, "rating_meaning": "1"})
        label_studio.change(newer, FIRST, GOOD)

        with caplog.at_level("INFO", "ocrjury"):
            found = collect(frontend, round_)

        assert len(found.accepted) == 1
        assert ratings(store)["doc-1", "R01", 0, "meaning"] == 4
        assert f"annotation {older['id']} is older than {newer['id']}" in caplog.text

    def test_the_last_rating_completes_the_round(self, frontend, round_, label_studio, store):
        frontend.publish(round_)
        for rater, user in (("R01", FIRST), ("R02", SECOND)):
            for task in label_studio.tasks_of(rater):
                label_studio.annotate(task, user, GOOD)

        found = collect(frontend, round_)

        assert (len(found.accepted), found.complete) == (sum(map(len, QUEUES.values())), True)
        assert {assignment.state for assignment in list_assignments(store.engine, NAME)} == {"done"}

    def test_times_that_are_none_are_the_servers_fault(self, frontend, round_, label_studio):
        frontend.publish(round_)
        label_studio.annotate(label_studio.tasks_of("R01")[0], FIRST, GOOD, updated_at="yesterday")

        with pytest.raises(InputError, match="'yesterday' for a time"):
            collect(frontend, round_)

    def test_a_reason_beside_complete_ratings_goes_with_the_comment(
        self, frontend, round_, label_studio
    ):
        frontend.publish(round_)
        said = {**GOOD, "flag": "It shows what nobody should see", "comment": "a name"}
        label_studio.annotate(label_studio.tasks_of("R01")[0], FIRST, said)

        [sent] = frontend.poll(round_)

        assert (sent.flags, sent.comment) == ({}, "[privacy] a name")

    def test_comment_confidence_and_reason_are_kept(self, frontend, round_, label_studio, store):
        frontend.publish(round_)
        task = label_studio.tasks_of("R02")[0]
        said = {"flag": "페이지를 읽을 수 없음", "comment": " <b>흐림</b> ", "confidence": "2"}
        label_studio.annotate(task, SECOND, {"rating_meaning": "1", **said})

        [sent] = frontend.poll(round_)
        found = collect(frontend, round_)

        assert (sent.values, sent.flags) == ({"meaning": 1.0}, {"layout": "unreadable"})
        assert sent.confidence == 0.5
        assert len(found.accepted) == 1
        with reading(store.engine) as connection:
            assert read_comment(connection, sent.assignment) == "<b>흐림</b>"

    def test_half_a_character_is_refused_and_stops_nobody_else(
        self, frontend, round_, label_studio
    ):
        frontend.publish(round_)
        for task, comment in zip(label_studio.tasks_of("R01"), ("a\ud800", "b"), strict=False):
            label_studio.annotate(task, FIRST, {**GOOD, "comment": comment})

        found = collect(frontend, round_)

        assert [each.comment for each in found.accepted] == ["b"]
        assert [each.what for each in found.refused] == [
            "there is a lone surrogate (half a character) in it"
        ]

    def test_a_rating_above_a_field_rule_is_stored_and_noted(
        self, frontend, round_, label_studio, store
    ):
        with writing(store.engine) as connection:
            connection.execute(sa.text("update documents set kind = 'amount', reference = '500'"))
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        annotation = label_studio.annotate(task, FIRST, {**GOOD, "rating_meaning": "5"})
        collect(frontend, round_)
        label_studio.change(annotation, FIRST, GOOD)

        assert len(collect(frontend, round_).accepted) == 1

        name = f"{NAME}/1/R01/0/doc-1"
        assert list_rule_flags(store.engine, name) == [
            ("meaning", "amount-differs", 5.0, 4.0, False)
        ]


class TestRefused:
    @pytest.mark.parametrize(
        ("said", "reason"),
        [
            ({**GOOD, "rating_meaning": "9"}, "9 on 'meaning' is outside the scale"),
            ({**GOOD, "rating_meaning": "four"}, "a rating is no number"),
            ({**GOOD, "rating_meaning": "3.5"}, "3.5 on 'meaning' is outside"),
            ({"rating_meaning": "4"}, "no rating on dimension 'layout'"),
            ({**GOOD, "rating_mood": "4"}, "there is no dimension 'mood'"),
            ({**GOOD, "surprise": "4"}, "there is no dimension 'surprise'"),
            ({"flag": "bored"}, "there is no reason 'bored'"),
            ({**GOOD, "confidence": "7"}, "the confidence is outside 0 to 1"),
            ({}, "no rating on dimension 'meaning'"),
        ],
    )
    def test_what_the_page_would_not_have_let_through(
        self, frontend, round_, label_studio, store, said, reason
    ):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        label_studio.annotate(task, FIRST, said)

        found = collect(frontend, round_)

        assert len(found.accepted) == 0
        [problem] = found.refused
        assert reason in problem.what
        [kept] = list_refused(store.engine, NAME)
        assert reason in kept.reason
        assert kept.row == problem.where
        assert f"task {task}, annotation" in kept.row

    def test_what_another_user_rated(self, frontend, round_, label_studio, store):
        frontend.publish(round_)
        label_studio.annotate(label_studio.tasks_of("R01")[1], SECOND, GOOD)

        found = collect(frontend, round_)

        assert (len(found.accepted), len(found.refused)) == (0, 1)
        assert found.refused[0].what == "the assignment is another rater's"

    def test_what_another_user_changed(self, frontend, round_, label_studio, store):
        frontend.publish(round_)
        annotation = label_studio.annotate(label_studio.tasks_of("R01")[1], FIRST, GOOD)
        collect(frontend, round_)
        label_studio.change(annotation, LEAD, {**GOOD, "rating_meaning": "1"})

        found = collect(frontend, round_)

        assert (len(found.accepted), len(found.refused)) == (0, 1)
        assert ratings(store)["doc-1", "R01", 0, "meaning"] == 4

    def test_what_was_rated_by_a_user_who_is_gone(self, frontend, round_, label_studio):
        frontend.publish(round_)
        label_studio.annotate(label_studio.tasks_of("R01")[1], FIRST, GOOD, completed_by=None)
        label_studio.annotate(label_studio.tasks_of("R02")[1], SECOND, GOOD)
        del label_studio.users[SECOND]

        found = collect(frontend, round_)

        assert (len(found.accepted), len(found.refused)) == (0, 2)

    def test_a_strangers_rating_does_not_hide_the_raters_own(self, frontend, round_, label_studio):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        label_studio.annotate(task, FIRST, GOOD)
        label_studio.annotate(task, SECOND, GOOD)

        found = collect(frontend, round_)

        assert (len(found.accepted), len(found.refused)) == (1, 1)

    def test_an_older_rating_does_not_stand_in_for_one_that_somebody_changed(
        self, frontend, round_, label_studio
    ):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        label_studio.annotate(task, FIRST, GOOD)
        label_studio.annotate(task, FIRST, GOOD, updated_by=LEAD)

        found = collect(frontend, round_)

        assert (len(found.accepted), len(found.refused)) == (0, 1)

    def test_a_task_that_nobody_asked_for(self, frontend, round_, label_studio):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        label_studio.tasks[task]["data"] = {"key": "0" * 32}
        label_studio.annotate(task, FIRST, GOOD)

        found = collect(frontend, round_)

        assert found.refused[0].what == "there is no such assignment"

    def test_a_task_that_was_moved_into_another_raters_project(
        self, frontend, round_, label_studio
    ):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        there = label_studio.tasks[label_studio.tasks_of("R02")[0]]["project"]
        label_studio.tasks[task]["project"] = there
        label_studio.annotate(task, SECOND, GOOD)

        found = collect(frontend, round_)

        assert (len(found.accepted), len(found.refused)) == (0, 1)

    def test_ratings_by_another_rubric(self, frontend, round_, label_studio):
        frontend.publish(round_)
        for project in label_studio.projects.values():
            project["description"] = project["description"].replace(
                round_.rubric.rubric_hash, "0" * 64
            )
        label_studio.annotate(label_studio.tasks_of("R01")[1], FIRST, GOOD)

        found = collect(frontend, round_)

        assert found.refused[0].what == "it was rated by another version of the rubric"

    def test_skipped_tasks_and_tasks_of_others_are_passed_over(
        self, frontend, round_, label_studio
    ):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        label_studio.annotate(task, FIRST, GOOD, was_cancelled=True)
        other = label_studio.tasks_of("R01")[2]
        label_studio.tasks[other]["data"] = {"text": "put there by hand"}
        label_studio.annotate(other, FIRST, GOOD)

        assert collect(frontend, round_) == ((), (), False, 0, 0)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
    @example(said=result(GOOD))
    @example(said=result(GOOD | {"rating_layout": "9"}))
    @given(
        said=st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "from_name": st.sampled_from(["rating_meaning", "rating_layout", "flag", "x"]),
                    "value": st.none()
                    | st.dictionaries(
                        st.sampled_from(["choices", "number", "text"]),
                        st.none() | st.text(max_size=3) | st.lists(st.integers(), max_size=2),
                    ),
                },
            ),
            max_size=3,
        )
    )
    def test_nothing_that_a_client_can_send_breaks_the_poll(
        self, frontend, round_, label_studio, store, said
    ):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        label_studio.tasks[task]["annotations"].clear()
        label_studio.annotate(task, FIRST, result=said)

        found = collect(frontend, round_)

        assert len(found.accepted) + len(found.refused) + found.known == 1
        assert set(ratings(store).values()) <= {1, 2, 3, 4, 5}
        if said == result(GOOD):
            assert found.accepted


class TestClose:
    def test_what_nobody_rated_disappears_and_the_rest_stays(self, frontend, round_, label_studio):
        frontend.publish(round_)
        task = label_studio.tasks_of("R01")[1]
        label_studio.annotate(task, FIRST, GOOD)

        frontend.close(round_)

        assert list(label_studio.tasks) == [task]
        assert [project["title"] for project in label_studio.projects.values()] == [
            "[closed] claims-2026w47 r1 R01",
            "[closed] claims-2026w47 r1 R02",
        ]
        assert all(project["is_published"] is False for project in label_studio.projects.values())

    def test_again_changes_nothing(self, frontend, round_, label_studio):
        frontend.publish(round_)
        frontend.close(round_)
        before = json.dumps([label_studio.projects, label_studio.tasks])

        frontend.close(round_)

        assert json.dumps([label_studio.projects, label_studio.tasks]) == before


class TestOpen:
    def test_the_token_comes_from_the_variable_that_the_campaign_names(self, campaign_path):
        campaign = read_campaign(campaign_path)

        with open_frontend(campaign, {"OCRJURY_LABEL_STUDIO_TOKEN": TOKEN}) as frontend:
            assert frontend.plan

        with pytest.raises(MissingDependencyError, match="OCRJURY_LABEL_STUDIO_TOKEN is not set"):
            with open_frontend(campaign, {}):
                pass

    @pytest.mark.parametrize("token", ["two words", "line\nbreak", "토큰"])
    def test_what_cannot_be_a_token_is_refused_and_not_shown(self, campaign_path, token):
        with pytest.raises(MissingDependencyError, match="is no token") as trouble:
            with open_frontend(read_campaign(campaign_path), {"OCRJURY_LABEL_STUDIO_TOKEN": token}):
                pass

        assert token not in str(trouble.value)

    def test_a_campaign_without_a_server_is_told_what_is_missing(self, campaign_path):
        campaign = read_campaign(campaign_path)
        rounds = campaign.rounds.model_copy(update={"labelstudio": None})

        with pytest.raises(InputError, match="names no Label Studio server"):
            with open_frontend(campaign.model_copy(update={"rounds": rounds}), {}):
                pass
