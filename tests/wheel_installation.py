"""The wheel, installed in an environment of its own outside the clone."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Installed:
    """The command of a wheel in an environment of its own."""

    def __init__(self, folder, python, package):
        self.folder, self.python, self.package = folder, python, package
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
        self.environment = kept | {"HOME": str(folder), "PYTHONUNBUFFERED": "1"}

    def command(self, *arguments):
        return [str(self.python.with_name("ocrjury")), *map(str, arguments)]

    def run(self, *arguments, **environment):
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=400,
        )


def build_wheel(place):
    """The wheel in a folder outside the clone."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*build, "--directory", place], cwd=ROOT, check=True, timeout=120)
    [wheel] = place.glob("*.whl")
    return wheel


def install_wheel(place):
    """Install the wheel beside the packages of this environment, which takes seconds."""
    wheel = build_wheel(place)
    venv.create(place / "env", with_pip=False)
    python = place / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", python, "install"]
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True, timeout=120)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(place / "env")}))
    # A path in a .pth is searched, but its own .pth files are not read: no editable install.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    (place / "empty").mkdir()
    return Installed(place / "empty", python, packages / "ocrjury")
