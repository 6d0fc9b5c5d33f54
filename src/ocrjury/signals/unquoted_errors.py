"""Errors that are not ours, named and never quoted: their messages may quote a document.

The page of a run in Prefect, its states and every log show of them the kind and the places in the
code. What an error of ours says is written for people, and stays.
"""

import logging
from typing import Any

from ocrjury.errors import OcrjuryError

_HIDDEN = "says_nothing"


def why(error: BaseException) -> str:
    """Cause of an error, for emails and logs.

    Examples
    --------
    >>> why(KeyError("김철수")), why(FileNotFoundError(2, "No such file", "kim.png"))
    ('KeyError', 'FileNotFoundError: No such file')
    """
    if isinstance(error, OcrjuryError):
        return str(error)
    kind, reason = type(error).__name__, getattr(error, "strerror", None)
    return f"{kind}: {reason}" if reason else kind


def unquoted(error: BaseException) -> BaseException:
    """The error if it is ours, else one of its kind without a message, raised at the same place.

    Examples
    --------
    >>> unquoted(ValueError("김철수"))
    ValueError()
    >>> isinstance(unquoted(KeyError("김철수")), KeyError)
    True
    """
    return _unquoted(error, seen=set())


def _unquoted(error: BaseException, *, seen: set[int]) -> BaseException:
    seen.add(id(error))
    hidden = error if _is_harmless(error) else _nameless(error)
    chain = {
        name: _unquoted(earlier, seen=seen)
        for name in ("__cause__", "__context__")
        if (earlier := getattr(error, name)) is not None and id(earlier) not in seen
    }
    if hidden is error and all(chain[name] is getattr(error, name) for name in chain):
        return error
    if hidden is error:
        hidden = type(error).__new__(type(error), *error.args)
        hidden.__dict__ |= error.__dict__
        hidden.__dict__.pop("__notes__", None)
    hidden.__cause__, hidden.__context__ = chain.get("__cause__"), chain.get("__context__")
    hidden.__suppress_context__ = error.__suppress_context__
    return hidden.with_traceback(error.__traceback__)


def _is_harmless(error: BaseException) -> bool:
    return isinstance(error, OcrjuryError) or getattr(error, _HIDDEN, False)


def _nameless(error: BaseException) -> BaseException:
    """Error of the same kind that says nothing."""
    kind, reason = type(error), getattr(error, "strerror", None) or ""
    own = {
        _HIDDEN: True,
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__init__": lambda _self: None,
        "__str__": lambda _self: reason,
        "__repr__": lambda _self: f"{kind.__name__}()",
    }
    try:
        hidden: BaseException = type(kind.__name__, (kind,), own)()
    except TypeError:  # not a base of any other, or made with more than a message
        base: type[BaseException] = Exception if isinstance(error, Exception) else BaseException
        hidden = type(kind.__name__, (base,), own)()
    return hidden


def log_unquoted() -> None:
    """Write no message of such an error into any log of this process, from now on."""
    make = logging.getLogRecordFactory()
    if getattr(make, "unquoted", False):
        return

    def make_unquoted(*arguments: Any, **options: Any) -> logging.LogRecord:
        return _without_quotes(make(*arguments, **options))

    make_unquoted.unquoted = True  # type: ignore[attr-defined]  # so that it is not made twice
    logging.setLogRecordFactory(make_unquoted)


def _without_quotes(record: logging.LogRecord) -> logging.LogRecord:
    """Record in which errors that are not ours are named only."""
    record.msg = _named(record.msg)
    if isinstance(record.args, tuple):
        record.args = tuple(map(_named, record.args))
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return record
    hidden = unquoted(error)
    record.exc_info = (type(hidden), hidden, hidden.__traceback__)
    if hidden is not error and not isinstance(error, OcrjuryError) and str(error):
        message = str(record.msg) % record.args if record.args else str(record.msg)
        if str(error) in message:
            record.msg, record.args = message.replace(str(error), why(error)), ()
    return record


def _named(value: Any) -> Any:
    return why(value) if isinstance(value, BaseException) else value
