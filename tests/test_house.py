"""Rules of the house that no linter knows."""

import ast
import gc
import re
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.nodes import Name

ROOT = Path(__file__).resolve().parents[1]
TASK_LINES = 15
FUNCTION_LINES = 40
FILE_LINES = 300
LIBRARY = ("src/ocrjury", "tasks", "flows", "deployments")
WAITS = {"wait", "join", "result", "acquire"}
OPENS = {"urlopen", "create_connection", "SMTP", "communicate"}
OF_MODULES = {"subprocess": {"run", "call", "check_call", "check_output"}, "psycopg": {"connect"}}
LIMITS = {"timeout", "connect_timeout", "seconds", None}
ENDLESS = {
    "src/ocrjury/scoring/processes.py": "processes that a timer kills, or the end of their parent",
    "src/ocrjury/whole_files.py": "a lock of a new file, which others take to remove it only",
    "deployments/demo.py": "the result of a state that is final",
    "tests/flows/scoring_run.py": "a lock that is taken only if it is free",
    "tests/children.py": "a line of which something is there already",
    "tests/mailbox.py": "a second mail, for which whoever sent the first has a limit",
}
"""Files that may wait without a limit, and for what."""

VAGUE = {"one", "found", "said", "told", "there", "asked"}
SHELLS = {"system", "popen", "getoutput", "getstatusoutput", "create_subprocess_shell"}
WRITES = {"write_text", "write_bytes", "copyfile", "copy2", "copytree"}
WRITERS = {
    "src/ocrjury/whole_files.py": "here it is done",
    "src/ocrjury/report/pdf_child.py": "its standard output",
    "deployments/deploy.py": "a folder for temporary files",
    "src/ocrjury/store/backups/manifest.py": "a folder that gets its name when it is whole",
    "src/ocrjury/delivery/shared_folder.py": "a part that is moved into its place",
}
"""Files that may write a file by themselves, and where."""


def python_files(*folders):
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


@cache
def tree(path):
    """A file as it is parsed; to look for garbage in it, again and again, would take longer."""
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.freeze()
        gc.enable()


@cache
def nodes(path):
    """Everything in a file; many rules look through it."""
    found = [tree(path)]
    for node in found:  # as ast.walk, in half the time
        for part in vars(node).values():
            if isinstance(part, list):
                found += [one for one in part if isinstance(one, ast.AST)]
            elif isinstance(part, ast.AST):
                found.append(part)
    return found


