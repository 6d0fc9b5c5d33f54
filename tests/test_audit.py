"""`make audit` looks the pinned packages up as the guide says, or says that it could not."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NONE, SOME = "No known vulnerabilities found", "Found 2 known vulnerabilities in 1 package"


@pytest.fixture
def audit(tmp_path):
    """Run the target with a pip-audit that answers so about itself and about our packages."""

    def run(itself, ours):
        tool = tmp_path / "out/audit/bin/pip-audit"
        tool.parent.mkdir(parents=True)
        tool.write_text(
            "#!/bin/sh\n"
            'echo "$@" >> asked.txt\n'
            f'case "$*" in *itself.txt) answer="{itself}" ;; *) answer="{ours}" ;; esac\n'
            'echo "$answer" >&2\n'
            'case "$answer" in No*) exit 0 ;; *) exit 1 ;; esac\n'
        )
        tool.chmod(0o755)
        made = "out/audit/.ready"
        (tmp_path / made).touch()
        done = subprocess.run(
            [
                "make",
                "--no-print-directory",
                "--file",
                ROOT / "Makefile",
                "--assume-old",
                made,
                "audit",
            ],
            check=False,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done, (tmp_path / "asked.txt").read_text().splitlines()

    return run


def test_the_guide_and_the_target_have_the_same_line(audit):
    guide = (ROOT / "docs" / "security.md").read_text("utf-8")
    [line] = re.findall(r"^pipx run pip-audit (.*)$", guide, re.MULTILINE)

    done, asked = audit(NONE, NONE)

    assert done.returncode == 0
    assert asked == [line.replace("constraints.txt", "out/audit/itself.txt"), line]
    assert "cannot be asked" not in done.stdout


def test_an_audit_fails_with_what_it_found(audit):
    done, asked = audit(NONE, SOME)

    assert done.returncode != 0
    assert SOME in done.stderr
    assert len(asked) == 2


def test_an_audit_fails_where_a_package_of_ours_is_not_looked_up(audit):
    done, _ = audit(NONE, "ERROR: adlfs could not be audited")

    assert done.returncode != 0


def test_an_index_that_cannot_be_asked_is_said(audit):
    done, asked = audit("ERROR: Dependency not found on PyPI and could not be audited", "unasked")

    assert done.returncode == 0
    assert done.stdout == (
        "The package index cannot be asked for known vulnerabilities here: no package was looked "
        "up. Run make audit where it can.\n"
    )
    assert len(asked) == 1
