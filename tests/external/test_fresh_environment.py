"""The wheel with the newest packages that it asks for, where nothing else is installed."""

import subprocess
import sysconfig
import venv
from pathlib import Path

from tests.wheel_installation import Installed, build_wheel

RATINGS = "item,rater,rating\n" + "".join(
    f"d{item},{rater},{1 + item % 5}\n" for item in range(60) for rater in ("R1", "R2", "R3")
)


def test_what_the_package_asks_for_is_enough_to_judge_and_for_the_demo(tmp_path):
    wheel = build_wheel(tmp_path)
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "--quiet", "install", wheel], check=True, timeout=900)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(tmp_path / "env")}))
    (tmp_path / "empty").mkdir()
    installed = Installed(tmp_path / "empty", python, packages / "ocrjury")
    (installed.folder / "ratings.csv").write_text(RATINGS, "utf-8")

    judged = installed.run("agreement", "ratings.csv", "--scale", "likert:1:5")
    demo = installed.run("demo")

    assert judged.returncode == 0, judged.stdout + judged.stderr
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert (installed.folder / "out" / "report.pdf").read_bytes().startswith(b"%PDF")