@cache
def functions(path):
    return [
        node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def called(call):
    """What a call calls, as it is written."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return f"{function.value.id}.{function.attr}"
    return _unparsed(function)


@cache
def _unparsed(node):
    return ast.unparse(node)


def decorated(path, decorator):
    """Functions of a file that bear a decorator, with or without arguments."""
    return [
        function
        for function in functions(path)
        if any(
            isinstance(name, ast.Name) and name.id == decorator
            for line in function.decorator_list
            for name in ast.walk(line)
        )
    ]


def lines_of_body(function):
    """Lines of a function without its head and its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_a_file_and_a_function_are_short_enough_to_be_read_at_once():
    longer = [
        f"{path.relative_to(ROOT)}: {function.name}"
        for path in python_files(*LIBRARY)
        for function in functions(path)
        if lines_of_body(function) > FUNCTION_LINES
    ]
    longer += [
        str(path.relative_to(ROOT))
        for path in python_files(*LIBRARY)
        if len(path.read_text(encoding="utf-8").splitlines()) > FILE_LINES
    ]

    assert not longer


def test_a_task_is_short_enough_to_be_nothing_but_plumbing():
    longer = {
        f"{path.stem}.{task.name}"
        for path in python_files("tasks")
        for task in decorated(path, "task")
        if lines_of_body(task) > TASK_LINES
    }

    assert longer == set()


@pytest.mark.parametrize(("folder", "decorator"), [("tasks", "task"), ("flows", "flow")])
def test_every_module_of_a_folder_holds_what_the_folder_is_for(folder, decorator):
    others = [
        path.name
        for path in python_files(folder)
        if path.name != "__init__.py" and not decorated(path, decorator)
    ]

    assert others == []


def test_a_flow_reads_as_a_table_of_contents():
    for path in python_files("flows"):
        for function in functions(path):
            assert lines_of_body(function) <= TASK_LINES, function.name
        for flow in decorated(path, "flow"):
            assert lines_of_body(flow) <= 10, flow.name
            inside = {type(node) for node in ast.walk(flow)}
            assert not inside & {ast.For, ast.While, ast.ListComp, ast.Lambda}, flow.name
        imported = {
            name.partition(".")[0]
            for node in nodes(path)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [getattr(node, "module", None) or node.names[0].name]
        }
        assert not imported & {"numpy", "pandas", "pyarrow", "scipy", "sqlalchemy"}, path.name


def test_one_module_writes_csv_and_no_text_of_it_is_a_formula():
    """A second writer would have to know what a spreadsheet runs."""
    writers = {"to_csv", "write_csv", "to_excel", "savetxt", "DictWriter"}
    others = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in python_files(*LIBRARY)
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and ((name := called(node)) == "csv.writer" or name.split(".")[-1] in writers)
    ]
    cells = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in python_files(*LIBRARY)
        for node in nodes(path)
        if isinstance(node, ast.Call) and (name := called(node)).endswith("sheet.cell")
    ]

    assert others == ["src/ocrjury/ratings/csv_tables.py: csv.writer"]
    assert cells == ["src/ocrjury/frontends/sheets/styles.py: sheet.cell"]


def asserts(node):
    """Whether a function checks anything itself."""
    return any(
        isinstance(part, ast.Assert)
        or (
            isinstance(part, ast.Call)
            and ("assert_" in (name := called(part)) or name.startswith("pytest."))
        )
        for part in ast.walk(node)
    )


def test_no_test_asserts_nothing():
    silent = []
    for path in python_files("tests"):
        helpers = {function.name for function in functions(path) if asserts(function)}
        silent += [
            f"{path.relative_to(ROOT)}::{test.name}"
            for test in functions(path)
            if test.name.startswith("test_")
            and path.name.startswith("test_")
            and not asserts(test)
            and not helpers
            & {
                called(part).rpartition(".")[2]
                for part in ast.walk(test)
                if isinstance(part, ast.Call)
            }
        ]

    assert silent == []


def has_no_limit(call):
    """Whether a call waits for another process, thread or machine, however long that takes."""
    if {word.arg for word in call.keywords} & LIMITS:
        return False
    owner, _, name = called(call).rpartition(".")
    if name in OPENS or name in OF_MODULES.get(owner, ()):
        return True
    if name == "get" and not call.args:
        return owner.lower().endswith("queue")
    return name in WAITS and bool(owner) and not call.args and not owner.endswith("barrier")


def waits_for_a_lock(call):
    """Whether a call waits for a lock of the file system, or for what another process sends."""
    name = called(call).rpartition(".")[2]
    return (name in {"flock", "lockf"} and "LOCK_NB" not in ast.unparse(call)) or name == "recv"


def waits_for_another(node, text):
    """Whether a part of a file waits for what another process says, or for its end."""
    if isinstance(node, ast.With):
        return any(_started(item.context_expr, text) for item in node.items)
    if not isinstance(node, ast.Call):
        return False
    owner, _, name = called(node).rpartition(".")
    if name in {"waitpid", "waitid", "wait3", "wait4"}:
        return "WNOHANG" not in ast.unparse(node)
    if name in {"read", "readline", "readlines"}:
        return owner.endswith((".stdout", ".stderr"))
    return name in {"accept", "recv"} and owner != "dialog" and not _limited(owner, text)


