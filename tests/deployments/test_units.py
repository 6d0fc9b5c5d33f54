"""What the shipped units of systemd promise, read without systemd."""

import pytest

from ocrjury.cli.command_line import build_parser
from tests.deployments.services import STARTED, UNITS, backup_in, command_of, environment_of

LOCKED = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectKernelModules": "yes",
    "ProtectControlGroups": "yes",
    "RestrictNamespaces": "yes",
    "RestrictSUIDSGID": "yes",
    "LockPersonality": "yes",
    "CapabilityBoundingSet": "",
    "SystemCallFilter": "@system-service",
    "UMask": "0077",
    "User": "ocrjury",
    "StateDirectoryMode": "0700",
}
each_unit = pytest.mark.parametrize("name", STARTED)


def test_one_unit_for_one_machine_and_one_for_each_part():
    parts = {"ocrjury-prefect.service", "ocrjury-worker.service", "ocrjury-page.service"}

    assert set(UNITS) == {
        *("ocrjury.service", "ocrjury-backup.service", "ocrjury-backup.timer"),
        *parts,
    }
    assert set(UNITS["ocrjury.service"]["Unit"]["Conflicts"][0].split()) == parts


@each_unit
def test_a_unit_may_do_no_more_than_it_must(name):
    service = STARTED[name]["Service"]

    assert {key: service[key][-1] for key in LOCKED} == LOCKED


def test_all_units_are_locked_alike():
    own = {"ExecStart", "Environment", "Type", "TimeoutStopSec", "LoadCredential", "ReadWritePaths"}
    shared = [
        {key: value for key, value in unit["Service"].items() if key not in own | {"Restart"}}
        for unit in STARTED.values()
    ]
    for each in shared:
        each.pop("RestartSec", None)

    assert all(each == shared[0] for each in shared)


@each_unit
def test_what_stays_is_restarted(name):
    service = STARTED[name]["Service"]
    stays = service["Type"] != ["oneshot"]

    assert (service.get("Restart") == ["always"]) == stays
    assert ("Install" in STARTED[name]) == stays


@each_unit
def test_no_secret_stands_in_a_unit(name):
    secret = ("PASSWORD", "SECRET", "TOKEN", "AUTH_STRING")
    for variable, value in environment_of(STARTED[name]).items():
        if any(word in variable for word in secret):
            credential = value.removeprefix("%d/")
            assert variable.endswith("_FILE")
            loaded = f"{credential}:/etc/ocrjury/{credential}"
            assert STARTED[name]["Service"]["LoadCredential"] == [loaded]


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("ocrjury.service", "up"),
        ("ocrjury-worker.service", "worker"),
        ("ocrjury-page.service", "serve"),
    ],
)
def test_its_command_is_one_of_ours(name, command):
    program, *words = command_of(STARTED[name])

    assert (program, words[0]) == ("ocrjury", command)
    assert build_parser().parse_args(words).run


def test_every_backup_has_a_folder_of_its_own():
    program, *words = backup_in(command_of(STARTED["ocrjury-backup.service"]))

    options = build_parser().parse_args(words)
    assert (program, words[0]) == ("ocrjury", "backup")
    assert str(options.folder) == "/var/backups/ocrjury/2026-11-24T023000"
