import threading

import pytest

from ocrjury.campaign.registry import RaterEntry
from ocrjury.errors import InputError
from ocrjury.store.database import open_database, writing
from ocrjury.store.raters import keep_raters, keep_registry, list_raters
from tests.locks import wait_for_waiting


@pytest.fixture
def keep(engine):
    def keep(**columns):
        with writing(engine) as connection:
            keep_raters(connection, [RaterEntry("R01", **columns)])
        (entry,) = list_raters(engine, ["R01"])
        return entry.name, entry.email

    return keep


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ({"email": "kim@example.org"}, {"email": "lee@example.org"}, "email addresses"),
        ({"name": "Kim"}, {"name": "Lee"}, "names"),
        ({"name": "Kim", "email": "kim@example.org"}, {"name": "Lee"}, "names"),
    ],
)
def test_a_pseudonym_belongs_to_one_person(keep, one, other, what):
    keep(**one)

    with pytest.raises(InputError, match=rf"belongs to another person .*\(the {what} differ\)"):
        keep(**other)


def test_an_address_decides_whatever_the_name_and_the_capitals(keep):
    keep(name="Kim", email="kim@example.org")

    assert keep(name="Kim-Lee", email="Kim@Example.org") == ("Kim-Lee", "Kim@Example.org")


def test_a_registry_that_leaves_names_out_does_not_forget_them(keep):
    keep(name="Kim", email="kim@example.org")

    assert keep() == ("Kim", "kim@example.org")


def test_each_evaluation_knows_raters_as_they_were_then(engine):
    with writing(engine) as connection:
        for evaluation, role in (("first", "rater"), ("second", "adjudicator")):
            entry = RaterEntry("R01", email="one@example.org", role=role, languages=("ko",))
            keep_raters(connection, [entry])
            keep_registry(connection, evaluation, [entry])
        keep_raters(connection, [RaterEntry("R01", email="ONE@example.org", capacity=3)])

    def known(evaluation=None):
        [entry] = list_raters(engine, ["R01"], evaluation=evaluation)
        return entry.role, entry.languages, entry.capacity, entry.email

    assert known("first") == ("rater", ("ko",), None, "ONE@example.org")
    assert known("second") == ("adjudicator", ("ko",), None, "ONE@example.org")
    # What was opened before registries were kept, and what no evaluation knows.
    assert known("earlier") == known() == ("rater", (), 3, "ONE@example.org")


def test_what_else_changed_is_taken_over(engine):
    for capacity in (10, None):
        with writing(engine) as connection:
            keep_raters(connection, [RaterEntry("R01", capacity=capacity)])

    assert list_raters(engine, ["R01"])[0].capacity is None


def test_two_registries_with_the_same_newcomer_wait_for_one_another(postgres_url):
    """SQLite has one writer at a time anyway."""
    engine, failures = open_database(postgres_url), []

    def keep(place):
        try:
            with writing(engine) as connection:
                keep_raters(connection, [RaterEntry("R01", name="Kim", languages=(place,))])
        except Exception as error:  # noqa: BLE001  # whatever a thread dies of
            failures.append(error)

    second = threading.Thread(target=keep, args=("ko",))
    with writing(engine) as connection:
        keep_raters(connection, [RaterEntry("R01", name="Kim", languages=("zh",))])
        second.start()
        wait_for_waiting(engine)
    second.join(60)

    assert failures == []
    assert [entry.languages for entry in list_raters(engine, ["R01"])] == [("ko",)]
    engine.dispose()
