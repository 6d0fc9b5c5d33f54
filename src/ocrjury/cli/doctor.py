"""``ocrjury doctor``: what this machine lacks, and how to fix it."""

import argparse
import os
import platform
import re
import smtplib
import ssl
import stat
import tempfile
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal, NamedTuple

from ocrjury.campaign.settings import Settings
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.prefect_server import server_answers
from ocrjury.cli.printing import BAD, GOOD, QUIET, Cell, say, table
from ocrjury.cli.store_access import REMEDY, open_at, where
from ocrjury.cli.stuck_runs import explained, needing_somebody, stuck_runs
from ocrjury.errors import MissingDependencyError, MissingFontError, OcrjuryError
from ocrjury.report.pdf import write_pdf
from ocrjury.store.privacy import close_open

DOCTOR = """check Python, PDF, fonts, home, database, versions, Prefect, email; say how to fix it

Check what ocrjury needs on this machine, and say how to fix what is missing. A home that other
accounts of this machine can read is closed to them.
Exit code 1 if something needed is missing; a Prefect server is not needed for that.

ocrjury doctor
ocrjury doctor --campaign claims/campaign.yaml   # its mail server too"""
APT = "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-noto-cjk"
OLDEST_PYTHON = (3, 11)
PINNED = ("prefect", "fastapi", "sqlalchemy", "weasyprint")
SPECIMEN = """<!doctype html><html lang="ko"><head><title>doctor</title><style>
body { font-family: "Noto Sans CJK KR", "Noto Sans" } [lang=zh] { font-family: "Noto Sans CJK SC" }
</style></head><body><p>한글 漢字</p><p lang="zh">汉字</p><p>Aa 0.5 α κ</p></body></html>"""


class Check(NamedTuple):
    """Result of one check: its state, its subject, the finding and the remedy."""

    word: Literal["ok", "problem", "note"]
    what: str
    found: str
    fix: str = ""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    doctor = add_command(commands, "doctor", DOCTOR, run=run_doctor)
    doctor.add_argument("--campaign", type=Path, help="sign in to this campaign's mail server")


def run_doctor(options: argparse.Namespace) -> int:
    """Print one line for each thing that was checked."""
    styles = {"ok": GOOD, "problem": BAD, "note": QUIET}
    findings = check_machine()
    if options.campaign is not None:
        findings += check_mail(options.campaign)
    table(
        ("", "checked", "found"),
        [
            (Cell(finding.word, styles[finding.word]), finding.what, finding.found)
            for finding in findings
        ],
    )
    problems = [finding for finding in findings if finding.word == "problem"]
    say()
    if not problems:
        say("Everything that is needed is here.")
        return 0
    say("To fix:")
    for finding in problems:
        say(f"  {finding.what}: {finding.fix}")
    return 1


def check_machine() -> list[Check]:
    """Findings about this machine."""
    settings = Settings.from_environment()
    return [
        check_python(),
        *check_pdf(),
        *check_home(settings.home),
        check_database(settings),
        *check_versions(),
        check_prefect(),
        *check_runs(),
    ]


def check_python() -> Check:
    """Look at the version of Python."""
    running = platform.python_version()
    oldest = ".".join(map(str, OLDEST_PYTHON))
    if tuple(map(int, platform.python_version_tuple()[:2])) < OLDEST_PYTHON:
        return Check("problem", "Python", running, f"install Python {oldest} or newer")
    return Check("ok", "Python", running)


