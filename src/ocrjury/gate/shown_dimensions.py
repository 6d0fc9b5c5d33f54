"""The one rule on what may be printed of a dimension, for report, artifact and desk."""


def is_shown(own: str | None, *, trusted: bool) -> bool:
    """Return whether estimates on a dimension are printed.

    A person may release an evaluation against the gate. That shows the dimensions on which the
    raters agree or may agree, never one on which the gate found that they do not.

    Parameters
    ----------
    own
        The gate's decision on the dimension, None where there is none.
    trusted
        Whether the gate passed, or a person released the evaluation.

    Examples
    --------
    >>> is_shown("INCONCLUSIVE", trusted=True), is_shown("FAIL", trusted=True)
    (True, False)
    """
    return trusted and own != "FAIL"
