"""Services as the shipped files of Docker Compose and systemd describe them."""

import re
import shlex
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parents[2] / "deployments"
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
VARIABLE = re.compile(r"(?<!\$)\$\{([A-Z_]+)(?::[-?]([^}]*))?\}")


def read_unit(path):
    """Lines of a unit by section and key; a key may have several lines."""
    sections, section = {}, {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            section.setdefault(key, []).append(value)
    return sections


UNITS = {path.name: read_unit(path) for path in sorted((FOLDER / "systemd").glob("ocrjury*.*"))}
STARTED = {name: unit for name, unit in UNITS.items() if name.endswith(".service")}
ENTRY = ["/opt/ocrjury/bin/python", "-m", "ocrjury.deployments.entry"]


def filled(text, **values):
    """Text with its variables, or their defaults."""
    return VARIABLE.sub(lambda match: values.get(match[1], match[2] or ""), str(text))


def command_of(unit):
    """Command that a unit starts by the entry, as Compose would write it."""
    words = shlex.split(unit["Service"]["ExecStart"][0].replace("%%", "%"))
    assert words[:3] == ENTRY
    return words[3:]


def backup_in(command):
    """Words of the backup that a shell starts, with a date in place of the command for one."""
    shell, option, script = command
    assert (shell, option) == ("sh", "-c")
    dated = re.sub(r"\$\$?\(date [^)]*\)", "2026-11-24T023000", script)
    return shlex.split(dated.removeprefix("exec "))


def environment_of(unit):
    """Variables that a unit sets."""
    words = [word for line in unit["Service"]["Environment"] for word in shlex.split(line)]
    return dict(word.split("=", 1) for word in words)