def _started(expression, text):
    """Whether `with` holds a process, at whose end it waits."""
    if isinstance(expression, ast.Call):
        return called(expression).rpartition(".")[2] == "Popen"
    own = re.escape(ast.unparse(expression))
    return bool(re.search(rf"\b{own} = (subprocess\.)?Popen\(", text))


def _limited(owner, text):
    """Whether a file limits the waits of a pipe or a socket that it names so."""
    own = re.escape(owner)
    limits = rf"\b{own}\.(settimeout|poll)\(|\b{own} = .*timeout=|timeout=.*\bas {own}:"
    return bool(re.search(limits, text))


def module_name(path):
    """Name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else ("ocrjury", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(node):
    """What a file imports outside its functions, for types too; the module of a name comes last."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((name.name,) for name in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield from ((f"{child.module}.{name.name}", child.module) for name in child.names)
        elif isinstance(child, ast.ClassDef | ast.Try | ast.If):
            yield from imports_of(child)


def circle(modules):
    """First circle of imports among files by module, None if there is none."""
    graph = {
        name: {
            next((found for found in names if found in modules), "another package")
            for names in imports_of(tree(path))
        }
        - {name}
        for name, path in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def test_no_modules_import_each_other_in_a_circle():
    modules = {
        module_name(path): path for path in python_files("src", "tasks", "flows", "deployments")
    }

    assert circle(modules) is None


def test_nothing_waits_for_ever():
    folders = ("src", "tasks", "flows", "deployments", "tests", "benchmarks", "examples")
    endless = {
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in python_files(*folders)
        for call in nodes(path)
        if isinstance(call, ast.Call) and has_no_limit(call)
    }
    endless |= {
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in python_files(*LIBRARY)
        for call in nodes(path)
        if isinstance(call, ast.Call) and waits_for_a_lock(call)
    }

    endless |= {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in python_files(*LIBRARY, "tests", "examples")
        for text in [path.read_text(encoding="utf-8")]
        for node in nodes(path)
        if waits_for_another(node, text)
    }

    assert {place for place in endless if place.partition(":")[0] not in ENDLESS} == set()
    assert {place.partition(":")[0] for place in endless} == set(ENDLESS)


@pytest.mark.parametrize(
    "text",
    [
        "process.stdout.readline()",
        "child.stderr.read()",
        "os.waitpid(child, 0)",
        "os.wait4(child, 0)",
        "client, _ = listening.accept()",
        "pipe.recv()",
        "with subprocess.Popen(command) as child: pass",
        "child = Popen(command)\nwith child: pass",
        "other.settimeout(60)\nlistening.accept()",
    ],
)
def test_a_wait_for_another_process_is_seen(text):
    assert any(waits_for_another(node, text) for node in ast.walk(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "path.read()",
        "sys.stdin.readline()",
        "os.waitpid(-1, os.WNOHANG)",
        "dialog.accept()",
        "listening.settimeout(60)\nlistening.accept()",
        "pipe.poll(60)\npipe.recv()",
        "with create_connection(place, timeout=5) as client:\n    client.recv(1)",
        "with ending(child): pass",
    ],
)
def test_a_wait_with_a_limit_is_none(text):
    assert not any(waits_for_another(node, text) for node in ast.walk(ast.parse(text)))


def test_no_page_waits_for_an_answer_for_ever():
    """A script may give up every request; only one that outlives its page has nobody who waits."""
    scripts = {path.name: path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.js")}
    requests = [
        (name, asked.partition(");")[0])
        for name, script in scripts.items()
        for asked in script.split("fetch(")[1:]
    ]

    assert [asked for asked in requests if "signal" not in asked[1]] == []
    assert {name for name, script in scripts.items() if "AbortSignal.timeout(" in script} == {
        name for name, _ in requests
    }


def test_a_file_is_written_whole_or_not_at_all():
    """Whatever writes a file does so by `ocrjury.whole_files`."""
    writing = {
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in python_files(*LIBRARY)
        for call in nodes(path)
        if isinstance(call, ast.Call) and _writes(call)
    }

    assert {place for place in writing if place.partition(":")[0] not in WRITERS} == set()
    assert {place.partition(":")[0] for place in writing} == set(WRITERS)


def test_a_local_is_named_after_the_thing():
    """Not ``one``, ``found``, ``said``: rating, item, estimate (a field of a record may be so)."""
    vague = [
        f"{path.relative_to(ROOT)}:{function.lineno} {name}"
        for path in python_files(*LIBRARY)
        for function in functions(path)
        for name in sorted(_locals(function) & VAGUE)
    ]

    assert vague == []


def test_a_variable_of_a_template_is_named_after_the_thing():
    vague = [
        f"{path.relative_to(ROOT)} {name}"
        for path in sorted((ROOT / "templates").rglob("*.j2"))
        for name in sorted(_variables(path.read_text(encoding="utf-8")) & VAGUE)
    ]

    assert vague == []


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def f(told, *, said=1, **found): pass", {"told", "said", "found"}),
        ("def f(x):\n    for one in x: there = lambda asked: one", {"one", "there", "asked"}),
        ("async def f(x):\n    async with x as found: pass", {"found"}),
        ("def plural(one, many): pass", set()),
    ],
)
def test_a_vague_name_is_seen_whatever_it_names(code, names):
    assert _locals(ast.parse(code).body[0]) & VAGUE == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{% for one in rows %}{{ one }}{% endfor %}", {"one"}),
        ("{% macro m(found) %}{% set asked = 1 %}{% endmacro %}", {"found", "asked"}),
        ("{{ told }} {{ row.said }} {{ tr('{asked}', asked=row.asked) }}", {"told"}),
        ("{% set one, many = texts %}", set()),
    ],
)
def test_a_vague_variable_of_a_template_is_seen(text, names):
    assert _variables(text) & VAGUE == names


