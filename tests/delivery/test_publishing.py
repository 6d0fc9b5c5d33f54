"""Reports in a folder: whole or not there, however often and wherever a process is killed."""

import hashlib
import itertools
import json
import os
import sys
import uuid
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import fsspec
import pytest

from ocrjury.delivery import places
from ocrjury.delivery.manifests import Manifest, PublishedFile
from ocrjury.delivery.places import Place
from ocrjury.delivery.publishing import Publication, list_publications, publish
from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.store.privacy import writing_privately
from tests.covers import cover, withheld

START = datetime(2026, 11, 20, 9, tzinfo=UTC)
CHANGES = ("pipe_file", "mv", "rm_file", "rmdir", "makedirs")


@pytest.fixture(params=["memory", "file", "folder"])
def address(request, tmp_path):
    """A place to publish to, which nobody used before."""
    if request.param == "memory":
        return f"memory://{uuid.uuid4()}/reports"
    return f"file://{tmp_path}/reports" if request.param == "file" else str(tmp_path / "reports")


def publication(week=47, *, version=1, keep=None, said=None, **files):
    bodies = {"report.html": f"<p>{week}.{version}".encode(), "report.pdf": b"%PDF" + b"x" * week}
    bodies |= {name.replace("_", "."): body for name, body in files.items()}
    manifest = Manifest(
        campaign="claims",
        evaluation=f"claims-2026w{week}",
        period=f"2026w{week}",
        version=version,
        language="en",
        at=START + timedelta(weeks=week, hours=version),
        cover=said or cover(),
        files=tuple(PublishedFile.of(name, body) for name, body in bodies.items()),
    )
    return Publication(manifest=manifest, bodies=bodies, keep=keep)


def files_at(address):
    """Every file at a place by its name, below that of the campaign."""
    system, root = fsspec.core.url_to_fs(address)
    found = system.find(f"{root}/claims")
    return {path.partition("/reports/claims/")[2]: system.cat_file(path) for path in found}


def whole_reports(address):
    """Folders of reports that a reader finds; each has all of its files, as its manifest says."""
    found = files_at(address)
    reports = []
    for name, body in found.items():
        folder, _, last = name.rpartition("/")
        if last == "manifest.json":
            reports.append(folder)
            for file in json.loads(body)["files"]:
                there = found[f"{folder}/{file['name']}"]
                assert hashlib.sha256(there).hexdigest() == file["sha256"]
                assert len(there) == file["size"]
    if "latest.json" in found:
        latest = json.loads(found["latest.json"])
        assert hashlib.sha256(found[latest["manifest"]]).hexdigest() == latest["sha256"]
    return sorted(reports)


def test_a_report_lies_there_with_a_manifest_and_is_the_latest(address):
    said = withheld()

    assert publish(Place.at(address), publication(said=said)) == "published"

    found = files_at(address)
    assert sorted(found) == [
        "claims-2026w47/v1/manifest.json",
        "claims-2026w47/v1/report.html",
        "claims-2026w47/v1/report.pdf",
        "latest.json",
    ]
    manifest = json.loads(found["claims-2026w47/v1/manifest.json"])
    assert manifest["cover"]["verdict"] == "FAIL"
    assert manifest["cover"]["headline"] is None
    assert manifest["cover"]["withheld"] == said.withheld
    assert [file["name"] for file in manifest["files"]] == ["report.html", "report.pdf"]
    assert whole_reports(address) == ["claims-2026w47/v1"]
    assert json.loads(found["latest.json"])["manifest"] == "claims-2026w47/v1/manifest.json"


def test_publishing_again_changes_nothing(address):
    publish(Place.at(address), publication())
    before = files_at(address)

    assert publish(Place.at(address), publication()) == "unchanged"
    assert files_at(address) == before


def test_more_files_of_a_report_come_to_those_that_are_there(address):
    publish(Place.at(address), publication())

    assert publish(Place.at(address), publication(ratings_csv=b"item,rater\n")) == "published"

    assert files_at(address)["claims-2026w47/v1/ratings.csv"] == b"item,rater\n"
    assert whole_reports(address) == ["claims-2026w47/v1"]


def test_a_damaged_file_is_brought_again(address):
    publish(Place.at(address), publication())
    system, root = fsspec.core.url_to_fs(address)
    system.pipe_file(f"{root}/claims/claims-2026w47/v1/report.pdf", b"%PD")

    assert publish(Place.at(address), publication()) == "published"
    assert whole_reports(address) == ["claims-2026w47/v1"]


def test_a_file_of_somebody_else_is_not_overwritten(address):
    system, root = fsspec.core.url_to_fs(address)
    system.makedirs(f"{root}/claims/claims-2026w47/v1", exist_ok=True)
    system.pipe_file(f"{root}/claims/claims-2026w47/v1/report.html", b"mine")

    with pytest.raises(InputError, match=r"v1/report\.html is there already and is not of this"):
        publish(Place.at(address), publication())

    assert files_at(address) == {"claims-2026w47/v1/report.html": b"mine"}


