"""Coverage-guided fuzzing of whatever reads a text, a table, a workbook or a campaign: `make fuzz`.

A byte before the input says who reads it. Whatever is neither a value nor a refusal in words stops
the run, and so does an input that takes longer or more memory than the options allow; it is kept
in ``crash-*``, ``timeout-*`` or ``oom-*``.
"""

import contextlib
import itertools
import sys
import tempfile
from pathlib import Path

TEXTS = ("-△1,200.5원", "2024년 8월 3일", "e\u0301\u0323🇰🇷", "a: &a [*a]", "x: 1\ny: {z: [1]}\n")
TABLES = (
    'item,rater,meaning\n"a;=1",R1,4\n',
    "sep=;\nitem;rater;dimension;rating\na;R1;meaning;4\n",
    "doc_id,dimension,value,source\nd1,meaning,4,file\n",
    '{"doc_id": "d1", "dimension": "meaning", "value": 4}\n',
    "pseudonym,role,skills,absent_from\nR01,rater,a;b,2026-12-24\n",
    "page_id,x0,y0,x1,y1\np,.1,.2,.3,.4\n",
    "x,a,b\na,3,1\nb,0,2\n",
)


def main():
    """Fuzz until an input does harm or the time is over."""
    import atheris

    with atheris.instrument_imports(include=["ocrjury"]):
        import ocrjury.campaign.gold_file
        import ocrjury.campaign.registry
        import ocrjury.campaign.yaml_source
        import ocrjury.frontends.sheets.answers
        import ocrjury.frontends.sheets.returned_workbook
        import ocrjury.ratings.published_counts
        import ocrjury.ratings.sheets
        import ocrjury.readers.masks
        import ocrjury.text.scoring  # noqa: F401  # instrumented, too

    folder = Path(tempfile.mkdtemp(prefix="fuzz-texts-"))
    readers = readers_in(folder.with_suffix(".yaml"))
    write_first_inputs(folder, len(readers))
    atheris.Setup([*sys.argv, str(folder)], lambda data: read_one(data, readers))
    atheris.Fuzz()


def readers_in(path):
    """Functions that read bytes, each with all that it refuses in words."""
    from ocrjury.campaign.yaml_source import read_yaml
    from ocrjury.frontends.sheets.answers import read_comment, read_level
    from ocrjury.frontends.sheets.returned_workbook import FoundCell, read_workbook
    from ocrjury.frontends.sheets.upload import check_upload
    from ocrjury.normal_forms import normal_form
    from ocrjury.scales import Scale
    from ocrjury.text import compare_field, score_texts

    def campaign(data):
        path.write_bytes(data)
        read_yaml(path)

    def cell(data):
        found = FoundCell(data.decode("utf-8", "surrogateescape"), "s")
        with contextlib.suppress(ValueError):
            read_comment(found)
        read_level(found, Scale.likert(1, 5))

    def field(data):
        left, _, right = data.decode("utf-8", "replace").partition("\n")
        for kind in ("amount", "date", "code", "text"):
            compare_field(left, right, kind=kind)

    def scores(data):
        left, _, right = data.decode("utf-8", "replace").partition("\n")
        score_texts([left], [right])
        assert normal_form("NFKC", normal_form("NFKC", left)) == normal_form("NFKC", left)

    def workbook(data):
        read_workbook(check_upload(data, "r.xlsx"), source="r.xlsx")

    return [campaign, cell, field, scores, workbook, *tables_at(path)]


def tables_at(path):
    """Functions that read bytes as a table, from a file."""
    from benchmarks.worst_tables import READERS

    def reader(read):
        def read_bytes(data):
            path.write_bytes(data)
            read(path)

        return read_bytes

    return [reader(read) for read in READERS]


def read_one(data, readers):
    """Read one input as its first byte says."""
    from ocrjury import InputError
    from ocrjury.frontends.sheets.answers import CellProblem

    if data:
        with contextlib.suppress(InputError, CellProblem):
            readers[data[0] % len(readers)](data[1:])


def write_first_inputs(folder, count):
    """Write some texts and an empty workbook, each for every reader."""
    from openpyxl import Workbook

    path = folder.with_suffix(".xlsx")
    Workbook().save(path)
    bodies = [path.read_bytes(), *(text.encode() for text in (*TEXTS, *TABLES))]
    for (place, body), number in itertools.product(enumerate(bodies), range(count)):
        (folder / f"{place}-{number}").write_bytes(bytes([number]) + body)


if __name__ == "__main__":
    main()
