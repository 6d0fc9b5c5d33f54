"""Names for projects and tasks that tell nothing about what they stand for.

The name of an assignment holds its item and whether it is asked a second time. A key is a hash of
it together with facts that only the store has, so that nobody who sees tasks can guess and check.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Self

from ocrjury.store.evaluations import Evaluation

_SIZE = 16


@dataclass(frozen=True, slots=True)
class OpaqueKeys:
    """The keys of one evaluation; the same at every time and on every machine with its store.

    Examples
    --------
    >>> keys = OpaqueKeys(bytes(32))
    >>> keys.of("claims-2026w47/1/R01/0/d7")
    '019c031f46a26b342b7d62c69ff1e89b'
    """

    secret: bytes

    @classmethod
    def of_evaluation(cls, row: Evaluation) -> Self:
        """Keys of an evaluation."""
        facts = (row.evaluation, row.config_hash, row.rubric_hash, row.seed, row.opened_at)
        return cls(blake2b(repr(facts).encode(), digest_size=32).digest())

    def of(self, *parts: str) -> str:
        """Key of an assignment, or of whatever the parts name together."""
        text = "\n".join(parts).encode()
        return blake2b(text, key=self.secret, digest_size=_SIZE).hexdigest()
