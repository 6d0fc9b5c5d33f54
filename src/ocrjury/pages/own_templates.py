"""Templates that somebody brings: their blocks take the place of ours, and run in a sandbox.

A template reaches what it is given and nothing behind it: no file, no module, no change of what
other templates print.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from types import ModuleType, TracebackType
from typing import Any, NamedTuple

from jinja2 import (
    ChoiceLoader,
    DictLoader,
    PrefixLoader,
    Template,
    TemplateError,
    nodes,
)
from jinja2.runtime import Context, markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ocrjury.errors import OcrjuryError
from ocrjury.pages.environment import equipped, packaged
from ocrjury.pages.own_syntax import PLAIN, REMOVED, on_plain, plain, secured
from ocrjury.pages.own_work import check_format, check_sign, spend, spend_on, working

OURS = "ocrjury"
"""First part of the name by which a template extends the one that it replaces blocks of."""
_CALLED = {"ocrjury", "jinja2", "markupsafe", "builtins", "datetime", "math"}
"""Modules whose functions a template may call; builtins are those of texts, numbers and lists."""
_FAILURES = "_failures"
_RAISED = (
    TemplateError,
    OcrjuryError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Errors of an expression in a template when the data are not what it expects."""


class Failure(NamedTuple):
    """A block that could not be printed with the data of a page, so that ours stands there."""

    file: str
    line: int
    block: str
    why: str


class _Blocks(Context):
    """Names of a template, and its blocks, of which ours stands in for one that fails."""

    def __init__(  # noqa: PLR0917  # as Jinja calls it
        self,
        environment: "Sandbox",
        parent: dict[str, Any],
        name: str | None,
        blocks: dict[str, Callable[[Context], Iterator[str]]],
        globals: Any = None,  # noqa: A002  # Jinja's name
    ) -> None:
        super().__init__(environment, parent, name, blocks, globals)
        if name in environment.own:
            self.blocks = {
                key: [partial(_either, key), *block] for key, block in self.blocks.items()
            }


class Sandbox(ImmutableSandboxedEnvironment):
    """Environment of templates that are not ours; `own` are their names."""

    own: frozenset[str] = frozenset()
    context_class = _Blocks
    intercepted_binops = frozenset({"%", "*", "+", "**"})
    turn = staticmethod(spend)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """Tree of a template, secured if it is not ours."""
        tree = super()._parse(source, name, filename)
        return secured(tree) if name in self.own else tree

    def _generate(self, source: nodes.Template, *given: Any, **named: Any) -> str:
        """Code of a template; what does not depend on data is worked out here."""
        with working():
            return super()._generate(source, *given, **named)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: PLR0917  # as its base
        """Result of a sign between two values, if it has an end."""
        if operator == "%":
            left = plain(left)
        check_sign(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def put_together(self, parts: list[Any]) -> str:
        """Text of parts, as ``~`` puts it together."""
        spend(sum(len(part) if isinstance(part, str) else 1 for part in parts))
        return markup_join(parts)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805, PYI063  # as its base
        """Call a function, of a text only if that has an end."""
        # Jinja wraps those of texts that fill in a format.
        text = getattr(getattr(__obj, "__wrapped__", __obj), "__self__", None)
        if isinstance(text, str):
            spend_on((text, *args))
            if __obj.__name__.startswith("format"):
                check_format(text)
        return super().call(__context, __obj, *args, **kwargs)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Attribute of a value; markup has those of a text."""
        return super().getattr(plain(obj), attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Item or attribute of a value; markup has those of a text."""
        return super().getitem(plain(obj), argument)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return whether a template may see an attribute; a module's imports are not part of it."""
        if isinstance(obj, ModuleType):
            return is_own(obj, attr)
        return super().is_safe_attribute(obj, attr, value)

    def is_safe_callable(self, obj: Any) -> bool:
        """Return whether a template may call something."""
        home = getattr(obj, "__module__", None) or type(getattr(obj, "__self__", None)).__module__
        return home.partition(".")[0] in _CALLED and super().is_safe_callable(obj)


def is_own(module: ModuleType, name: str) -> bool:
    """Return whether a template may see a name of a module."""
    value = getattr(module, name, None)
    if name.startswith("_") or isinstance(value, ModuleType):
        return False
    return not callable(value) or getattr(value, "__module__", None) == module.__name__


@lru_cache(maxsize=4)
def sandbox(folder: str, files: tuple[tuple[str, str], ...]) -> Sandbox:
    """Environment in which templates, by name and text, stand before those of our folder."""
    own = {f"{folder}/{name}": text for name, text in files}
    ours = packaged()
    made = equipped(Sandbox, ChoiceLoader([DictLoader(own), PrefixLoader({OURS: ours}), ours]))
    made.own = frozenset(own)
    made.filters = {
        name: on_plain(name, function)
        for name, function in {**made.filters, PLAIN: str}.items()
        if name not in REMOVED
    }
    del made.globals["lipsum"]
    return made


def render_own(
    folder: str, files: Mapping[str, str], template: str, **context: object
) -> tuple[str, Sequence[Failure]]:
    """Text of a template of a folder in which files replace blocks, and what of them failed."""
    failures: list[Failure] = []
    made = sandbox(folder, tuple(sorted(files.items())))
    text = made.get_template(template).render({**context, _FAILURES: failures})
    return text, failures


def _either(block: str, context: Context) -> Iterator[str]:
    """Text of a block, or that of ours where it fails."""
    _, own, *ours = context.blocks[block]
    try:
        with working():
            text = "".join(own(context))
    # The rest of the report does not depend on an expression of theirs.
    except _RAISED as error:
        if not ours:
            raise
        context[_FAILURES].append(_failure(context.name or "", block, error))
        text = "".join(ours[0](context))
    yield text


def _failure(name: str, block: str, error: Exception) -> Failure:
    lines = [
        template.get_corresponding_lineno(line)
        for template, line in _places(error.__traceback__)
        if template.name == name
    ]
    why = str(error).rstrip(".")[:200] or type(error).__name__
    return Failure(name.rpartition("/")[2], lines[-1] if lines else 1, block, why)


def _places(trace: TracebackType | None) -> Iterator[tuple[Template, int]]:
    """Yield templates that were at work in a traceback, and lines of their code in Python."""
    while trace is not None:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            yield template, trace.tb_lineno
        trace = trace.tb_next
