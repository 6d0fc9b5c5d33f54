import shutil

import pytest

from ocrjury.store.workspace import open_store
from tests.frontends.sheets.worked_sheets import Desk, an_item


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory):
    """The folder of a store without an evaluation: making its tables takes longest."""
    home = tmp_path_factory.mktemp("sheets") / "home"
    with open_store(home=home):
        pass
    return home


@pytest.fixture
def store(empty_home, tmp_path):
    shutil.copytree(empty_home, tmp_path / "home")
    with open_store(home=tmp_path / "home") as store:
        yield store


@pytest.fixture
def desk(store, tmp_path):
    """An evaluation that was just opened."""
    return Desk(store, tmp_path)


@pytest.fixture
def collecting(desk):
    """The same with an open round: three items, rated by R01 and R02."""
    return desk.collect(an_item("d1"), an_item("d2"), an_item("d3"))
