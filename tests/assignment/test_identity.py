from ocrjury.assignment.identity import canonical_order


def test_numbers_are_ordered_as_numbers_and_text_as_text():
    assert canonical_order([10, 9, 1.5]) == [1.5, 9, 10]
    assert canonical_order(["10", "9"]) == ["10", "9"]


def test_mixed_ids_have_an_order_of_their_own():
    mixed = ["b", 2, ("a", 1), 1]

    assert canonical_order(mixed) == canonical_order(mixed[::-1])
