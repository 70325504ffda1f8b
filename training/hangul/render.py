"""Draws a line of text as a cell crop of a screenshot, scan or photo: grey uint8, 48 px high."""

from __future__ import annotations

import glob
import os
import random
import re
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from disturb import Disturber

HEIGHT = 48
# Share of printed (not screen) lines of training that something else is drawn over, and that are sharpened.
DISTURBED = 0.45
SHARPENED = 0.12
cv2.setNumThreads(1)  # lines are small; processes, not threads, share the work
DEGRADATIONS = ("screen", "scan", "photo", "hard")
FONT_ROOTS = ("/usr/share/fonts", os.path.join(os.path.dirname(os.path.abspath(__file__)), "fonts", "node_modules"))

# Families of the benchmark's untuned split: the evaluation fonts, never seen in training.
HELD_OUT = (
    ("NotoSansCJK-Regular.ttc", 1), ("NotoSansCJK-Bold.ttc", 1), ("NotoSansCJK-Light.ttc", 1), ("NanumBarunGothic.ttf", 0), ("NanumBarunGothicBold.ttf", 0),
    ("NanumBarunGothicLight.ttf", 0), ("gulim.ttf", 0), ("UnBatang.ttf", 0), ("UnBatangBold.ttf", 0), ("NotoSerifCJK-Regular.ttc", 1),
    ("NotoSerifCJK-Bold.ttc", 1), ("D2Coding-Ver1.3.2-20180524-all.ttc", 0),
)  # fmt: skip
# Files that are never training fonts: the held-out families and their variants, decomposed-letter faces, and faces
# without Hangul.
NOT_FOR_TRAINING = re.compile(r"noto|nanumbarungothic|^gulim\.|^unbatang|d2coding|unjamo|dejavu|liberation|freesans|freeserif|freemono|yethangul|unyetgul|galmuri|unifont")
# Faces made of pixels, with the size at which a pixel of theirs is one of the screen: only screens are drawn with them.
PIXEL_FACES = re.compile(r"^(?:galmuri(?:mono)?(9|11|14)(?:-bold|-condensed)?\.ttf|unifont\.otf)$")
PIXEL_SIZES = {"9": 10, "11": 12, "14": 15, None: 16}
# Faces without Hangul, for lines of digits and Latin.
LATIN = ("dejavusans", "dejavuserif", "liberation", "freesans", "freeserif", "freemono")
# Handwriting and display faces: kept for variety, drawn rarely.
RARE = ("brush", "pen.ttf", "barunpen", "naks", "pilgi", "bm", "vada", "penheulim", "bangwool", "bandal", "guseul", "eunjin", "euljiro", "hline", "gungseo")

# Share of lines with zeros whose counter is crossed by a stroke, as those of terminals and dot-matrix printers, or has a dot in it.
MARKED_ZEROS = 0.09
# Share of lines drawn larger and scaled down: no hinting, letters between pixels, strokes thinner or thicker than the face's own.
SCALED_DOWN = 0.5
# Of training's screens: drawn in a face of pixels, without anti-aliasing, or with a filter for the thirds of a screen's pixels.
PIXELATED, ALIASED, SUBPIXELS = 0.1, 0.2, 0.25
# Of training's printed lines: by a dot-matrix printer, by a thermal printer, in a picture that was saved small; of its scans, sent by fax.
DOT_MATRIX, THERMAL, SAVED_SMALL, FAXED = 0.05, 0.06, 0.08, 0.1


def _files() -> list[str]:
    found: list[str] = []
    for root in FONT_ROOTS:
        for ext in ("ttf", "ttc", "otf"):
            found += glob.glob(os.path.join(root, "**", f"*.{ext}"), recursive=True)
    return sorted(found)


def training_fonts() -> list[tuple[str, int, float]]:
    """(path, face index, weight)"""
    fonts = []
    for path in _files():
        name = os.path.basename(path).lower()
        if "lexi" in name and "gulim" in name:
            fonts.append((path, 0, 1.5))
        elif not NOT_FOR_TRAINING.search(name):
            fonts.append((path, 0, 0.12 if any(n in name for n in RARE) else 1.0))
    return fonts


