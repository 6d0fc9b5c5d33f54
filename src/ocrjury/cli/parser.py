"""All commands in one parser; importing it costs nothing that a help text does not need."""

import ocrjury
from ocrjury.cli import (
    agreement,
    audit,
    campaign,
    demo,
    deploy,
    desk,
    doctor,
    evaluation,
    gold,
    labelstudio,
    plan,
    pool,
    privacy,
    raters,
    ratings,
    report,
    score,
    serve,
    sheets,
    status,
    up,
)
from ocrjury.cli.declaring import HelpFormatter, Parser, print_help

EXAMPLES = """examples:
  ocrjury demo                                     the whole chain on a bundled pool
  ocrjury doctor                                   is everything here that is needed?
  ocrjury campaign new claims                      three commented files to adapt
  ocrjury campaign check claims/campaign.yaml      valid? does it meet the recommendations?
  ocrjury evaluation open claims/campaign.yaml     score, sample, assign
  ocrjury status                                   what is awaited
  ocrjury score gt/ ocr/                           error rates only; no campaign needed
  ocrjury agreement ratings.csv --scale likert:1:5 no campaign needed

exit codes: 0 done, 1 bad news, 2 bad input or something absent, 3 the gate cannot tell, 130 Ctrl-C
"""


def build_parser() -> Parser:
    """Parser of the whole command line."""
    parser = Parser(
        prog="ocrjury",
        description=ocrjury.__doc__,
        epilog=EXAMPLES,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ocrjury {ocrjury.__version__}")
    parser.set_defaults(run=lambda _: print_help(parser))
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for module in (
        demo,
        doctor,
        campaign,
        plan,
        pool,
        score,
        evaluation,
        status,
        ratings,
        sheets,
        raters,
        serve,
        desk,
        gold,
        labelstudio,
        agreement,
        report,
        privacy,
        audit,
        up,
        deploy,
    ):
        module.add_to(commands)
    return parser
