"""Files that are made to be expensive: archives that hold more than they say, endless pictures."""

import io
import itertools
import struct
import zipfile
import zlib

from PIL import Image

MEGABYTE = b" " * (1 << 20)
SHEET = "xl/worksheets/sheet1.xml"


def workbook_of(parts: dict[str, bytes]) -> bytes:
    """Workbook whose sheet and further parts are these."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def sheet_of(inside: str) -> bytes:
    """Part of a workbook that holds a sheet."""
    return f"<worksheet><sheetData/>{inside}</worksheet>".encode()


def lying_workbook(megabytes: int, *, declared: bytes = b"<worksheet/>") -> bytes:
    """Workbook whose sheet begins with what is declared, sum and all, and goes on with blanks."""
    body = workbook_of({SHEET: declared})
    honest = zlib.compressobj(wbits=-15)
    small = honest.compress(declared) + honest.flush()
    packer = zlib.compressobj(9, wbits=-15)
    first = packer.compress(declared) + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH)  # the same every time
    large = first + piece * megabytes + packer.flush()
    at = body.index(small, body.index(SHEET.encode()))
    patched = bytearray(body[:at] + large + body[at + len(small) :])
    grown = len(large) - len(small)
    struct.pack_into("<I", patched, at - len(SHEET) - 30 + 18, len(large))
    entry = patched.rindex(b"PK\x01\x02")
    struct.pack_into("<I", patched, entry + 20, len(large))
    end = patched.rindex(b"PK\x05\x06")
    (directory,) = struct.unpack_from("<I", patched, end + 16)
    struct.pack_into("<I", patched, end + 16, directory + grown)
    return bytes(patched)


def jpeg_of_scans(side: int, scans: int) -> bytes:
    """Progressive JPEG of one grey, whose shortest scan comes so often."""
    file = io.BytesIO()
    Image.new("L", (side, side), 128).save(file, "JPEG", progressive=True, quality=30)
    body = file.getvalue()
    places = [place for place in range(len(body)) if body[place : place + 2] == b"\xff\xda"]
    pieces = (body[start:end] for start, end in itertools.pairwise([*places, len(body) - 2]))
    return body[:-2] + min(pieces, key=len) * scans + body[-2:]