def test_a_late_report_of_an_earlier_week_is_not_the_latest(address):
    publish(Place.at(address), publication(47))

    publish(Place.at(address), publication(46))

    assert json.loads(files_at(address)["latest.json"])["evaluation"] == "claims-2026w47"
    found = list_publications(Place.at(address), "claims")
    assert [one.evaluation for one in found] == ["claims-2026w46", "claims-2026w47"]


def test_the_newest_are_kept_and_nothing_that_somebody_else_wrote_is_removed(address):
    for week in (44, 45, 46):
        publish(Place.at(address), publication(week))
    system, root = fsspec.core.url_to_fs(address)
    mine = {"claims-2026w44/v1/notes.txt": b"mine", "claims-2026w45/v1/report.html": b"changed"}
    for name, body in mine.items():
        system.pipe_file(f"{root}/claims/{name}", body)
    foreign = json.dumps({"writer": "other", "files": [{"name": "../../latest.json"}]}).encode()
    system.makedirs(f"{root}/claims/other/v1", exist_ok=True)
    system.pipe_file(f"{root}/claims/other/v1/manifest.json", foreign)
    system.pipe_file(f"{root}/claims/other/v1/removing.json", foreign)
    system.pipe_file(f"{root}/claims/read.me", b"mine")

    publish(Place.at(address), publication(47, keep=2))

    found = files_at(address)
    assert {name for name in found if name.endswith("v1/manifest.json")} == {
        "claims-2026w46/v1/manifest.json",
        "claims-2026w47/v1/manifest.json",
        "other/v1/manifest.json",
    }
    assert {name: found[name] for name in mine} == mine
    assert found["read.me"] == b"mine"
    assert found["other/v1/removing.json"] == foreign
    assert {name for name in found if "w44" in name or "w45" in name} == set(mine)


def test_a_manifest_cannot_name_files_outside_its_folder():
    honest = publication().manifest
    body = honest.to_json()

    for name in ("../../latest.json", "/etc/passwd", "a/b", "..", ""):
        body["files"] = [{"name": name, "sha256": "0" * 64, "size": 1}]
        assert Manifest.read(json.dumps(body).encode(), honest.folder) is None
    assert Manifest.read(honest.body(), honest.folder) == honest
    assert Manifest.read(honest.body(), "claims-2026w46/v1") is None
    assert Manifest.read(b"\xff{", honest.folder) is None


class Killed(BaseException):
    """The process is gone at this point; nothing catches it."""


