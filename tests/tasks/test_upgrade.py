"""The package is upgraded while an evaluation collects."""

import pytest

from ocrjury.store.backups.restoring import restore_backup
from ocrjury.store.backups.writing import write_backup
from ocrjury.store.database import reading, revision_of
from ocrjury.store.ratings import list_ratings
from ocrjury.store.rounds import list_assignments
from tests import next_release
from tests.conftest import NOW
from tests.store.backups.conftest import contents, quiet
from tests.tasks import former_store
from tests.tasks.conftest import documents, opinion

SECTIONS = {
    "sampling": {"n": 12, "floor": 0},
    "rounds": {"frontend": "file", "top_ups": 0},
    "adaptive": {"max_rounds": 0},
}


@pytest.fixture
def former(small, bare_url, monkeypatch, tmp_path, request):
    """An evaluation of the first release in which R01 and R02 have rated, on either database."""
    small.pool = documents(20)
    small.people = ["R01,rater", "R02,rater", "R03,rater"]
    small.write(**SECTIONS)
    if request.config.getoption("--regen-golden"):
        monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "made"))
        assert small.open().name == "WaitingForRatings"
        small.rate({"R01", "R02"}, say=lambda one, _: opinion(one))
        former_store.write(tmp_path / "made", tmp_path)
    home = tmp_path / "home"
    monkeypatch.setenv("OCRJURY_HOME", str(home))
    monkeypatch.setenv("OCRJURY_DATABASE_URL", bare_url)
    former_store.put(bare_url, home, tmp_path)
    next_release.become(monkeypatch, tmp_path / "next")
    small.evaluation = "small-p"
    return small


def test_what_was_collecting_goes_on_after_an_upgrade(former, bare_url, tmp_path):
    before = former.stored(list_ratings)
    left = [one for one in former.stored(list_assignments) if one.state == "open"]
    assert {one.rater for one in left} == {"R03"}
    assert len(before) + len(left) == len(former.stored(list_assignments))

    assert former.advance().name == "WaitingForRatings"
    assert former.stored(lambda engine, _: version_of(engine)) == next_release.REVISION
    former.rate(say=lambda one, _: opinion(one))
    assert former.advance().message.startswith("inconclusive: ")
    end = former.decide("proceed")

    assert end.name == "Closed", end.message
    assert former.rows()[:4] == ["1", "2", "4", "7"]
    after = former.stored(list_ratings)
    assert [one for one in after if one.rater != "R03"] == before
    assert len(after) == len(before) + len(left)
    reads_the_same_from_a_backup(former, bare_url, tmp_path)


def version_of(engine):
    with reading(engine) as connection:
        return revision_of(connection)


def reads_the_same_from_a_backup(small, url, tmp_path):
    """Check that whoever restores a backup into SQLite has the same report."""
    page, moves = small.report_page(), small.rows()
    folder, home = tmp_path / "backup", tmp_path / "restored"
    write_backup(folder, home=tmp_path / "home", database_url=url, now=NOW, tick=quiet)
    restored = f"sqlite:///{home}/ocrjury.db"
    restore_backup(folder, home=home, database_url=restored, tick=quiet)
    small.monkeypatch.setenv("OCRJURY_HOME", str(home))
    small.monkeypatch.delenv("OCRJURY_DATABASE_URL")

    assert (small.report_page(), small.rows()) == (page, moves)
    assert contents(restored) == contents(url)
