"""The rounds in which the rating page is measured and its pictures are taken."""

import sqlalchemy as sa

from benchmarks.rating_world import campaign_of, fields, new_world, rate
from ocrjury.store.database import reading


def test_a_round_of_the_example_is_rated_beforehand(tmp_path):
    line, *_ = fields()
    with new_world(tmp_path, {"R01": [line]}) as world:
        campaign = campaign_of(world)
        rate(world, "R01", {line["doc_id"]: (5.0, 4.0, 3.0)})
        with reading(world.store.engine) as connection:
            stored = connection.execute(sa.text("select dimension, value from ratings")).all()

    assert world.dimensions == tuple(dimension.name for dimension in campaign.rubric.dimensions)
    assert dict(map(tuple, stored)) == dict(zip(world.dimensions, (5.0, 4.0, 3.0), strict=True))
