"""``ocrjury raters certificate``: the certificate of training of a rater who passed the pilot."""

import argparse
from pathlib import Path

from ocrjury.cli.actors import name_signed, note
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import say, tell_replaced
from ocrjury.cli.rater_names import add_rater, rater_named
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.language import languages, speaking

CERTIFICATE = """certificate of training of a rater who passed the pilot, as PDF

Write one page A4: the rater's pseudonym, the campaign, the number of practice items, the score on
every dimension beside what the pilot's criterion requires, the rubric's hash, and the day on which
it is issued. That day is the real one, whatever OCRJURY_CLOCK says.

Whoever has not passed the pilot gets none. Raters download theirs from "My work".

ocrjury raters certificate claims-2026w47 R01
ocrjury raters certificate claims-2026w47 R01 --names --language ko --by "M. Kim" --out kim.pdf"""


def add_to(group: Commands) -> None:
    """Declare the command."""
    command = add_command(group, "certificate", CERTIFICATE, run=run_certificate)
    command.add_argument("evaluation", help="its name")
    add_rater(command, about="who passed its pilot")
    command.add_argument("--names", action="store_true", help="the name beside the pseudonym")
    command.add_argument("--language", choices=languages(), default="en", help="its language [en]")
    command.add_argument("--by", help="who issues it [your login name]")
    command.add_argument(
        "--out", type=Path, help="file to write [EVALUATION-RATER-certificate.pdf]"
    )


def run_certificate(options: argparse.Namespace) -> None:
    """Write a certificate."""
    from ocrjury.campaign.settings import real_now
    from ocrjury.evaluation.certificates import certificate, read_training
    from ocrjury.report import write_pdf

    rater = rater_named(options)
    if rater is None:
        raise InputError("name the rater who passed the pilot, such as R01.")
    with open_existing() as work, speaking(options.language):
        work.case(options.evaluation)  # refuses a name that no evaluation has
        training = read_training(work.engine, options.evaluation, rater)
        issuer, now = name_signed(options.by, "--by"), real_now()
        html = certificate(training, issuer=issuer, issued_at=now, named=options.names)
        out = options.out or Path(f"{options.evaluation}-{rater}-certificate.pdf")
        named = " with the name" * options.names
        note(work, "certificate", f"{options.evaluation} certificate {rater}{named}")
        tell_replaced(out)
        write_pdf(html, out)
    say(f"certificate: {out}")
