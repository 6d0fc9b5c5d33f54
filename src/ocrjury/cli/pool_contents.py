"""``ocrjury pool check`` and ``pool formats``: what a pool holds, before anything is scored."""

import argparse
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.cli.declaring import Parser

SHOWN = 20
"""Files of each list that are printed."""


def add_source(parser: "Parser") -> None:
    """Declare the arguments that say what is read, and how."""
    parser.add_argument(
        "file", help="a file, folder, zip archive or quoted pattern; a path or a URL"
    )
    parser.add_argument(
        "--reference",
        metavar="PATH",
        help="file or folder of what is right, paired by name [files NAME.gt.* beside]",
    )
    parser.add_argument(
        "--unit",
        default="page",
        metavar="UNIT",
        help="what a document of an OCR file is: page line word field [page]",
    )
    parser.add_argument("--format", help="see `ocrjury pool formats` [by content]")
    parser.add_argument("--encoding", help="such as cp949 [utf-8, else cp949]")


def read_source(options: argparse.Namespace) -> "pd.DataFrame":
    """Pool that the arguments name."""
    from ocrjury.readers import read_pool, read_units

    more = {
        "format": options.format,
        "reference": options.reference,
        "encoding": options.encoding,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # print_left_out prints it
        if options.unit == "page":
            return read_pool(options.file, **more)
        return read_units(options.file, unit=options.unit, **more)


def run_check(options: argparse.Namespace) -> int:
    """Print what a pool holds and what cannot be used; 1 if anything cannot."""
    from ocrjury.cli.printing import fields

    pool = read_source(options)
    attrs = pool.attrs
    with_reference, with_confidence = pool["reference"].notna(), pool["confidence"].notna()
    forms = [f"{form} ({number:,})" for form, number in attrs["formats"].items()]
    fields(
        [
            ("documents", f"{len(pool):,}"),
            ("pages", f"{pool['page_id'].nunique():,}"),
            ("formats", ", ".join(forms)),
            ("references", f"{int(with_reference.sum()):,}"),
            ("confidences", f"{int(with_confidence.sum()):,}"),
            *(("", f"{form}: {source}") for form, source in attrs["confidence_source"].items()),
        ]
    )
    print_left_out(attrs)
    return 1 if attrs["n_quarantined"] else 0


def print_left_out(attrs: Mapping[Any, Any]) -> None:
    """Print what is in quarantine, has no pair, was skipped, and what to know."""
    from ocrjury.cli.printing import say
    from ocrjury.pages.numbers import plural

    _print_list(
        f"{plural(attrs['n_quarantined'], 'file or row', 'files or rows')} cannot be read",
        attrs["n_quarantined"],
        [
            [_where(entry["path"], entry["position"]), entry["reason"]]
            for entry in attrs["quarantine"]
        ],
    )
    _print_list(
        f"{plural(attrs['n_unmatched'], 'file')} without a pair",
        attrs["n_unmatched"],
        [[entry["path"], entry["reason"]] for entry in attrs["unmatched"]],
    )
    _print_list(
        f"{plural(len(attrs['skipped']), 'file')} skipped",
        len(attrs["skipped"]),
        [[entry["path"], entry["reason"]] for entry in attrs["skipped"]],
    )
    for sentence in attrs["warnings"]:
        say()
        say(sentence)


def _where(path: str, position: str | None) -> str:
    """File and the place in it."""
    return path if position is None else f"{path}, {position}"


def _print_list(title: str, count: int, rows: list[list[str]]) -> None:
    """Print a list of files under a title, if there are any."""
    from ocrjury.cli.printing import heading, say, table

    if not count:
        return
    heading(f"{title}:")
    table(["where", "why"], rows[:SHOWN])
    if count > SHOWN:
        say(f"and {count - SHOWN:,} more")


def run_formats(options: argparse.Namespace) -> int:
    """Print the formats that can be read."""
    from ocrjury.cli.printing import table
    from ocrjury.readers.format_names import FORMATS, NAMES, SUFFIXES
    from ocrjury.readers.formats import CONFIDENCES

    del options
    table(
        ["format", "what", "files", "confidence"],
        [
            [
                form,
                NAMES[form],
                " ".join(f".{s}" for s in SUFFIXES[form]),
                CONFIDENCES.get(form, ""),
            ]
            for form in FORMATS
        ],
    )
    return 0