def latin_fonts() -> list[tuple[str, int]]:
    return [(p, 0) for p in _files() if os.path.basename(p).lower().startswith(LATIN)]


def pixel_fonts() -> list[tuple[str, int]]:
    """(path, size)"""
    named = ((path, PIXEL_FACES.match(os.path.basename(path).lower())) for path in _files())
    return [(path, PIXEL_SIZES[match[1]]) for path, match in named if match]


def evaluation_fonts() -> list[tuple[str, int, float]]:
    by_name = {os.path.basename(p): p for p in _files()}
    return [(by_name[name], index, 1.0) for name, index in HELD_OUT if name in by_name]


@lru_cache(maxsize=2000)
def _font(path: str, index: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, index=index)


@lru_cache(maxsize=200_000)
def _has(path: str, index: int, char: str) -> bool:
    font = _font(path, index, 20)
    if char == " ":
        return True
    mask = font.getmask(char)
    if mask.getbbox() is None:
        return False
    missing = _missing(path, index)
    return bytes(mask) != missing


@lru_cache(maxsize=400)
def _missing(path: str, index: int) -> bytes:
    return bytes(_font(path, index, 20).getmask("\U0010fff0"))


@dataclass
class Style:
    """Ranges of one degradation class, in pixels of the page the cell is cut from."""

    size: tuple[int, int]
    jpeg: tuple[int, int] | None
    blur: tuple[float, float]
    noise: tuple[float, float]
    skew: float
    perspective: float
    shadow: float
    moire: float


STYLES = {
    "screen": Style((9, 20), None, (0, 0), (0, 0), 0, 0, 0, 0),
    "scan": Style((16, 30), (55, 90), (0, 0.9), (1, 9), 1.6, 0, 0.05, 0),
    "photo": Style((18, 38), (55, 92), (0.2, 1.3), (1, 8), 1.8, 0.02, 0.5, 0.25),
    "hard": Style((14, 26), (30, 60), (0.5, 1.5), (2, 12), 2.0, 0.025, 0.5, 0.3),
}


