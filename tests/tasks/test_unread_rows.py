from tests.tasks.conftest import QUIET


def test_a_report_tells_how_much_of_the_pool_could_not_be_read(small):
    for row in small.pool[::2]:
        del row["hypothesis"]

    small.rated_by_people("p", sampling={"n": 20}, **QUIET)

    data, text = small.report()
    assert data.sections["counted"].documents == data.sections["counted"].unread == 30
    assert "30 files or rows of the pool could not be read or have no pair" in text
    assert "50.0% of the pool could not be used." in text
