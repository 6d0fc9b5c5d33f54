"""Coverage-guided fuzzing of the readers with atheris, which no other test needs: `make fuzz`.

The files of ``tests/data/ocr`` are the first inputs; a byte before them says the format. Whatever
is neither pages that become rows of a pool nor a `BadContentError` stops the run, and the input is
kept in ``crash-*``.
"""

import contextlib
import itertools
import sys
import tempfile
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data" / "ocr"


def main():
    """Fuzz until an input does harm or the time is over."""
    import atheris

    with atheris.instrument_imports(include=["ocrjury.readers"]):
        import ocrjury.readers.detection
        import ocrjury.readers.spacing
        import ocrjury.readers.units  # noqa: F401  # instrumented, too
        from ocrjury.readers.formats import READERS

    folder = Path(tempfile.mkdtemp(prefix="fuzz-readers-"))
    readers = [READERS[form] for form in sorted(READERS)]
    write_first_inputs(folder, len(readers))
    atheris.Setup([*sys.argv, str(folder)], lambda data: read_one(data, readers, folder))
    atheris.Fuzz()


def read_one(data, readers, folder):
    """Read one input in the format that its first byte says, and find out its format."""
    from ocrjury import InputError
    from ocrjury.readers.content_errors import BadContentError
    from ocrjury.readers.detection import detect_format

    if not data:
        return
    path = folder.with_suffix(".input")
    path.write_bytes(data[1:])
    with contextlib.suppress(InputError):
        detect_format(path)
    with contextlib.suppress(BadContentError):
        check_rows(readers[data[0] % len(readers)](data[1:], None))


def check_rows(pages):
    """Check that a pool accepts the rows of pages, in every unit."""
    from ocrjury.readers.cells import COLUMNS
    from ocrjury.readers.parts import UNITS
    from ocrjury.readers.spacing import spaced_by_gaps
    from ocrjury.readers.units import paired, rows_of_page

    pages = [spaced_by_gaps(page) or page for page in pages]
    pairs = paired(pages, list(reversed(pages)))
    for pair, unit in itertools.product(pairs, UNITS):
        rows = rows_of_page(pair, "p", unit, image=None).records
        for row, column in itertools.product(rows, COLUMNS):
            if row.get(column.name) is not None:
                column.read(row[column.name])


def write_first_inputs(folder, count):
    """Write the files of the tests, each in every format it could be taken for."""
    for path, number in itertools.product(DATA.iterdir(), range(count)):
        (folder / f"{path.name}-{number}").write_bytes(bytes([number]) + path.read_bytes())


if __name__ == "__main__":
    main()
