"""The errors that this library raises on purpose.

::

    OcrjuryError
    ├── InputError (ValueError)       the caller's data cannot be used as they are
    ├── MissingDependencyError        a library or font that this machine lacks
    └── StateError                    an evaluation is not where the call needs it
        ├── RefusedError              a decision does not fit the state
        └── LostRaceError             another process moved it first; nothing was written
"""


class OcrjuryError(Exception):
    """Base of every error raised on purpose by this library."""


class InputError(OcrjuryError, ValueError):
    """The caller's data cannot be used as they are."""


class MissingDependencyError(OcrjuryError, RuntimeError):
    """The machine lacks something; the sentence says how to get it."""


class StateError(OcrjuryError, RuntimeError):
    """An evaluation is not in the state that the call needs."""


class RefusedError(StateError):
    """A decision does not fit the state; the sentence names those that do."""


class LostRaceError(StateError):
    """Another process moved this evaluation first; nothing of ours was written."""
