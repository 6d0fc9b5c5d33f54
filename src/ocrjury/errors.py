"""Errors that this library raises on purpose.

::

    OcrjuryError
    ├── InputError (ValueError)       data that cannot be used as given
    ├── MissingDependencyError        a library or font that this machine lacks
    ├── StoreError                    a store that is full, read-only, away, busy or damaged
    └── StateError                    an evaluation is not in the required state
        ├── RefusedError              a decision does not fit the state
        └── LostRaceError             another process changed it first; nothing was written
"""

from typing import Literal


class OcrjuryError(Exception):
    """Base class of all errors raised on purpose by this library."""


class InputError(OcrjuryError, ValueError):
    """Data that cannot be used as given."""


class MissingDependencyError(OcrjuryError, RuntimeError):
    """A library, font or database that this machine lacks; the message says how to get it.

    Attributes
    ----------
    lack
        What is lacking, without the remedy; empty where the message says no more.
    remedy
        How to get it; empty as ``lack``.
    """

    def __init__(self, message: str, *, lack: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.lack, self.remedy = lack, remedy


class MissingFontError(MissingDependencyError):
    """A font that this machine lacks for a text; ``lack`` is what no font has."""


Ailment = Literal["full", "read-only", "away", "busy", "damaged"]


class StoreError(OcrjuryError, RuntimeError):
    """A store that cannot be used at present; the message says why, and what helps.

    Attributes
    ----------
    ailment
        What is wrong with it, in a word.
    """

    def __init__(self, ailment: Ailment, sentence: str) -> None:
        super().__init__(sentence)
        self.ailment: Ailment = ailment


class StateError(OcrjuryError, RuntimeError):
    """An evaluation that is not in the state that the call requires."""


class RefusedError(StateError):
    """A decision that does not fit the state; the message names those that do."""


class LostRaceError(StateError):
    """Another process changed this evaluation first; nothing was written."""
