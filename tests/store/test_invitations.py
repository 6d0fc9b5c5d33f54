from datetime import timedelta

from ocrjury.store.audit import list_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.invitations import list_uninvited, make_link, take_link_back
from ocrjury.store.links import find_link, list_links, secret_hash


def made(engine, evaluation, now, **options):
    with writing(engine) as connection:
        return make_link(
            connection,
            evaluation,
            "R01",
            **{"number": 1, "created_by": "lead", "now": now, **options},
        )


def works(engine, secret, now):
    with reading(engine) as connection:
        return find_link(connection, secret_hash(secret), now=now) is not None


def test_a_new_link_takes_the_place_of_the_earlier_one(engine, evaluation, now):
    first, second = (made(engine, evaluation, now) for _ in range(2))

    assert (works(engine, first, now), works(engine, second, now)) == (False, True)
    log = [one for one in list_audit(engine) if one.action == "make link"]
    assert [(one.actor, one.object) for one in log] == [("lead", f"{evaluation} R01")] * 2


def test_a_link_that_nobody_got_is_taken_back_alone(engine, evaluation, now):
    secret = made(engine, evaluation, now)
    with writing(engine) as connection:
        take_link_back(connection, secret_hash(secret), now=now)

    assert not works(engine, secret, now)
    assert [link.revoked_at for link in list_links(engine, evaluation)] == [now]


def test_whoever_has_something_open_and_no_link_that_works_is_uninvited(engine, evaluation, now):
    everybody = list_uninvited(engine, evaluation, 1, now=now)
    made(engine, evaluation, now, expires_at=now + timedelta(days=1))
    rest = list_uninvited(engine, evaluation, 1, now=now)

    assert "R01" in everybody
    assert rest == [one for one in everybody if one != "R01"]
    assert list_uninvited(engine, evaluation, 1, now=now + timedelta(days=2)) == everybody
    assert list_uninvited(engine, evaluation, 2, now=now) == []


def test_a_link_for_every_round_invites_to_this_one(engine, evaluation, now):
    made(engine, evaluation, now, number=None)

    assert "R01" not in list_uninvited(engine, evaluation, 1, now=now)
