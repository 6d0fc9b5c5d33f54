import stat

import pytest

from ocrjury.cli import main
from ocrjury.store.audit import list_audit
from ocrjury.store.database import reading
from ocrjury.store.links import find_link, secret_hash
from tests.frontends.web.conftest import open_place, serving, store_in


@pytest.fixture
def place(tmp_path, monkeypatch):
    with store_in(tmp_path) as base:
        monkeypatch.setenv("OCRJURY_HOME", str(base.home))
        yield open_place(base)


def invite(place, *options, capsys):
    assert main(["raters", "invite", place.evaluation, *options]) == 0
    return dict(line.split() for line in capsys.readouterr().out.splitlines())


def whose(place, address, now):
    secret = address.partition("/enter#")[2]
    with reading(place.store.engine) as connection:
        return find_link(connection, secret_hash(secret), now=now)


def test_everybody_with_something_to_rate_gets_a_link(place, capsys, now, monkeypatch):
    monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org/")
    links = invite(place, capsys=capsys)

    assert set(links) == {"R01", "R02"}
    assert links["R01"].startswith("https://rate.example.org/enter#")
    assert whose(place, links["R01"], now)[1:4] == ("R01", place.evaluation, 1)
    assert main(["raters", "invite", place.evaluation]) == 0
    assert "Everybody with something to rate has a link" in capsys.readouterr().out
    assert {row.action for row in list_audit(place.store.engine)} == {"make link"}


def test_a_new_link_replaces_the_old_one(place, capsys, now):
    old = invite(place, "R01", capsys=capsys)["R01"]
    new = invite(place, "R01", "--every-round", capsys=capsys)["R01"]

    assert whose(place, old, now) is None
    assert whose(place, new, now).round is None


def test_a_rater_who_is_named_twice_gets_one_link_that_works(place, capsys, now):
    assert main(["raters", "invite", place.evaluation, "R01", "R01"]) == 0

    [line] = capsys.readouterr().out.splitlines()
    assert whose(place, line.split()[1], now)[1] == "R01"


def test_links_in_a_file_are_for_its_owner_alone(place, capsys, tmp_path):
    path = tmp_path / "links.csv"
    assert main(["raters", "invite", place.evaluation, "--out", str(path)]) == 0

    assert path.read_text("utf-8").splitlines()[0] == "rater,link"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert main(["raters", "invite", place.evaluation, "--out", str(path)]) == 2


def test_links_that_cannot_be_kept_replace_none(place, capsys, tmp_path, now):
    old = invite(place, "R01", capsys=capsys)["R01"]
    out = tmp_path / "nowhere" / "links.csv"

    assert main(["raters", "invite", place.evaluation, "R01", "--out", str(out)]) == 2

    assert "No such file or directory" in capsys.readouterr().err
    assert whose(place, old, now).who == "R01"


@pytest.mark.parametrize("days", ["-1", "0", "nan", "inf", "1e12"])
def test_links_work_for_a_time_that_there_is(place, capsys, now, days):
    old = invite(place, "R01", capsys=capsys)["R01"]

    assert main(["raters", "invite", place.evaluation, "R01", "--days", days]) == 2

    assert capsys.readouterr().err.startswith("--days must be above 0 and at most 3650; found ")
    assert whose(place, old, now).who == "R01"


def test_nobody_is_revoked_where_a_name_is_wrong(place, capsys, now):
    links = invite(place, capsys=capsys)

    assert main(["raters", "revoke", place.evaluation, "R1", "R02"]) == 2

    assert capsys.readouterr().err == (
        "Nothing was revoked: nobody called R1 has a link; there are R01, R02, A01.\n"
    )
    assert whose(place, links["R02"], now).who == "R02"


def test_the_log_says_who_made_and_revoked_links(place, capsys, monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "minsu")
    invite(place, "R01", capsys=capsys)
    main(["raters", "revoke", place.evaluation, "--all"])
    main(["desk", "link", "--name", "J. Kim"])

    lines = [(row.actor, row.object) for row in list_audit(place.store.engine)]
    assert sorted(lines) == [
        ("minsu", f"{place.evaluation} R01"),
        ("minsu", f"{place.evaluation} all"),
        ("minsu", "desk J. Kim"),
    ]


def test_links_are_listed_without_their_codes_and_revoked(place, capsys):
    links = invite(place, capsys=capsys)
    assert main(["raters", "revoke", place.evaluation, "R01"]) == 0
    assert "1 link revoked." in capsys.readouterr().out

    assert main(["raters", "links", place.evaluation]) == 0
    listed = capsys.readouterr().out
    assert [line.split()[:3] for line in listed.splitlines()[-2:]] == [
        ["R01", "1", "revoked"],
        ["R02", "1", "works"],
    ]
    assert links["R02"].partition("#")[2] not in listed


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["invite", "EVALUATION", "R07"], "There is nothing to rate in round 1"),
        (["revoke", "EVALUATION"], "or add --all"),
        (["revoke", "EVALUATION", "R01", "--all"], "or add --all"),
    ],
)
def test_a_wrong_command_says_what_to_do(place, capsys, words, why):
    words = [place.evaluation if word == "EVALUATION" else word for word in words]

    assert main(["raters", *words]) == 2
    assert why in capsys.readouterr().err


def test_links_are_listed_in_the_time_of_the_campaign(run, collecting):
    run("raters", "invite", collecting)

    listed = run("raters", "links", collecting).out

    assert "2026-11-30 18:00 Asia/Seoul" in listed
    assert "UTC" not in listed


def test_links_name_the_port_of_the_page(place, capsys, monkeypatch):
    monkeypatch.setenv("OCRJURY_RATING_PORT", "8123")
    usual = invite(place, "R01", capsys=capsys)["R01"]
    with serving(place) as server:
        running = invite(place, "R01", capsys=capsys)["R01"]
        assert main(["desk", "link"]) == 0
        desk = capsys.readouterr().out
    ended = invite(place, "R01", capsys=capsys)["R01"]

    assert usual.startswith("http://127.0.0.1:8123/enter#")
    assert running.startswith(f"{server.address}/enter#")
    assert desk.startswith(f"{server.address}/desk/enter#")
    assert ended.startswith("http://127.0.0.1:8123/enter#")
