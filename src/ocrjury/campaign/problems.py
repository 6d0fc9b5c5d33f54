"""Validation errors of pydantic as sentences: key, value found, values allowed."""

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from ocrjury import sentences
from ocrjury.campaign.yaml_source import Place, YamlSource
from ocrjury.errors import InputError

_SECRET = ("password", "token", "secret", "key", "url_env")
_LONGEST_WORD = 200  # of a key or name that somebody misspelt
_UNCALLED = "default_factory_not_called"  # follows from another problem


def refuse(source: YamlSource, model: type[BaseModel], error: ValidationError) -> InputError:
    """`InputError` that lists every problem of a YAML file, with its line."""
    problems = [(source.line(place), sentence) for place, sentence in explain(model, error)]
    if len(problems) == 1:
        return InputError(f"{source.path}, line {problems[0][0]}: {problems[0][1]}")
    lines = "".join(f"\n- line {line}: {sentence}" for line, sentence in sorted(problems))
    return InputError(f"{source.path} has {len(problems)} problems:{lines}")


def explain(
    model: type[BaseModel], error: ValidationError
) -> Iterator[tuple[tuple[int | str, ...], str]]:
    """Yield place and sentence of every problem that pydantic found."""
    for problem in error.errors():
        if problem["type"] != _UNCALLED:
            place = tuple(part for part in problem["loc"] if part != "[key]")
            yield place, _sentence(model, place, problem)


def problem(place: Place, message: str, value: object = None) -> InitErrorDetails:
    """Problem that a validator saw; `together` raises several of them."""
    # Braces would be read as names of a format.
    kind = PydanticCustomError("rule", "{message}", {"message": message})
    return InitErrorDetails(type=kind, loc=tuple(place), input=value)


def together(title: str, problems: Sequence[InitErrorDetails]) -> None:
    """Raise all problems at once, if there are any."""
    if problems:
        raise ValidationError.from_exception_data(title, list(problems))


def nearest(word: str, words: Sequence[str]) -> str:
    """`` Did you mean 'x'?`` for a misspelt word, else nothing."""
    short = len(word) <= _LONGEST_WORD
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.6) if short else []
    return f" Did you mean {close[0]!r}?" if close else ""


def listed(words: Sequence[object]) -> str:
    """Words as people list them: ``a, b and c``."""
    texts = [word if isinstance(word, str) else str(word) for word in words]
    return sentences.listed(texts) if texts else ""


def shown(value: object, *, limit: int = 60) -> str:
    """Value as it looks in YAML, shortened."""
    match value:
        case None:
            return "empty"
        case bool():
            return str(value).lower()
        case dict():
            return "a section"
        case list() | tuple():
            return "a list"
        case _:
            text = repr(value)
            return text if len(text) <= limit else f"{text[: limit - 1]}…"


def key_path(place: Place) -> str:
    """``sampling.shares.random`` or ``dimensions[0].name``."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return "".join(parts).removeprefix(".")


def _sentence(model: type[BaseModel], place: Place, problem: ErrorDetails) -> str:
    kind, where = problem["type"], key_path(place)
    if kind == "extra_forbidden":
        return _unknown_key(model, place)
    if kind == "rule":
        return f"{where}: {problem['msg']}" if where else problem["msg"]
    if isinstance(cause := problem["input"], InputError):
        return f"{where}: {cause}".replace("\n", "\n  ")
    field, _ = _at(model, place)
    if kind == "missing":
        return f"{where} is missing; give {_allowed(field, problem)}."
    secret = str(place[-1]).startswith(_SECRET) if place else False
    value_text = "something else (not shown)" if secret else shown(problem["input"])
    hint = ""
    if kind == "literal_error" and field is not None:
        hint = nearest(str(problem["input"]), [str(choice) for choice in _choices(field)])
    whole = key_path(place[:-1]) if place and isinstance(place[-1], int) else "it"
    return f"{where} is {value_text}; {whole} must be {_allowed(field, problem)}.{hint}"


def _unknown_key(model: type[BaseModel], place: Place) -> str:
    owner = _at(model, place[:-1])[1] or model
    keys = [field.alias or name for name, field in owner.model_fields.items()]
    key, section = str(place[-1]), key_path(place[:-1])
    if f"{key}_env" in keys:
        return (
            f"{key_path(place)} has no place in this file; name the environment variable that "
            f"holds the {key} in {key}_env."
        )
    return (
        f"{key_path(place)} is not known.{nearest(key, keys)} Allowed "
        f"{f'in {section}' if section else 'at the top'}: {', '.join(keys)}."
    )


def _allowed(field: FieldInfo | None, problem: ErrorDetails) -> str:
    if field is None:
        return problem["msg"]
    choices = _choices(field)
    words = f"one of {', '.join(str(choice) for choice in choices)}" if choices else ""
    return words or field.description or problem["msg"]


def _choices(field: FieldInfo) -> tuple[Any, ...]:
    """Values of a ``Literal``, also inside ``X | None``."""
    annotation = field.annotation
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return tuple(
        choice
        for part in get_args(annotation)
        if get_origin(part) is Literal
        for choice in get_args(part)
    )


def _at(model: type[BaseModel], place: Place) -> tuple[FieldInfo | None, type[BaseModel] | None]:
    """Nearest declared key on the way to a place, and its section.

    Numbers and names of a list or mapping are passed over.
    """
    field: FieldInfo | None = None
    section: type[BaseModel] | None = model
    for part in place:
        keys = section.model_fields if section else {}
        step = next((key for name, key in keys.items() if (key.alias or name) == part), None)
        if step is not None:
            field, section = step, _inner(step.annotation)
    return field, section


def _inner(annotation: object) -> type[BaseModel] | None:
    """Section that a key holds, also inside a list, a mapping or ``X | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    parts = (_inner(part) for part in get_args(annotation))
    return next((part for part in parts if part is not None), None)
