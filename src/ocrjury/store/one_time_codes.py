"""One-time codes of an app (TOTP): a key of a lead, and six digits that change twice a minute.

RFC 6238 (2011), with SHA-1 and steps of 30 seconds, which every app knows; RFC 4226 truncates.
"""

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Final
from urllib.parse import quote

STEP: Final = 30
"""Seconds for which a code is the present one."""
DIGITS: Final = 6
DRIFT: Final = 1
"""Steps by which the clock of a telephone may be wrong."""


def new_key() -> str:
    """Draw a key of 160 bits in the letters that apps take."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def key_address(key: str, who: str) -> str:
    """Address of a key that apps open.

    Examples
    --------
    >>> key_address("GEZDGNBV", "J. Kim")
    'otpauth://totp/ocrjury:J.%20Kim?secret=GEZDGNBV&issuer=ocrjury'
    """
    return f"otpauth://totp/ocrjury:{quote(who)}?secret={key}&issuer=ocrjury"


def one_time_code(key: str, step: int, *, digits: int = DIGITS) -> str:
    """Code of a key at a step: the number of steps since 1970."""
    mac = hmac.digest(base64.b32decode(key), step.to_bytes(8), hashlib.sha1)
    start = mac[-1] & 0x0F
    number = int.from_bytes(mac[start : start + 4]) & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def step_of(key: str, code: str, *, now: datetime) -> int | None:
    """Step near this moment at which a key has a code, None if at none."""
    given = "".join(code.split()).encode()
    present = int(now.timestamp()) // STEP
    steps = range(present - DRIFT, present + DRIFT + 1)
    matching = [
        step for step in steps if hmac.compare_digest(one_time_code(key, step).encode(), given)
    ]
    return matching[-1] if matching else None