def mortal(system, lives, kind):
    """A file system that dies at a change, before or half-way through it."""
    changes = itertools.count(1)

    def dying(name):
        def change(*values, **options):
            if next(changes) == lives:
                if name == "pipe_file":  # half of it is written
                    system.pipe_file(values[0], values[1][: len(values[1]) // 2])
                if name == "mv" and "memory" in system.protocol:  # buckets copy, then remove
                    system.copy(*values)
                raise kind
            return getattr(system, name)(*values, **options)

        return change

    class Mortal:
        def __getattr__(self, name):
            return dying(name) if name in CHANGES else getattr(system, name)

    return Mortal()


@pytest.mark.parametrize("kind", [Killed, OSError])
@pytest.mark.parametrize("scheme", ["memory", "file"])
def test_whatever_step_is_the_last_readers_see_whole_reports_and_the_next_run_ends_it(
    scheme, kind, tmp_path
):
    died, alive = 0, True
    while alive:
        died += 1
        root = uuid.uuid4() if scheme == "memory" else tmp_path / f"{kind.__name__}-{died}"
        address = f"{scheme}://{root}/reports"
        for week in (44, 45, 46):
            publish(Place.at(address), publication(week))
        place = Place.at(address)
        system = mortal(place.system, died, kind)
        try:
            publish(Place(address, system, place.folder), publication(47, keep=2))
            alive = False
        except kind:
            before = whole_reports(address)
            assert {"claims-2026w46/v1"} <= set(before)
        publish(Place.at(address), publication(47, keep=2))
        assert whole_reports(address) == ["claims-2026w46/v1", "claims-2026w47/v1"]
        found = files_at(address)
        assert json.loads(found["latest.json"])["evaluation"] == "claims-2026w47"
        assert len(found) == 2 * 3 + 1, "nothing is left of what was killed, or removed"
        assert publish(Place.at(address), publication(47, keep=2)) == "unchanged"
    assert died > 10


def test_a_report_that_was_half_removed_may_come_back(address):
    for week in (45, 46):
        publish(Place.at(address), publication(week))
    place = Place.at(address)
    folder = "claims/claims-2026w45/v1"
    place.write(f"{folder}/removing.json", place.read(f"{folder}/manifest.json", most=9999))

    publish(place, publication(47, keep=3))

    assert "claims-2026w45/v1" in whole_reports(address)
    assert "claims-2026w45/v1/removing.json" not in files_at(address)


def test_a_bucket_without_its_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)

    with pytest.raises(MissingDependencyError, match=r'pip install "ocrjury\[s3\]"'):
        Place.at("s3://claims/reports")


def test_a_bucket_has_no_folders_to_make_or_remove(monkeypatch):
    monkeypatch.setitem(places.EXTRAS, "memory", "s3")
    address = f"memory://{uuid.uuid4()}/reports"
    place = Place.at(address)
    system = mortal(place.system, 10_000, OSError)
    made = []
    monkeypatch.setattr(place.system, "makedirs", lambda *_, **__: made.append(1))
    monkeypatch.setattr(place.system, "rmdir", lambda *_: made.append(1))

    for week in (46, 47):
        publish(Place(address, system, place.folder), publication(week, keep=1))

    assert made == []
    assert whole_reports(address) == ["claims-2026w47/v1"]


def test_errors_of_a_loaded_library_are_known_and_no_library_is_loaded_for_them(monkeypatch):
    class ClientError(Exception):
        pass

    class BotoCoreError(Exception):
        pass

    monkeypatch.delitem(sys.modules, "botocore.exceptions", raising=False)
    assert not issubclass(ClientError, places.bucket_failures())

    loaded = SimpleNamespace(ClientError=ClientError, BotoCoreError=BotoCoreError)
    monkeypatch.setitem(sys.modules, "botocore.exceptions", loaded)

    assert {ClientError, BotoCoreError} <= set(places.bucket_failures())
    assert Exception not in places.bucket_failures()


def test_what_is_published_is_as_open_as_the_folder_it_comes_to(tmp_path):
    shared = tmp_path / "reports"
    shared.mkdir()
    shared.chmod(0o750)

    with writing_privately():
        publish(Place.at(str(shared)), publication())
        publish(Place.at(str(tmp_path / "new")), publication())

    modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in shared.rglob("*")}
    assert modes == {True: 0o750, False: 0o640}
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "new").rglob("*")} == {0}


@pytest.mark.parametrize(
    "planted",
    [
        "claims",
        "claims/claims-2026w47",
        "claims/claims-2026w47/v1/report.html.part",
        "claims/claims-2026w47/v1/manifest.json.part",
        "claims/latest.json.claims-2026w47-v1.part",
        "claims/latest.json",
    ],
)
def test_a_link_that_somebody_else_put_there_leads_nowhere(tmp_path, planted):
    shared, elsewhere = tmp_path / "reports", tmp_path / "elsewhere"
    link = shared / planted
    link.parent.mkdir(parents=True)
    target = elsewhere / "mine"
    target.mkdir(parents=True) if "." not in link.name else elsewhere.mkdir()
    link.symlink_to(target)
    if not target.is_dir():
        target.write_bytes(b"mine")
        target.chmod(0o600)

    with suppress(InputError):
        publish(Place.at(str(shared)), publication())

    if target.is_dir():
        assert [*target.iterdir()] == []
    else:
        assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"mine", 0o600)


def test_the_folder_itself_may_be_a_link_and_links_beside_reports_stay(tmp_path):
    (tmp_path / "real" / "claims").mkdir(parents=True)
    (tmp_path / "reports").symlink_to(tmp_path / "real")
    mine = tmp_path / "real" / "claims" / "current"
    mine.symlink_to(tmp_path)

    for week in (46, 47):
        publish(Place.at(str(tmp_path / "reports")), publication(week, keep=1))

    reports = (tmp_path / "real" / "claims").glob("*-*/*/manifest.json")
    assert [path.parent.parent.name for path in reports] == ["claims-2026w47"]
    assert mine.is_symlink()


def test_a_pipe_that_somebody_else_put_there_is_not_waited_for(tmp_path):
    folder = tmp_path / "reports" / "claims" / "claims-2026w47" / "v1"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "manifest.json")

    with pytest.raises(InputError, match=r"manifest\.json is a link, a pipe or a device"):
        publish(Place.at(str(tmp_path / "reports")), publication())


@pytest.mark.parametrize("body", [b"[" * 200_000, b"9" * 200_000])
def test_what_somebody_else_wrote_as_a_manifest_stops_nothing(address, body):
    system, root = fsspec.core.url_to_fs(address)
    system.makedirs(f"{root}/claims/claims-2026w46/v1", exist_ok=True)
    system.pipe_file(f"{root}/claims/claims-2026w46/v1/manifest.json", body)

    assert publish(Place.at(address), publication()) == "published"
