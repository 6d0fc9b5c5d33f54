"""What the shipped files for Kubernetes promise, read without a cluster."""

import json
import re
from importlib.metadata import version

import pytest
import yaml

from ocrjury.cli.command_line import build_parser
from ocrjury.deployments.installation import POOL
from tests.deployments.services import FOLDER, backup_in

FILES = FOLDER / "kubernetes"
TEMPLATE = json.loads((FILES / "job-template.json").read_text("utf-8"))
OBJECTS = {
    (each["kind"], each["metadata"]["name"]): each
    for each in yaml.safe_load_all((FILES / "ocrjury.yaml").read_text("utf-8"))
}
SERVER, WORKER = (
    yaml.safe_load((FILES / f"prefect-{name}.yaml").read_text("utf-8"))
    for name in ("server", "worker")
)
LOCKED = {
    "readOnlyRootFilesystem": True,
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
}


def pods():
    """Every pod that the files make."""
    deployment = OBJECTS["Deployment", "ocrjury-page"]["spec"]["template"]["spec"]
    job = OBJECTS["Job", "ocrjury-deploy"]["spec"]["template"]["spec"]
    backup = OBJECTS["CronJob", "ocrjury-backup"]["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    manifest = TEMPLATE["job_configuration"]["job_manifest"]
    return {
        "page": deployment,
        "deploy": job,
        "backup": backup,
        "run": manifest["spec"]["template"]["spec"],
    }


each_pod = pytest.mark.parametrize("name", ["page", "deploy", "backup", "run"])


@each_pod
def test_a_pod_may_do_no_more_than_it_must(name):
    pod = pods()[name]
    [container] = pod["containers"]
    account = pod["securityContext"]

    assert container["securityContext"] == LOCKED
    assert (account["runAsNonRoot"], account["runAsUser"]) == (True, 10001)
    assert account["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert "memory" in container["resources"]["limits"]


@each_pod
def test_a_pod_writes_into_the_home_and_tmp_only(name):
    [container] = pods()[name]["containers"]
    mounts = {mount["mountPath"] for mount in container["volumeMounts"]}

    assert mounts == {"/srv/ocrjury", "/tmp"} | ({"/srv/backup"} if name == "backup" else set())
    assert {mount["name"] for mount in container["volumeMounts"]} == {
        volume["name"] for volume in pods()[name]["volumes"]
    }


def test_the_page_is_asked_whether_it_lives_and_is_ready():
    [page] = pods()["page"]["containers"]

    assert page["livenessProbe"]["httpGet"] == {"path": "/health", "port": "http"}
    assert page["readinessProbe"]["httpGet"] == {"path": "/ready", "port": "http"}


@pytest.mark.parametrize("name", ["page", "deploy"])
def test_its_command_is_one_of_ours(name):
    [container] = pods()[name]["containers"]
    program, *words = container["args"]

    assert program == "ocrjury"
    assert build_parser().parse_args(words).run


def test_every_variable_of_the_job_template_is_declared_and_used():
    used = set(re.findall(r"{{ (\w+) }}", json.dumps(TEMPLATE["job_configuration"])))
    declared = TEMPLATE["variables"]["properties"]

    assert used == set(declared)
    assert all(entry["title"] and entry["description"] for entry in declared.values())
    without = {name for name, entry in declared.items() if "default" not in entry}
    assert without == {"name", "command"}  # Prefect gives these


def test_runs_share_the_home_and_the_secrets_of_the_page():
    defaults = {
        name: entry.get("default") for name, entry in TEMPLATE["variables"]["properties"].items()
    }
    [page] = pods()["page"]["containers"]

    assert ("PersistentVolumeClaim", defaults["home_claim"]) in OBJECTS
    assert page["envFrom"] == [{"secretRef": {"name": defaults["secret"]}}]
    assert page["image"] == defaults["image"]
    assert {each["metadata"].get("namespace", "ocrjury") for each in OBJECTS.values()} == {
        defaults["namespace"]
    }


def test_the_charts_take_our_pool_and_the_version_that_we_test():
    worker = WORKER["worker"]

    assert (worker["config"]["workPool"], worker["config"]["type"]) == (POOL, "kubernetes")
    for image in (SERVER["global"]["prefect"]["image"], worker["image"]):
        assert image["prefectTag"].startswith(f"{version('prefect')}-")


def test_the_charts_ask_for_a_password_and_keep_their_database():
    for part in (SERVER["server"], WORKER["worker"]):
        assert part["basicAuth"] == {"enabled": True, "existingSecret": "prefect-password"}
        assert part["containerSecurityContext"].items() >= LOCKED.items()
    assert (SERVER["postgresql"]["enabled"], SERVER["secret"]["create"]) == (False, False)
    assert SERVER["ingress"]["enabled"] is False


def test_every_backup_has_a_folder_of_its_own():
    program, *words = backup_in(pods()["backup"]["containers"][0]["args"])

    options = build_parser().parse_args(words)
    assert (program, words[0]) == ("ocrjury", "backup")
    assert str(options.folder) == "/srv/backup/2026-11-24T023000"
