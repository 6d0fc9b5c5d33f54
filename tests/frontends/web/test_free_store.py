"""While a rating page is printed, which takes long for long texts, the store is free for others."""

import pytest

from ocrjury.frontends.web import Site, item_page
from ocrjury.store.database import writing
from tests.frontends.web.test_watching import ask


@pytest.mark.parametrize("path", ["/rate", "/rate/{visit}", "/rate/ahead?after={visit}"])
def test_others_write_while_a_page_is_printed(rounds, client_of, monkeypatch, path):
    place = rounds(raters=("R01",))
    client = client_of(place, "R01")
    visit, *_ = client.open()
    printed, view = [], item_page.view_item

    def view_item(*arguments, **options):
        with writing(place.store.engine) as connection:
            connection.exec_driver_sql("UPDATE drafts SET rev = rev")
        printed.append(path)
        return view(*arguments, **options)

    monkeypatch.setattr(item_page, "view_item", view_item)
    answer = ask(Site(place.store), path.format(visit=visit), Cookie=client.cookie)

    assert answer.status_code == 200
    assert "data-visit" in answer.text
    assert printed == [path]
