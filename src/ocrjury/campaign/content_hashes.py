"""One spelling of plain values, so that equal content has an equal hash."""

import hashlib
import json


def canonical_json(body: object) -> str:
    """Strict JSON with sorted keys and no spaces.

    >>> canonical_json({"b": 1, "a": "한글"})
    '{"a":"한글","b":1}'
    """
    return json.dumps(
        body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def content_hash(body: object) -> str:
    """SHA-256 of plain values, as 64 hexadecimal digits."""
    # What is refused for a lone surrogate has a hash, too.
    whole = canonical_json(body).encode(errors="backslashreplace")
    return hashlib.sha256(whole).hexdigest()
