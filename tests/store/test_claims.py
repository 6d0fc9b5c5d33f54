from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

from ocrjury.store.database import reading, writing
from ocrjury.store.links import add_link, claim_link, find_link, secret_hash

AT_ONCE = 8


def test_of_many_who_use_a_link_at_once_one_is_the_first(engine, evaluation, now):
    with writing(engine) as connection:
        secret = add_link(connection, evaluation, "R01", number=1, created_by="lead", now=now)
    gate = Barrier(AT_ONCE)

    def claim(number):
        with reading(engine) as connection:
            link = find_link(connection, secret_hash(secret), now=now)
        gate.wait(60)
        with writing(engine) as connection:
            return claim_link(connection, link, now=now + timedelta(seconds=number))

    with ThreadPoolExecutor(AT_ONCE) as people:
        claimed = list(people.map(claim, range(AT_ONCE), timeout=60))

    assert sorted(claimed) == [False] * (AT_ONCE - 1) + [True]
