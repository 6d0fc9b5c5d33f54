"""The Tesseract that the tesserocr wheel carries (5.5), for what Debian's 5.3 cannot write: PAGE.

Only its libraries are used, by their C interface, as the wheel's own Python has no way to PAGE.
"""

import ctypes
from ctypes import c_char_p, c_int, c_void_p
from pathlib import Path

WHEEL = Path(__file__).resolve().parents[2] / "out" / "tesserocr"
LANGUAGE_DATA = b"/usr/share/tesseract-ocr/5/tessdata/"
RENDERERS = {"page": "TessPAGERendererCreate", "text": "TessTextRendererCreate"}


def read_image(image, base, *, form, language="kor+eng", layout=4):
    """Read an image as ``tesseract image base -l language --psm layout form`` does."""
    (path,) = (WHEEL / "tesserocr.libs").glob("libtesseract*.so*")
    library = _declared(ctypes.CDLL(str(path)))
    reader = library.TessBaseAPICreate()
    if library.TessBaseAPIInit3(reader, LANGUAGE_DATA, language.encode()):
        raise RuntimeError(f"Tesseract finds no {language} in {LANGUAGE_DATA.decode()}")
    library.TessBaseAPISetPageSegMode(reader, layout)
    renderer = getattr(library, RENDERERS[form])(str(base).encode())
    done = library.TessBaseAPIProcessPages(reader, str(image).encode(), None, 0, renderer)
    library.TessDeleteResultRenderer(renderer)
    library.TessBaseAPIDelete(reader)
    if not done:
        raise RuntimeError(f"Tesseract cannot read {image}")


def _declared(library):
    """The library with the types of the functions that are called."""
    types = {
        "TessBaseAPICreate": (c_void_p,),
        "TessBaseAPIInit3": (c_int, c_void_p, c_char_p, c_char_p),
        "TessBaseAPISetPageSegMode": (None, c_void_p, c_int),
        "TessBaseAPIProcessPages": (c_int, c_void_p, c_char_p, c_char_p, c_int, c_void_p),
        "TessDeleteResultRenderer": (None, c_void_p),
        "TessBaseAPIDelete": (None, c_void_p),
    } | dict.fromkeys(RENDERERS.values(), (c_void_p, c_char_p))
    for name, (result, *arguments) in types.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
