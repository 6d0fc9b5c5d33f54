"""What the shipped compose file and image promise, read without Docker."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ocrjury.cli.command_line import build_parser
from ocrjury.deployments.installation import Installation
from ocrjury.deployments.local import server_of
from tests.deployments.services import COMPOSE, FOLDER, VARIABLE, backup_in

ROOT = FOLDER.parent
SERVICES = COMPOSE["services"]
JOBS = {"deploy", "backup"}
OURS = set(SERVICES) - {"database"}
DOCKERFILE = (FOLDER / "Dockerfile").read_text("utf-8")
each_service = pytest.mark.parametrize("name", sorted(SERVICES))


def test_everything_that_a_year_needs_is_there():
    assert set(SERVICES) == {
        *("database", "prefect", "deploy", "worker", "page", "mail", "backup"),
    }
    assert SERVICES["database"]["image"].startswith("postgres:16")


@each_service
def test_a_service_may_do_no_more_than_it_must(name):
    service = SERVICES[name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["pids_limit"] > 0
    assert not {"privileged", "cap_add", "devices", "pid", "ipc", "network_mode"} & set(service)
    assert "docker.sock" not in str(service.get("volumes"))


@each_service
def test_what_stays_is_watched_and_restarted_and_jobs_end(name):
    service = SERVICES[name]

    assert service["restart"] == ("no" if name in JOBS else "unless-stopped")
    assert ("healthcheck" in service) == (name not in JOBS)


@each_service
def test_nothing_runs_as_root(name):
    if name == "database":
        assert SERVICES[name]["user"] == "postgres"
    else:
        assert "user" not in SERVICES[name]
        assert SERVICES[name]["build"]["dockerfile"] == "deployments/Dockerfile"


def test_only_what_people_open_can_be_reached_and_from_this_machine_only():
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}

    assert set(ports) == {"page", "prefect"}
    assert all(port.startswith("127.0.0.1:") for each in ports.values() for port in each)
    assert COMPOSE["networks"]["data"] == {"internal": True}
    assert SERVICES["database"]["networks"] == ["data"]


def test_no_secret_stands_in_the_file():
    for name, service in SERVICES.items():
        for variable, value in service.get("environment", {}).items():
            if re.search(r"PASSWORD|SECRET|TOKEN|AUTH_STRING", variable):
                assert variable.endswith("_FILE"), (name, variable)
                assert value.removeprefix("/run/secrets/") in service["secrets"], (name, variable)
    assert {secret["file"].rpartition("/")[0] for secret in COMPOSE["secrets"].values()} == {
        "./secrets"
    }
    assert set().union(*(service["secrets"] for service in SERVICES.values())) == set(
        COMPOSE["secrets"]
    )


def test_the_page_knows_no_password_of_prefects_database():
    reads = {name for name, service in SERVICES.items() if "prefect_database" in service["secrets"]}

    assert reads == {"database", "prefect"}


def test_every_variable_and_secret_is_in_the_guides():
    guides = [
        (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("operations", "settings")
    ]
    text = (FOLDER / "compose.yaml").read_text("utf-8")
    names = {match[1] for match in VARIABLE.finditer(text)} | set(COMPOSE["secrets"])

    assert len(names) > 10
    assert [name for name in sorted(names) if f"`{name}`" not in "".join(guides)] == []


@pytest.mark.parametrize("name", ["deploy", "worker", "page"])
def test_its_command_is_one_of_ours(name):
    program, *words = SERVICES[name]["command"]

    assert program == "ocrjury"
    assert build_parser().parse_args(words).run


def test_prefects_server_starts_as_it_does_under_up(tmp_path):
    started = server_of(Installation(tmp_path, 4200)).command

    command = ["0.0.0.0" if word == "127.0.0.1" else word for word in started]
    assert SERVICES["prefect"]["command"] == ["python", *command[1:]]


def test_the_guide_runs_commands_behind_the_entry_that_reads_the_secrets():
    guide = (ROOT / "docs" / "operations.md").read_text("utf-8")
    run = re.findall(r"docker compose run --rm (\w+)", guide)

    assert {"deploy", "backup"} <= set(run) <= set(SERVICES)
    assert "docker compose exec" not in guide  # would know no secret


def test_containers_wait_for_what_they_need():
    waits = {name: service.get("depends_on", {}) for name, service in SERVICES.items()}

    assert waits["worker"] == {"deploy": {"condition": "service_completed_successfully"}}
    assert waits["deploy"] == {"prefect": {"condition": "service_healthy"}}
    for name in ("prefect", "page", "backup"):
        assert waits[name] == {"database": {"condition": "service_healthy"}}


def test_the_image_is_built_in_stages_and_runs_as_nobody_special():
    stages = re.findall(r"^FROM \S+ AS (\w+)$", DOCKERFILE, re.MULTILINE)
    last = DOCKERFILE.rpartition("\nFROM ")[2]

    assert stages == ["build", "ocrjury"]
    assert "USER 10001:10001" in last
    assert last.index("USER") > last.index("apt-get")
    assert 'ENTRYPOINT ["tini", "--"' in last
    assert "HEALTHCHECK" in last
    assert "COPY --from=build /opt/ocrjury /opt/ocrjury" in last


def test_the_image_has_the_system_packages_that_a_machine_needs():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    needed = set(re.search(r"^APT := (.+)$", makefile, re.MULTILINE)[1].split())

    # poppler-utils only reads PDFs, in tests.
    assert {name for name in needed if name not in DOCKERFILE} == {"poppler-utils"}


def test_the_image_is_built_of_what_the_wheel_is():
    copied = set(re.findall(r"^COPY (\w+) \1$", DOCKERFILE, re.MULTILINE))
    allowed = set((FOLDER / "Dockerfile.dockerignore").read_text("utf-8").split("!")[1:])

    linked = {path.name for path in (ROOT / "src" / "ocrjury").iterdir() if path.is_symlink()}
    assert copied == linked | {"src"}
    assert {line.split()[0] for line in allowed} == copied | {
        *("constraints.txt", "pyproject.toml", "README.md", "LICENSE"),
    }


def test_every_backup_has_a_folder_of_its_own():
    program, *words = backup_in(SERVICES["backup"]["command"])

    options = build_parser().parse_args(words)
    assert (program, words[0]) == ("ocrjury", "backup")
    assert str(options.folder) == "/srv/backup/2026-11-24T023000"


def read_by(*program):
    """What a program that reads such files says of one."""
    tool = Path(sys.executable).with_name(program[0])
    return subprocess.run(
        [tool, *program[1:]], capture_output=True, text=True, check=False, timeout=60
    )


def test_hadolint_finds_nothing_in_the_dockerfile_and_what_is_wrong_in_another(tmp_path):
    (tmp_path / "Dockerfile").write_text("FROM debian:latest\nRUN sudo true\n", "utf-8")

    ours, other = (read_by("hadolint", folder / "Dockerfile") for folder in (FOLDER, tmp_path))

    assert (ours.returncode, ours.stdout) == (0, "")
    assert other.returncode == 1
    assert "DL3007" in other.stdout


def test_the_compose_file_follows_its_schema_and_another_does_not(tmp_path):
    (tmp_path / "compose.yaml").write_text("services: {page: {port: 8080}}\n", "utf-8")
    schema = ("check-jsonschema", "--builtin-schema", "vendor.compose-spec")

    ours, other = (read_by(*schema, folder / "compose.yaml") for folder in (FOLDER, tmp_path))

    assert ours.returncode == 0, ours.stdout
    assert other.returncode == 1
    assert "'port' was unexpected" in other.stdout
