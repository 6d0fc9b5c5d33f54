"""Names that the templates of a report may use, and whether a path leads anywhere."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType, NoneType, SimpleNamespace, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from ocrjury.campaign.problems import nearest
from ocrjury.pages.own_templates import is_own
from ocrjury.report import sections as package
from ocrjury.report.data import ReportData

SENTENCES = SimpleNamespace(
    **{
        module.name: import_module(f"{package.__name__}.{module.name}")
        for module in iter_modules(package.__path__)
    }
)
"""Modules that the templates call ``say``, by name."""
_ROOTS: Mapping[str, object] = {"report": ReportData, "say": SENTENCES}
GIVEN = tuple(_ROOTS)
"""Names that templates of a campaign know, beside functions."""


def absent(path: tuple[str, ...]) -> str | None:
    """Sentence on the first name of a path that is nowhere, None if all are known.

    Examples
    --------
    >>> absent(("report", "identity", "titel"))
    "report.identity has no 'titel'. Did you mean 'title'?"
    >>> absent(("say", "cover", "outcome_text")), absent(("loop", "index"))
    (None, None)
    """
    place: object = _ROOTS.get(path[0])
    for at, name in enumerate(path[1:], start=1):
        known = _names(place)
        if known is None:
            return None
        if name not in known:
            return f"{'.'.join(path[:at])} has no {name!r}.{nearest(name, sorted(known))}"
        place = known[name]
    return None


def _names(place: object) -> Mapping[str, object] | None:
    """Names in a record or a module, with their types; None where unknown."""
    if isinstance(place, SimpleNamespace):
        return vars(place)
    if isinstance(place, ModuleType):
        return dict.fromkeys(name for name in vars(place) if is_own(place, name))
    if not isinstance(place, type) or not place.__module__.startswith("ocrjury."):
        return None
    makers = {k: v.fget for k, v in vars(place).items() if isinstance(v, property)}
    hints = {name: get_type_hints(make).get("return") for name, make in makers.items()}
    types = {name: _type(hint) for name, hint in (get_type_hints(place) | hints).items()}
    return {name: types.get(name) for name in {*dir(place), *types} if not name.startswith("_")}


def _type(hint: Any) -> object:
    """Class of a value that may be absent."""
    united = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    classes = [part for part in united if part is not NoneType]
    return classes[0] if len(classes) == 1 else None