class Renderer:
    def __init__(self, rng: random.Random, fonts: list[tuple[str, int, float]], latin: list[tuple[str, int]] | None = None, disturbed: bool = False):
        self.rng = rng
        self.disturbed = disturbed
        self.latin = latin or []
        self.pixels = pixel_fonts() if disturbed else []
        # Of the line that is being drawn, one of `_way`'s.
        self.way = ""
        self.noise = np.random.default_rng(rng.getrandbits(32))
        self.disturber = Disturber(rng, self._foreign_ink)
        self.paths = [(p, i) for p, i, _ in fonts]
        self.weights = [w for _, _, w in fonts]

    def _pick_face(self, text: str) -> tuple[str, int] | None:
        latin = self.latin if self.latin and text.isascii() and self.rng.random() < 0.35 else None
        for _ in range(6):
            path, index = self.rng.choice(latin) if latin else self.rng.choices(self.paths, self.weights)[0]
            if all(_has(path, index, c) for c in set(text)):
                return path, index
        return None

    def _pick_pixel_face(self, text: str) -> tuple[str, int] | None:
        """(path, size)"""
        path, size = self.rng.choice(self.pixels)
        return (path, size) if all(_has(path, 0, c) for c in set(text)) else None

    def line(self, text: str, degradation: str) -> np.ndarray | None:
        """48 x W uint8, or None when no font at hand has all of the text's characters."""
        r, style = self.rng, STYLES[degradation]
        size = r.randint(*style.size)
        face, printed = self._pick_face(text), style.jpeg is not None
        if face is None:
            return None
        self.way = self._way(style) if self.disturbed else ""
        pixel_face = self._pick_pixel_face(text) if self.way == "pixels" and self.pixels else None
        if pixel_face:
            face, size = (pixel_face[0], 0), pixel_face[1]
        elif self.way in ("pixels", "aliased"):
            self.way, size = "aliased", r.randint(10, 16)
        image, ink = self._draw(text, face, size, printed)
        image, ink = self._warp(image, ink, style)
        image = self._light(image, style)
        if style.blur[1] > 0:
            image = self._blur(image, r.uniform(*style.blur))
        if style.jpeg and self.disturbed and r.random() < SHARPENED:  # a scanning app sharpens
            image = np.clip(image + r.uniform(0.5, 2.0) * (image - cv2.GaussianBlur(image, (0, 0), r.uniform(0.8, 2.0))), 0, 255)
        if style.noise[1] > 0:
            image += self.noise.normal(0, r.uniform(*style.noise), image.shape).astype(np.float32)
        image = np.clip(image, 0, 255).astype(np.uint8)
        if self.way == "fax":
            image = self._fax(image, size)
        if self.way == "small":
            image, ink = self._saved_small(image, ink, size)
        if r.random() < 0.15:  # a picture that was scaled on its way
            f = r.uniform(0.7, 1.4) if size >= 14 else r.uniform(1.0, 1.6)
            image = cv2.resize(image, None, fx=f, fy=f, interpolation=r.choice((cv2.INTER_LINEAR, cv2.INTER_AREA, cv2.INTER_CUBIC)))
            ink = [v * f for v in ink]
        quality = style.jpeg or ((70, 95) if r.random() < 0.25 else None)
        if quality:
            _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, r.randint(*quality)])
            image = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)
        return self._crop(image, ink)

    def _way(self, style: Style) -> str:
        """How a line of training comes on its screen or paper; empty for most."""
        if style.jpeg is None:
            shares = {"pixels": PIXELATED, "aliased": ALIASED, "subpixels": SUBPIXELS}
        else:
            shares = {"dots": DOT_MATRIX, "thermal": THERMAL, "small": SAVED_SMALL, "fax": 0 if style.perspective else FAXED}
        return self.rng.choices((*shares, ""), (*shares.values(), 1 - sum(shares.values())))[0]

    def _draw(self, text: str, face: tuple[str, int], size: int, printed: bool) -> tuple[np.ndarray, list[float]]:
        r = self.rng
        alpha, box, y = self._strokes(text, face, size, self.way)
        # A cell is as high as its line, not as its ink: "-" and "," keep the height of a digit or two.
        top, bottom = min(box[1], int(y + size * 0.3)), max(box[3], int(y + size * 0.85))
        paper = r.choice((255, 255, 255, 250, 240)) if r.random() < 0.75 else r.randint(170, 255)
        ink_level = r.choice((0, 0, 20, 40)) if r.random() < 0.75 else r.randint(0, max(0, paper - 90))
        if self.way == "thermal":
            paper, ink_level, alpha = r.randint(215, 250), r.randint(60, 140), alpha * self._faded_columns(alpha.shape[1], size)
        if r.random() < 0.04:
            paper, ink_level = r.randint(20, 120), r.randint(200, 255)
        if r.random() < 0.15:
            alpha = np.minimum(alpha * r.uniform(0.7, 1.25), 1)
        image = paper + (ink_level - paper) * alpha
        if r.random() < 0.3:
            self._rules(image, (box[0], top, box[2], bottom), size, paper)
        if printed and self.disturbed and r.random() < DISTURBED:
            self.disturber.draw(image, (box[0], top, box[2], bottom), size, paper)
        if r.random() < 0.12:
            factor = r.uniform(0.82, 1.15)  # narrow or wide type
            image = cv2.resize(image, None, fx=factor, fy=1, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
            return image, [box[0] * factor, top, box[2] * factor, bottom]
        return image, [box[0], top, box[2], bottom]

    def _faded_columns(self, width: int, size: int) -> np.ndarray:
        """What a worn thermal head leaves of the ink: whole columns are pale, and single ones are missing."""
        r = self.rng
        places = np.arange(width, dtype=np.float32)
        left = 1 - r.uniform(0, 0.5) * (0.5 + 0.5 * np.sin(places * (2 * np.pi / (size * r.uniform(2, 20))) + r.uniform(0, 6)))
        for _ in range(r.choice((0, 1, 2))):
            left[r.randrange(width)] *= r.uniform(0, 0.6)
        return left[None]

    def _fax(self, image: np.ndarray, size: int) -> np.ndarray:
        """Sent with few pixels of one bit, and shown as large as before."""
        f = min(1.0, self.rng.uniform(12, 17) / size)
        small = cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        middle, _ = cv2.threshold(small, 0, 255, cv2.THRESH_OTSU)
        bits = np.where(small > middle + self.rng.uniform(-10, 15), 255, 0).astype(np.uint8)
        return cv2.resize(bits, image.shape[::-1], interpolation=self.rng.choice((cv2.INTER_NEAREST, cv2.INTER_LINEAR)))

    def _saved_small(self, image: np.ndarray, ink: list[float], size: int) -> tuple[np.ndarray, list[float]]:
        """As pictures are sent on: 400 to 700 pixels wide, as JPEG."""
        f = min(1.0, self.rng.uniform(10, 14) / size)
        image = cv2.resize(image, None, fx=f, fy=f, interpolation=self.rng.choice((cv2.INTER_AREA, cv2.INTER_LINEAR)))
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.rng.randint(50, 90)])
        return cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), [v * f for v in ink]

    def _foreign_ink(self, size: int) -> np.ndarray:
        """How much ink some other line of print has, 0 to 1."""
        r = self.rng
        alphabet = "가나다라마바사아자차카타파하정캡슐환자처방내복mg0123456789"
        path, index = self.paths[0]
        for _ in range(6):
            path, index = r.choices(self.paths, self.weights)[0]
            if _has(path, index, "가"):
                break
        text = "".join(r.choice(alphabet) for _ in range(r.randint(2, 24)))
        alpha, box, _ = self._strokes(text, (path, index), size)
        return alpha[box[1] : box[3], box[0] : box[2]]

    def _strokes(self, text: str, face: tuple[str, int], size: int, way: str = "") -> tuple[np.ndarray, tuple[int, int, int, int], float]:
        """(how much ink each pixel has, 0 to 1; the ink's box; the top of the line)"""
        r = self.rng
        crisp = way in ("pixels", "aliased")
        zoom = 1 if crisp else {"subpixels": 3, "dots": 4}.get(way) or (r.choice((3, 4)) if r.random() < SCALED_DOWN else 1)
        font = _font(*face, size if zoom == 1 else round((size + r.uniform(-0.5, 0.5)) * zoom))
        spacing = r.uniform(-0.04, 0.12) * size * zoom if r.random() < 0.15 else 0.0
        bold = 1 if zoom == 1 and size >= 16 and not crisp and r.random() < 0.06 else 0
        margin = size * 2 * zoom
        x, y = (margin, margin) if crisp else (margin + r.random(), margin + r.random())
        length = font.getlength(text) + spacing * len(text)
        width, height = int(length) + margin * 2 + 4, size * 2 * zoom + margin * 2
        mask = Image.new("L", (-(-width // zoom) * zoom, height), 0)
        draw = ImageDraw.Draw(mask)
        if crisp:
            draw.fontmode = "1"
        zeros = [x + font.getlength(text[:i]) + spacing * i for i, char in enumerate(text) if char == "0"]
        if spacing:
            for char in text:
                draw.text((x, y), char, font=font, fill=255, stroke_width=bold)
                x += font.getlength(char) + spacing
        else:
            draw.text((x, y), text, font=font, fill=255, stroke_width=bold)
        if zeros and r.random() < MARKED_ZEROS:
            self._mark_zeros(draw, zeros, y, font, size * zoom)
        ink = np.asarray(mask)
        if way == "dots":
            ink = self._dots(ink, max(3, round(size * zoom / r.randint(18, 26))))
        if way == "subpixels":
            ink = self._subpixels(cv2.resize(ink, (mask.width, mask.height // zoom), interpolation=cv2.INTER_AREA))
        elif zoom > 1:
            roll = r.random()
            if roll < 0.4:
                kernel = np.ones((2, 2), np.uint8)
                ink = cv2.erode(ink, kernel) if roll < 0.15 else cv2.dilate(ink, kernel)
            ink = cv2.resize(ink, (mask.width // zoom, mask.height // zoom), interpolation=cv2.INTER_AREA)
        box = Image.fromarray(ink).getbbox() or (size * 2, size * 2, size * 2 + 4, size * 3)
        return ink.astype(np.float32) / 255, box, y / zoom

    def _dots(self, ink: np.ndarray, pitch: int) -> np.ndarray:
        """The ink by the needles of a printer, `pitch` pixels apart."""
        h, w = ink.shape
        hit = cv2.resize(ink[: h // pitch * pitch, : w // pitch * pitch], (w // pitch, h // pitch), interpolation=cv2.INTER_AREA) > self.rng.randint(40, 80)
        away = np.arange(pitch) - (pitch - 1) / 2
        dot = np.hypot(away[:, None], away[None]) <= pitch * self.rng.uniform(0.5, 0.75)
        dotted = np.zeros_like(ink)
        dotted[: h // pitch * pitch, : w // pitch * pitch] = np.kron(hit, dot) * 255
        return dotted

    def _subpixels(self, ink: np.ndarray) -> np.ndarray:
        """Ink of thirds of pixels as screens filter it, its colours seen as grey."""
        filtered = cv2.filter2D(ink.astype(np.float32), -1, np.float32([[1, 2, 3, 2, 1]]) / 9)
        return np.round(filtered[:, 0::3] * 0.299 + filtered[:, 1::3] * 0.587 + filtered[:, 2::3] * 0.114).astype(np.uint8)

    def _mark_zeros(self, draw: ImageDraw.ImageDraw, zeros: list[float], y: float, font: ImageFont.FreeTypeFont, size: int) -> None:
        r = self.rng
        left, top, right, bottom = font.getbbox("0")
        width, height = right - left, bottom - top
        thickness = max(1, round(size * r.uniform(0.05, 0.1)))
        across, along = r.uniform(0.08, 0.3) * width, r.uniform(0.0, 0.32) * height
        is_dot, is_back = r.random() < 0.2, r.random() < 0.1
        for x in zeros:
            if is_dot:
                middle, half = (x + left + width / 2, y + top + height / 2), size * 0.06
                draw.ellipse((middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half), fill=255)
                continue
            low, high = y + bottom - along, y + top + along
            ends = (high, low) if is_back else (low, high)
            draw.line((x + left + across, ends[0], x + right - across, ends[1]), fill=255, width=thickness)

    def _rules(self, image: np.ndarray, box: tuple[int, int, int, int], size: int, paper: int) -> None:
        """Remnants of ruled lines around the cell, and a darker band of a zebra table."""
        r = self.rng
        level, width = r.randint(0, 190), r.choice((1, 1, 1, 2))
        gap = lambda: int(size * r.uniform(0.12, 0.6)) + 1  # noqa: E731
        if r.random() < 0.5:
            at = box[1] - gap()
            image[max(0, at - width) : at] = level
        if r.random() < 0.5:
            at = box[3] + gap()
            image[at : at + width] = level
        if r.random() < 0.4:
            at = max(1, box[0] - gap())
            image[:, max(0, at - width) : at] = level
        if r.random() < 0.4:
            at = box[2] + gap()
            image[:, at : at + width] = level

    def _warp(self, image: np.ndarray, ink: list[float], style: Style) -> tuple[np.ndarray, list[float]]:
        r = self.rng
        image = image.astype(np.float32)
        if style.skew == 0:
            return image, ink
        h, w = image.shape
        # Long lines turn less: the page is straightened before cells are cut, what is left is a fraction of the height.
        limit = np.degrees(np.arctan(0.45 * (ink[3] - ink[1]) / max(1.0, ink[2] - ink[0])))
        angle = np.radians(np.clip(r.gauss(0, style.skew / 2), -limit, limit))
        slant, grow = r.gauss(0, 0.03), r.uniform(0.94, 1.06)
        corners = np.float32([[ink[0], ink[1]], [ink[2], ink[1]], [ink[2], ink[3]], [ink[0], ink[3]]])
        centre = corners.mean(0)
        turn = np.float32([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.float32([[grow, slant], [0, 1]])
        moved = (corners - centre) @ turn.T + centre
        if style.perspective:
            moved += self.noise.normal(0, style.perspective * (ink[3] - ink[1]), (4, 2)).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
        image = cv2.warpPerspective(image, matrix, (w, h), flags=r.choice((cv2.INTER_LINEAR, cv2.INTER_LINEAR, cv2.INTER_CUBIC)), borderMode=cv2.BORDER_REPLICATE)
        low, high = moved.min(0), moved.max(0)
        return image, [float(low[0]), float(low[1]), float(high[0]), float(high[1])]

    def _light(self, image: np.ndarray, style: Style) -> np.ndarray:
        r = self.rng
        h, w = image.shape
        if r.random() < style.shadow:
            dx, dy = r.uniform(-1, 1), r.uniform(-1, 1)
            ramp = dx * np.linspace(-0.5, 0.5, w, dtype=np.float32)[None] + dy * np.linspace(-0.5, 0.5, h, dtype=np.float32)[:, None]
            if r.random() < 0.3:
                ramp = np.tanh(ramp * r.uniform(4, 20))
            image = image * np.clip(r.uniform(0.65, 1.0) + ramp * r.uniform(0, 0.35), 0.3, 1.05)
        if r.random() < style.moire:
            period, angle = r.uniform(2.2, 9), r.uniform(0, np.pi)
            phase = (np.cos(angle) * np.arange(w, dtype=np.float32)[None] + np.sin(angle) * np.arange(h, dtype=np.float32)[:, None]) * (2 * np.pi / period)
            image = image + np.sin(phase) * r.uniform(2, 14)
        if style.shadow and r.random() < 0.3:
            image = 255 * (np.clip(image, 0, 255) / 255) ** r.uniform(0.7, 1.4)
        return image.astype(np.float32)

    def _blur(self, image: np.ndarray, sigma: float) -> np.ndarray:
        if sigma < 0.2:
            return image
        if self.rng.random() < 0.2:  # a moving hand
            length = int(sigma * 2.2) + 1
            kernel = np.ones((1, length), np.float32) / length
            return cv2.filter2D(image, -1, kernel if self.rng.random() < 0.5 else kernel.T)
        return cv2.GaussianBlur(image, (0, 0), sigma)

    def _crop(self, image: np.ndarray, ink: list[float]) -> np.ndarray | None:
        """The cell around the ink, as loose or tight as cell finding leaves it."""
        r = self.rng
        height = ink[3] - ink[1]
        loose = r.random()
        pad = (lambda: r.uniform(0.02, 0.2)) if loose < 0.3 else (lambda: r.uniform(0.15, 0.4)) if loose < 0.8 else (lambda: r.uniform(0.2, 0.6))
        side = lambda: r.uniform(0.05, 0.5) if r.random() < 0.8 else r.uniform(0.5, 2.0)  # noqa: E731
        top, bottom = int(ink[1] - pad() * height), int(np.ceil(ink[3] + pad() * height))
        left, right = int(ink[0] - side() * height), int(np.ceil(ink[2] + side() * height))
        h, w = image.shape
        cut = image[max(0, top) : min(h, bottom), max(0, left) : min(w, right)]
        if cut.shape[0] < 6 or cut.shape[1] < 4:
            return None
        if r.random() < 0.15:  # crops padded with white by the product
            extra = int(height * 0.3)
            cut = cv2.copyMakeBorder(cut, extra, extra, extra, extra, cv2.BORDER_CONSTANT, value=255)
        width = max(16, round(cut.shape[1] * HEIGHT / cut.shape[0]))
        shrinking = cut.shape[0] > HEIGHT
        return cv2.resize(cut, (width, HEIGHT), interpolation=cv2.INTER_AREA if shrinking and r.random() < 0.5 else r.choice((cv2.INTER_LINEAR, cv2.INTER_LINEAR, cv2.INTER_CUBIC)))
