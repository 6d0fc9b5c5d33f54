"""What the doors of ratings are tested with."""

import pytest

from ocrjury.frontends.ingest import rule_breaks
from ocrjury.store.database import writing
from ocrjury.text import compare_field


@pytest.fixture
def compared_beside_a_writer(monkeypatch):
    """Give a list of the kinds of fields that are compared from now on.

    While one is compared another writes in the store, which would wait for a transaction that waits
    for the comparison.
    """

    def compared_in(engine):
        kinds = []

        def slowly(*texts, kind):
            with writing(engine):
                kinds.append(kind)
            return compare_field(*texts, kind=kind)

        monkeypatch.setattr(rule_breaks, "compare_field", slowly)
        return kinds

    return compared_in
