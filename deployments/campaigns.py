"""Deployments of campaigns: each opens evaluations of one campaign on its schedule."""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

from ocrjury.campaign.config import Campaign
from ocrjury.deployments.installation import PREFECT_FILE
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.errors import InputError
from ocrjury.evaluation.run_labels import campaign_tag

SLUG = "schedule"


def deployment_name(campaign: Campaign) -> str:
    """Name of the deployment that opens a campaign."""
    return f"open-{campaign.name}"


def prefect_file(campaigns: Sequence[Campaign]) -> dict[str, Any]:
    """Content of the shipped ``prefect.yaml`` with a deployment for each campaign.

    Raises
    ------
    InputError
        Two of the campaigns have the same name.
    """
    names = [campaign.name for campaign in campaigns]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"{', '.join(twice)} names more than one of these campaigns; rename one.")
    body: dict[str, Any] = yaml.safe_load(PREFECT_FILE.read_text("utf-8"))
    shipped = next(entry for entry in body["deployments"] if entry["name"] == "open")
    body["deployments"] += [campaign_entry(campaign, shipped) for campaign in campaigns]
    return body


def campaign_entry(campaign: Campaign, shipped: dict[str, Any]) -> dict[str, Any]:
    """Entry of a campaign: the shipped entry with its own name, path and schedule."""
    cron = campaign.schedule.cron
    when = {"slug": SLUG, "cron": cron, "timezone": campaign.time_zone, "active": True}
    return {
        **shipped,
        "name": deployment_name(campaign),
        "description": f"Opens one evaluation of {campaign.name} and takes it to the raters.",
        "parameters": {"campaign": str(campaign.source)},
        "tags": [*shipped["tags"], campaign_tag(campaign.name)],
        "schedules": [] if cron is None else [when],
    }


def refuse_other_files(
    deployments: Iterable[dict[str, Any]], campaigns: Sequence[Campaign]
) -> None:
    """Raise `InputError` if a deployment opens another file whose campaign has the same name."""
    opens = {each["name"]: (each.get("parameters") or {}).get("campaign") for each in deployments}
    for campaign in campaigns:
        name = deployment_name(campaign)
        other = opens.get(name)
        if other and Path(other).resolve() != Path(str(campaign.source)).resolve():
            raise InputError(
                f"{name} on this server opens {other}; the campaign of the same name in "
                f"{campaign.source} would replace it, and nothing would open that one any more. "
                f"Give one of them another name. If the file was moved, delete the deployment "
                f"{name} on the page Deployments of the Prefect UI, which leaves every evaluation "
                f"as it is, then run `ocrjury deploy {shlex.quote(str(campaign.source))}`."
            )


def remove_old_schedules(api: PrefectApi, campaigns: Sequence[Campaign]) -> None:
    """Remove schedules that campaigns no longer have; ``prefect deploy`` keeps them."""
    bare = {deployment_name(campaign) for campaign in campaigns if campaign.schedule.cron is None}
    for deployment in api.deployments():
        for schedule in deployment["schedules"] if deployment["name"] in bare else ():
            if schedule["slug"] == SLUG:  # other schedules belong to a person
                api.remove_schedule(deployment["id"], schedule["id"])


def schedule_sentence(campaign: Campaign) -> str:
    """Sentence on when a campaign opens by itself."""
    name = deployment_name(campaign)
    if campaign.schedule.cron is None:
        return f"{name} has no schedule.cron; it opens when somebody starts it."
    return f"{name} opens at '{campaign.schedule.cron}' ({campaign.time_zone})."
