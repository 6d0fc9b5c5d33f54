"""A round of two raters, a server that stands in for Label Studio, and the frontend between."""

import pytest

from ocrjury.campaign.config import read_campaign
from ocrjury.frontends.labelstudio import LabelStudioFrontend
from ocrjury.frontends.labelstudio.server import Server
from ocrjury.store.workspace import open_store
from tests.frontends.labelstudio.stand_in import TOKEN, StandIn, serving
from tests.frontends.labelstudio.worked_round import open_worked_round, write_campaign


@pytest.fixture
def label_studio():
    return StandIn()


@pytest.fixture
def address(label_studio):
    with serving(label_studio) as address:
        yield address


@pytest.fixture
def server(address):
    with Server(address, TOKEN, pause=0.0, timeout=5.0) as server:
        yield server


@pytest.fixture
def campaign_path(tmp_path, address):
    return write_campaign(tmp_path / "claims", address)


@pytest.fixture
def store(tmp_path):
    with open_store(home=tmp_path / "home") as store:
        yield store


@pytest.fixture
def round_(store, campaign_path):
    return open_worked_round(store, campaign_path)


@pytest.fixture
def frontend(campaign_path, server):
    return LabelStudioFrontend(read_campaign(campaign_path), server)