def _locals(function):
    """Names that a function gives, its parameters too; one and many are the forms of a plural."""
    names = {
        node.arg if isinstance(node, ast.arg) else node.id
        for node in ast.walk(function)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }
    return names - {"one"} if "many" in names else names


def _variables(text):
    """Names of variables in a template, except those of the forms of a plural."""
    names = {node.name for node in Environment().parse(text).find_all(Name)}
    return names - {"one"} if "many" in names else names


def test_contributing_names_the_floors_that_the_contract_holds():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [contract] = [
        contract
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["name"] == "floors inside the library"
    ]
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    block = text.partition("## The floors")[2].split("```")[1]

    assert [set(re.split(r"  +", line)[0].split(" | ")) for line in block.split("\n") if line] == [
        set(re.findall(r"\w+", floor)) for floor in contract["layers"]
    ]


def test_no_program_is_started_by_a_shell():
    """What starts programs gives each argument by itself, in which nothing is a command."""
    started = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in python_files(*LIBRARY)
        for call in nodes(path)
        if isinstance(call, ast.Call) and _starts_a_shell(call)
    ]

    assert started == []


@pytest.mark.parametrize(
    "line",
    ["os.system(x)", "os.popen(x)", "run(x, shell=True)", "Popen(x, shell=y)", "getoutput(x)"],
)
def test_a_shell_is_seen_however_it_is_started(line):
    assert _starts_a_shell(ast.parse(line, mode="eval").body)


def _starts_a_shell(call):
    """Whether a call gives a line to a shell."""
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    shell = [each.value for each in call.keywords if each.arg == "shell"]
    by_word = any(getattr(value, "value", True) is not False for value in shell)
    return name in SHELLS or by_word


def _writes(call):
    """Whether a call writes a file, or opens one to do so."""
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    given = [each.value for each in call.args if isinstance(each, ast.Constant)]
    given += [each.value.value for each in call.keywords if isinstance(each.value, ast.Constant)]
    modes = [each for each in given if isinstance(each, str) and len(each) <= 3]
    opens = name in {"open", "fdopen"} and any(set("wx") & set(mode) for mode in modes)
    return name in WRITES or opens
