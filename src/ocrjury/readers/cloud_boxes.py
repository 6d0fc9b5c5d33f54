"""Boxes in the answers of cloud services, as shares of the page."""

from ocrjury.readers.boxes import RELATIVE, Frame
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.json_values import Value
from ocrjury.readers.ocr_pages import Box


def corner_box(block: Value) -> Box | None:
    """Box of one of Textract's blocks."""
    frame = block["Geometry"]["BoundingBox"]
    if not frame.exists:
        return None
    left, top = frame["Left"].number, frame["Top"].number
    sides = (left, top, left + frame["Width"].number, top + frame["Height"].number)
    return RELATIVE.box(sides, frame.place)


def google_box(polygon: Value, frame: Frame) -> Box | None:
    """Box around Google's ``boundingPoly``; a coordinate left out is 0."""
    shares = polygon["normalizedVertices"]
    points = shares or polygon["vertices"]
    corners = [(point["x"].number, point["y"].number) for point in points]
    return (RELATIVE if shares else frame).around(corners, polygon.place)


def azure_box(polygon: Value, frame: Frame) -> Box | None:
    """Box around Azure's polygon: eight numbers, or points of ``x`` and ``y``."""
    points = list(polygon)
    if points and isinstance(points[0].value, dict):
        corners = [(point["x"].number, point["y"].number) for point in points]
    else:
        if len(points) % 2:
            raise BadContentError("a polygon with an odd number of coordinates", polygon.place)
        numbers = [point.number for point in points]
        corners = list(zip(numbers[::2], numbers[1::2], strict=True))
    return frame.around(corners, polygon.place)
