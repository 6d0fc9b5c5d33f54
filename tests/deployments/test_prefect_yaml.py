import importlib
import inspect
import re

import pytest
import yaml
from jsonschema import Draft202012Validator
from prefect.exceptions import ParameterTypeError

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.limits import SWEEP_MINUTES
from ocrjury.cli.worker import RUNS_AT_ONCE
from ocrjury.deployments import local
from ocrjury.deployments.installation import PREFECT_FILE
from tests.deployments.services import FOLDER

FILE = yaml.safe_load(PREFECT_FILE.read_text("utf-8"))
DEPLOYMENTS = {entry["name"]: entry for entry in FILE["deployments"]}


def flow_of(name):
    """Import the flow that a deployment names by its module."""
    module, _, function = DEPLOYMENTS[name]["entrypoint"].partition(":")
    return getattr(importlib.import_module(module), function)


def parameters_of(name):
    """Every set of parameters that a run of a deployment may start with."""
    entry = DEPLOYMENTS[name]
    common = entry.get("parameters", {})
    starts = [*entry.get("schedules", []), *entry.get("triggers", [])]
    return [common, *(common | start.get("parameters", {}) for start in starts)]


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_every_entrypoint_is_a_flow_that_takes_the_parameters(name):
    flow = flow_of(name)

    for parameters in parameters_of(name):
        assert set(parameters) <= set(flow.parameters.properties)


@pytest.mark.parametrize("name", ["open", "advance", "demo"])
def test_a_deployment_that_starts_by_itself_or_by_one_click_needs_nothing_more(name):
    flow = flow_of(name)

    for parameters in parameters_of(name):
        assert set(flow.parameters.required) <= set(parameters)
        flow.validate_parameters(rendered(parameters))


def test_a_reason_of_the_run_form_is_counted_as_anywhere_else():
    flow = flow_of("decide")
    named = {"evaluation": "claims-2026w47", "decision": "abort", "actor": "lead"}

    assert flow.validate_parameters({**named, "reason": " 휴가 "})["reason"] == "휴가"
    with pytest.raises(ParameterTypeError, match=r"reason: .* it needs 5 letters or more"):
        flow.validate_parameters({**named, "reason": "ok"})


def rendered(parameters):
    """Parameters with what Prefect puts into the place of an event's own."""
    of_event = {"{{ event.payload.evaluation }}": "claims-2026w47"}
    return {name: of_event.get(value, value) for name, value in parameters.items()}


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_run_form_describes_and_limits_whatever_it_asks_for(name):
    def limited(field):
        ways = [way for way in field.get("anyOf", [field]) if way.get("type") != "null"]
        words = {"enum", "minLength", "maxLength", "pattern", "minimum", "$ref"}
        return all(words & set(way) for way in ways)

    fields = flow_of(name).parameters.properties

    assert [field for field, form in fields.items() if not form.get("description")] == []
    assert [field for field, form in fields.items() if not limited(form)] == []


@pytest.mark.parametrize("name", ["advance", "advance-round", "decide", "report"])
def test_a_run_form_says_where_names_of_evaluations_are_found_and_takes_nothing_else(name):
    flow = flow_of(name)
    form = flow.parameters.properties["evaluation"]
    [text] = [way for way in form.get("anyOf", [form]) if way.get("type") == "string"]

    assert text["examples"] == ["claims-2026w47"]
    assert "/artifacts, which lists all there are" in form["description"]
    for right in ("claims-2026w47", "korean-claims-pilot.1", "claims-파일럿_1", "a-b"):
        assert re.fullmatch(text["pattern"], right)
        Draft202012Validator(text).validate(right)
    for wrong in ("", "claims", "Claims-2026w47", "claims-2026 w47", "claims-", " a-b", "a-b/c"):
        assert not Draft202012Validator(text).is_valid(wrong), wrong


def test_a_decision_bears_the_name_of_whoever_took_it():
    form = flow_of("decide").parameters

    assert {"evaluation", "decision", "reason", "actor"} <= set(form.required)


def test_the_form_of_a_decision_says_its_limits_in_words():  # Prefect shows no others
    fields = DecisionTarget.model_json_schema()["properties"]
    numbers = [form for form in fields.values() if "anyOf" in form]

    assert len(numbers) == 2
    for form in numbers:
        assert form["description"].endswith(f"1 to {form['anyOf'][0]['maximum']:,}")


def test_the_scheduled_campaign_travels_with_the_package():
    campaign = flow_of("open").parameters.properties["campaign"]["default"]

    assert read_campaign(campaign).name == "korean-claims"


def test_advancing_is_half_hourly_and_the_weekly_example_waits_to_be_switched_on():
    [weekly], [sweep] = (DEPLOYMENTS[name]["schedules"] for name in ("open", "advance"))

    assert (weekly["cron"], weekly["timezone"]) == ("0 6 * * 1", "Asia/Seoul")
    assert (weekly["active"], sweep["active"]) == (False, True)
    assert sweep["interval"] == 60 * SWEEP_MINUTES
    assert all("schedules" not in DEPLOYMENTS[n] for n in ("decide", "report", "demo"))


def test_complete_rounds_wait_in_a_queue_of_their_own():
    limits = {name: entry.get("concurrency_limit") for name, entry in DEPLOYMENTS.items()}
    [rounds], [decisions] = (DEPLOYMENTS[n]["triggers"] for n in ("advance-round", "advance"))

    assert limits["open"] == limits["advance-round"]
    assert limits["open"] == {"limit": 1, "collision_strategy": "ENQUEUE"}
    assert limits["advance"] == {"limit": 2, "collision_strategy": "ENQUEUE"}
    at_once = sum(limit["limit"] for limit in limits.values() if limit)
    assert at_once + 1 == RUNS_AT_ONCE  # a place is left for what a lead starts
    assert [name for name, limit in limits.items() if not limit] == ["decide", "report", "demo"]
    queues = {
        name for name, entry in DEPLOYMENTS.items() if "work_queue_name" in entry["work_pool"]
    }
    assert queues == {"advance-round"}
    assert rounds["expect"] == ["ocrjury.round.complete"]
    assert decisions["expect"] == ["ocrjury.evaluation.decided", "ocrjury.decision.requested"]


def test_every_worker_has_as_many_places():
    started = [
        (FOLDER / "compose.yaml").read_text("utf-8"),
        (FOLDER / "systemd" / "ocrjury-worker.service").read_text("utf-8"),
        inspect.getsource(local.worker_of),
    ]

    assert all("worker" in text and "--limit" not in text for text in started)


def test_every_deployment_is_one_of_ours_with_a_description():
    for entry in DEPLOYMENTS.values():
        assert entry["work_pool"]["name"] == "ocrjury"
        assert entry["tags"] == ["ocrjury"]
        assert entry["description"].endswith(".")
        assert all(one["description"].endswith(".") for one in entry.get("triggers", ()))
