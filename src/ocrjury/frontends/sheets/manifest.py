"""The manifest of a sheet: whose it is and for what, signed, on a hidden sheet of the workbook."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Self

from ocrjury.errors import InputError
from ocrjury.frontends.sheets.signatures import signature, signed

MANIFEST = "manifest"
"""Title of the hidden sheet."""
FORMAT = "ocrjury-sheet-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Whose sheet it is and for what.

    Attributes
    ----------
    rows
        How many items it was handed out with.
    sessions
        Whether it has a column of sessions.
    exported_at
        ISO time.
    """

    evaluation: str
    round: int
    rater: str
    rubric_hash: str
    language: str
    rows: int
    sessions: bool
    exported_at: str
    version: str

    def cells(self, key: bytes) -> list[tuple[str, str]]:
        """Names and texts to be written, with the signature."""
        facts = self._facts()
        return [*facts.items(), ("signature", signature(key, facts))]

    @classmethod
    def read(cls, cells: Mapping[str, str], *, key: bytes) -> Self:
        """Manifest that `cells` wrote.

        Raises
        ------
        InputError
            If it is incomplete, changed, or of another store.
        """
        names = ["format", *(one.name for one in fields(cls))]
        facts = {name: cells.get(name, "") for name in names}
        if facts["format"] != FORMAT:
            raise InputError(
                f"its hidden sheet {MANIFEST!r} says it is {facts['format'][:40]!r} and not "
                f"{FORMAT!r}; it is not a sheet of `ocrjury sheets export` of this version"
            )
        if not signed(key, facts, cells.get("signature", "")):
            raise InputError(
                f"its hidden sheet {MANIFEST!r} was changed, or another store wrote it (its key is "
                "in the file sheets.key of that store's folder)"
            )
        return cls(
            evaluation=facts["evaluation"],
            round=int(facts["round"]),
            rater=facts["rater"],
            rubric_hash=facts["rubric_hash"],
            language=facts["language"],
            rows=int(facts["rows"]),
            sessions=facts["sessions"] == "yes",
            exported_at=facts["exported_at"],
            version=facts["version"],
        )

    def _facts(self) -> dict[str, str]:
        """Signed facts as texts, because programs change numbers."""
        plain = {name: _text(value) for name, value in asdict(self).items()}
        return {"format": FORMAT, **plain}


def _text(value: object) -> str:
    """Value as a text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
