import pytest
import yaml

from ocrjury.campaign import read_campaign, write_starter
from ocrjury.campaign.bundled_example import EXAMPLE
from ocrjury.deployments import deploy
from ocrjury.deployments.campaigns import (
    campaign_entry,
    prefect_file,
    refuse_other_files,
    remove_old_schedules,
    schedule_sentence,
)
from ocrjury.deployments.installation import PREFECT_FILE
from ocrjury.errors import InputError

SHIPPED = yaml.safe_load(PREFECT_FILE.read_text("utf-8"))


@pytest.fixture
def started(tmp_path):
    """A new campaign, which has no schedule yet."""
    return read_campaign(write_starter(tmp_path, "my-claims")[0])


def test_the_file_holds_what_is_shipped_and_one_deployment_for_each_campaign(started):
    found = prefect_file([started, read_campaign(EXAMPLE)])

    names = [entry["name"] for entry in SHIPPED["deployments"]]
    assert found["deployments"][: len(names)] == SHIPPED["deployments"]
    assert found["pull"] == SHIPPED["pull"]
    assert [entry["name"] for entry in found["deployments"][len(names) :]] == [
        "open-my-claims",
        "open-korean-claims",
    ]


def test_a_campaign_is_opened_by_its_own_clock_from_anywhere():
    [shipped] = [entry for entry in SHIPPED["deployments"] if entry["name"] == "open"]

    entry = campaign_entry(read_campaign(EXAMPLE), shipped)

    assert entry["parameters"] == {"campaign": str(EXAMPLE)}
    assert entry["schedules"] == [
        {"slug": "schedule", "cron": "0 6 * * 1", "timezone": "Asia/Seoul", "active": True}
    ]
    assert entry["tags"] == ["ocrjury", "campaign:korean-claims"]
    same = ("entrypoint", "work_pool", "concurrency_limit")
    assert [entry[key] for key in same] == [shipped[key] for key in same]


def test_without_a_schedule_it_opens_when_somebody_starts_it(started):
    [*_, entry] = prefect_file([started])["deployments"]

    assert entry["schedules"] == []
    assert schedule_sentence(started) == (
        "open-my-claims has no schedule.cron; it opens when somebody starts it."
    )
    assert schedule_sentence(read_campaign(EXAMPLE)) == (
        "open-korean-claims opens at '0 6 * * 1' (Asia/Seoul)."
    )


def test_a_schedule_that_a_campaign_has_no_more_is_removed_and_no_other(started, prefect):
    prefect.add_deployment("open-my-claims", schedule=True, mine=True)
    prefect.add_deployment("open-korean-claims", schedule=True)
    prefect.add_deployment("open-other", schedule=True)

    remove_old_schedules(prefect, [started, read_campaign(EXAMPLE)])

    assert prefect.calls == [("remove", "d-open-my-claims", "s-schedule")]


def test_two_campaigns_of_one_name_are_refused(started):
    with pytest.raises(InputError, match="my-claims names more than one of these campaigns"):
        prefect_file([started, started])


class Deployed:
    """A server that has the deployments of some campaigns, and notes what becomes of it."""

    def __init__(self, *campaigns):
        self.rows = [
            {"name": f"open-{campaign.name}", "parameters": {"campaign": str(campaign.source)}}
            for campaign in campaigns
        ]
        self.rows.append({"name": "open", "parameters": {}})

    def deployments(self):
        return self.rows


def test_a_campaign_of_the_same_name_in_another_folder_replaces_nothing(
    started, tmp_path, monkeypatch
):
    (tmp_path / "other").mkdir()
    other = read_campaign(write_starter(tmp_path / "other", "my-claims")[0])
    monkeypatch.setattr(deploy, "ensure_automation", lambda *_: pytest.fail("it was deployed"))
    monkeypatch.setattr(deploy, "read_switches", lambda _: None)

    with pytest.raises(InputError) as refused:
        deploy.deploy(Deployed(started), environment={}, log=tmp_path / "log", campaigns=[other])

    assert str(refused.value).startswith(
        f"open-my-claims on this server opens {started.source}; the campaign of the same name in "
        f"{other.source} would replace it"
    )
    assert str(refused.value).endswith(
        "delete the deployment open-my-claims on the page Deployments of the Prefect UI, which "
        f"leaves every evaluation as it is, then run `ocrjury deploy {other.source}`."
    )


def test_a_campaign_is_deployed_again_from_its_own_file(started, tmp_path):
    (tmp_path / "link").symlink_to(started.source.parent)
    same = read_campaign(tmp_path / "link" / started.source.name)

    known = Deployed(started, read_campaign(EXAMPLE)).deployments()
    assert refuse_other_files(known, [started, same]) is None
