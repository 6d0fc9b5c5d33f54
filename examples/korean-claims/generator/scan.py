"""What a scanner, a fax and a bad pen do to a page, and where its fields end up."""

import io
import math
import random
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from generator.page import HEIGHT, WIDTH, Frame

SHEET_DPI = 150

Pixels = npt.NDArray[np.float64]


class Level(NamedTuple):
    """How bad a scan of this level is; pairs are the ends of a range."""

    share: float
    skew: float  # degrees, at most
    dpi: tuple[int, int]
    blur: tuple[float, float]  # radius in pixels
    noise: tuple[float, float]  # standard deviation, of 255
    jpeg: tuple[int, int]  # quality
    fading: tuple[float, float]  # share of the ink that is lost
    shade: int  # darkest corner against the lightest, of 255
    speckle: int  # times 6 in 10,000 black and 10 in 10,000 white dots, on a fax


LEVELS = {
    "clean": Level(0.22, 0.05, (142, 150), (0, 0.3), (0, 3), (85, 95), (0, 0.05), 3, 0),
    "light": Level(0.30, 0.3, (126, 146), (0.2, 0.55), (2, 7), (65, 85), (0.0, 0.12), 9, 1),
    "medium": Level(0.28, 0.7, (108, 130), (0.35, 0.75), (5, 12), (45, 65), (0.05, 0.25), 18, 2),
    "heavy": Level(0.20, 1.2, (92, 114), (0.5, 0.95), (8, 18), (26, 45), (0.1, 0.38), 32, 3),
}
STREAKED = ("medium", "heavy")


@dataclass(frozen=True, slots=True)
class Scan:
    """How one page was scanned."""

    level: str
    dpi: int
    skew: float
    blur: float
    noise: float
    jpeg: int
    ink: float
    fax: bool

    @property
    def scale(self) -> float:
        """Return pixels of the scan per pixel of the sheet."""
        return self.dpi / SHEET_DPI

    def columns(self) -> dict[str, object]:
        """Return the values as columns of the pool."""
        return asdict(self)

    def on_scan(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the sheet is on the scan, as shares of width and height."""
        cos, sin = self._turn
        dx, dy = x - WIDTH / 2, y - HEIGHT / 2
        return 0.5 + (dx * cos + dy * sin) / WIDTH, 0.5 + (dy * cos - dx * sin) / HEIGHT

    def on_sheet(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the scan, in its pixels, was on the sheet, in the sheet's."""
        cos, sin = self._turn
        dx, dy = x / self.scale - WIDTH / 2, y / self.scale - HEIGHT / 2
        return WIDTH / 2 + dx * cos - dy * sin, HEIGHT / 2 + dx * sin + dy * cos

    @property
    def _turn(self) -> tuple[float, float]:
        """Return cosine and sine of the skew."""
        angle = math.radians(self.skew)
        return math.cos(angle), math.sin(angle)


def draw_scan(rng: random.Random, level: str, *, fax: bool) -> tuple[Scan, Scan]:
    """Return the scan as it is done, and with its numbers rounded as they are reported."""
    grade = LEVELS[level]
    skew = rng.uniform(-1, 1) * grade.skew
    dpi = int(rng.uniform(*grade.dpi))
    blur, noise = rng.uniform(*grade.blur), rng.uniform(*grade.noise)
    jpeg, ink = rng.randint(*grade.jpeg), rng.uniform(*grade.fading)
    exact = Scan(level, dpi, skew, blur, noise, jpeg, ink, fax)
    rounded = Scan(
        level, dpi, round(skew, 2), round(blur, 2), round(noise, 1), jpeg, round(ink, 2), fax
    )
    return exact, rounded


def scan_page(
    sheet: Image.Image, rng: random.Random, level: str, *, fax: bool
) -> tuple[Image.Image, Scan]:
    """Return the scanned image of a whole sheet, and how it was scanned."""
    dots = np.random.default_rng(rng.getrandbits(32))
    scan, reported = draw_scan(rng, level, fax=fax)
    pixels = _exposed(sheet, scan)
    pixels -= _shade(pixels.shape, rng, LEVELS[level].shade)
    pixels += dots.normal(0, scan.noise, pixels.shape)
    if level in STREAKED and rng.random() < 0.35:
        left = rng.randint(0, pixels.shape[1] - 12)
        pixels[:, left : left + rng.randint(2, 7)] -= rng.uniform(40, 120)
    if fax:
        pixels = _faxed(pixels, dots, LEVELS[level].speckle)
    return _compressed(pixels, scan.jpeg), reported


def crop_scan(image: Image.Image, scan: Scan, *, bottom: float) -> Image.Image:
    """Return the scan down to a line of the sheet; below is nothing but paper."""
    return image.crop((0, 0, image.width, min(image.height, int(bottom * scan.scale))))


def relative_box(frame: Frame, scan: Scan, *, height: int) -> list[float]:
    """Return the box around a frame of the sheet, as shares of the cropped scan.

    ``height`` is that of the cropped scan in pixels. A box stays upright where the page is
    skewed, so it holds a little more than the frame.
    """
    corners = [scan.on_scan(x, y) for x in frame[0::2] for y in frame[1::2]]
    kept = height / int(HEIGHT * scan.scale)
    xs, ys = [x for x, _ in corners], [y / kept for _, y in corners]
    return [round(min(max(side, 0), 1), 4) for side in (min(xs), min(ys), max(xs), max(ys))]


def _exposed(sheet: Image.Image, scan: Scan) -> Pixels:
    """Return the turned, shrunk, blurred and faded sheet."""
    turned = sheet.rotate(scan.skew, resample=Image.Resampling.BICUBIC, fillcolor=255)
    sharp = scan.level not in STREAKED
    shrunk = turned.resize(
        (int(WIDTH * scan.scale), int(HEIGHT * scan.scale)),
        Image.Resampling.LANCZOS if sharp else Image.Resampling.BILINEAR,
    )
    pixels = np.asarray(shrunk.filter(ImageFilter.GaussianBlur(scan.blur)), dtype=float)
    return 255 - (255 - pixels) * (1 - scan.ink)


def _shade(shape: tuple[int, ...], rng: random.Random, depth: int) -> Pixels:
    """Return how much darker each pixel is when light comes from one side."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    angle = rng.uniform(0, 2 * math.pi)
    slope = math.cos(angle) * x / shape[1] + math.sin(angle) * y / shape[0]
    return np.asarray((slope - slope.min()) * depth)


def _faxed(pixels: Pixels, dots: np.random.Generator, speckle: int) -> Pixels:
    """Return black on white, with dots of the other colour."""
    threshold = np.median(np.clip(pixels, 0, 255)) * 0.8
    page = np.where(np.clip(pixels, 0, 255) < threshold, 0.0, 255.0)
    chance = dots.random(page.shape)
    page[chance < 0.0006 * speckle] = 0
    page[chance > 1 - 0.001 * speckle] = 255
    return page


def _compressed(pixels: Pixels, quality: int) -> Image.Image:
    """Return the image after a round through JPEG."""
    buffer = io.BytesIO()
    image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    image.save(buffer, "JPEG", quality=quality)
    buffer.seek(0)
    return Image.open(buffer).convert("L")
