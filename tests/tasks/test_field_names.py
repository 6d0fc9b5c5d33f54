"""What a pool calls its fields goes with the items that are drawn from it."""

from ocrjury.store.documents import list_items


def test_the_name_of_a_field_is_kept_with_its_item(small):
    for row in small.pool:
        row["field"] = " total\n amount "
    small.write(rounds={"frontend": "file"}).open()

    assert {item.field for item in small.stored(list_items)} == {"total amount"}
