"""Numbers as people write them in files and on command lines."""


def plain_number(text: str) -> float | None:
    """Number that a text holds, None if it is none; Python alone reads ``1_0`` as ten.

    A minus sign may be the one of typesetters, which spreadsheets and our own tables print.

    >>> plain_number("4.5"), plain_number("−1"), plain_number("1_0")
    (4.5, -1.0, None)
    """
    try:
        return None if "_" in text else float(text.replace("−", "-"))
    except ValueError:
        return None