def check_pdf() -> list[Check]:
    """Write a PDF with Korean, Chinese, Latin and Greek letters in it."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            write_pdf(SPECIMEN, Path(folder, "specimen.pdf"))
        except OcrjuryError as error:
            return _pdf_problem(error)
    return [
        Check("ok", "PDF", f"WeasyPrint {version('weasyprint')} with Pango"),
        Check("ok", "fonts", "한글 漢字 汉字 are rendered"),
    ]


def _pdf_problem(error: OcrjuryError) -> list[Check]:
    """Findings about a PDF that failed: WeasyPrint or Pango is missing, or a font."""
    if isinstance(error, MissingFontError):
        fix = "apt-get install fonts-noto-cjk, or install Noto Sans CJK KR and SC"
        return [
            Check("ok", "PDF", "WeasyPrint with Pango"),
            Check("problem", "fonts", error.lack, fix),
        ]
    absent = isinstance(error, MissingDependencyError)
    problem = "WeasyPrint or Pango is missing" if absent else str(error)
    return [
        Check("problem", "PDF", problem, f"`make setup`, or on Debian: {APT}"),
        Check("note", "fonts", "not checked without PDF"),
    ]


def check_home(home: Path) -> list[Check]:
    """Look whether other accounts of this machine can read the home, and close it if so."""
    if not home.is_dir():
        return []  # it is made with the first evaluation, closed
    mode = stat.S_IMODE(home.stat().st_mode)
    try:
        number = close_open(home)
    except OSError as error:
        fix = f"chmod -R go= {home}, as the account that owns it"
        return [Check("problem", "home", f"{home} is open to others: {error.strerror}", fix)]
    if not number:
        return [Check("ok", "home", f"{home}, for this account only")]
    which = "1 file or folder is" if number == 1 else f"{number} files or folders are"
    return [Check("ok", "home", f"{home} (was mode {mode:03o}); {which} closed to others now")]


def check_database(settings: Settings) -> Check:
    """Open the database and bring its tables to this version."""
    place = where(settings)
    if not settings.store_exists and _may_be_made(settings.home):
        problem = f"none at {place} yet; the first `ocrjury evaluation open` makes it"
        return Check("note", "database", problem)
    try:
        with open_at(settings) as work:
            from ocrjury.store.database import check_writable

            check_writable(work.engine)
            return Check("ok", "database", place)
    except (OcrjuryError, OSError) as error:
        missing = error if isinstance(error, MissingDependencyError) else None
        lack, remedy = (missing.lack, missing.remedy) if missing else ("", "")
        return Check("problem", "database", lack or str(error), remedy or REMEDY)


def _may_be_made(home: Path) -> bool:
    """Return whether a folder exists, or can be made, and takes files."""
    nearest = next(path for path in (home, *home.parents) if path.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def check_versions() -> list[Check]:
    """Compare installed versions with those that this package asks for."""
    wanted = dict(map(_split, requires("ocrjury") or ()))
    return [_check_version(name, wanted.get(name, "")) for name in PINNED]


def _split(requirement: str) -> tuple[str, str]:
    """Name of a requirement and its version clauses."""
    match = re.match(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?\s*([^;]*)", requirement)
    return (match[1].lower(), match[2].strip(" ()")) if match else ("", "")


def _check_version(name: str, clauses: str) -> Check:
    fix = f"`make setup`, or pip install '{name}{clauses}'"
    try:
        installed = version(name)
    except PackageNotFoundError:
        return Check("problem", name, "not installed", fix)
    if not within(installed, clauses):
        return Check("problem", name, f"{installed}, but {clauses} is needed", fix)
    return Check("ok", name, f"{installed} ({clauses or 'any'})")


def within(installed: str, clauses: str) -> bool:
    """Return whether a version meets clauses such as ``>=2.0,<2.1``.

    Only the numbers count: a release candidate stands for its release.

    >>> within("2.0.57", ">=2.0,<2.1"), within("2.1.9", "<2.1,>=2.0"), within("0.151", "<0.151")
    (True, False, False)
    """
    for clause in filter(None, (part.strip() for part in clauses.split(","))):
        sign, limit = re.match(r"([<>=!~]*)\s*(.*)", clause).groups()  # type: ignore[union-attr]
        a, b = _numbers(installed), _numbers(limit)
        width = max(len(a), len(b))
        a, b = a + (0,) * (width - len(a)), b + (0,) * (width - len(b))
        if not {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b}.get(sign, True):
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    match = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, match[0].split("."))) if match else ()


def check_prefect() -> Check:
    """Look whether a Prefect server answers; none is needed for `ocrjury demo`."""
    from ocrjury.signals.own_server import prefect_address
    from ocrjury.signals.server import NoAnswerError

    api = prefect_address()
    if not server_answers(api):
        return Check("note", "Prefect server", f"none at {api}; `ocrjury up` starts one")
    try:
        return Check("ok", "Prefect server", f"{api}{_server_version(api)}")
    except NoAnswerError:  # it is slow or busy, and healthy
        return Check("ok", "Prefect server", api)
    except MissingDependencyError as error:  # it is healthy, and answers nothing else
        return Check("problem", "Prefect server", f"{api} refuses requests", str(error))


def check_runs() -> list[Check]:
    """Findings about runs that are stuck; an evaluation whose run crashed goes on by itself."""
    return [
        Check(
            "note" if run.trouble == "crashed" and not run.command else "problem",
            "run",
            " ".join(finding),
            finding.remedy,
        )
        for run in needing_somebody(stuck_runs())
        for finding in [explained(run)]
    ]


def _server_version(api: str) -> str:
    """Version of a server as a phrase, nothing if it does not tell."""
    from ocrjury.signals.own_server import prefect_key
    from ocrjury.signals.server import request

    try:
        response = request("GET", f"{api}/admin/version", key=prefect_key(api), timeout=5.0).json()
    except ValueError:
        return ""
    return f", version {response}" if isinstance(response, str) else ""


def check_mail(path: Path) -> list[Check]:
    """Sign in to the mail server of a campaign, without sending anything."""
    from ocrjury.campaign.config import read_campaign

    mail = read_campaign(path).report.mail
    if mail is None:
        return [Check("note", "email", f"{path} names no mail server; reports are not sent")]
    server = f"{mail.host}:{mail.port}"
    password = os.environ.get(mail.password_env or "")
    if mail.password_env and not password:
        fix = f"export {mail.password_env}=..."
        return [Check("problem", "email", f"{mail.password_env} is not set", fix)]
    try:
        with smtplib.SMTP(mail.host, mail.port, timeout=10) as connection:
            if mail.starttls:
                connection.starttls(context=ssl.create_default_context())
            if mail.username:
                connection.login(mail.username, password or "")
            connection.noop()
    except (smtplib.SMTPException, OSError) as error:
        fix = "correct report.mail in the campaign (host, port, starttls, username, password_env)"
        return [Check("problem", "email", f"{server}: {error}", fix)]
    return [Check("ok", "email", f"{server} takes email from {mail.sender}")]
