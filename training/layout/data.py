"""Crops of pages with their layout, as a camera, a scanner or a program shows them. All drawn, no scanned paper."""

from __future__ import annotations

import glob
import os
import random

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

cv2.setNumThreads(1)
SIZE = 320
ROWS, COLUMNS, PRINT, FOREIGN = 1, 2, 4, 8
FONT_ROOTS = ("/usr/share/fonts",)
# Families that only the benchmark's untuned split draws with, and faces of single letters.
HELD_OUT = ("noto", "nanumbarun", "gulim.ttf", "unbatang", "d2coding", "unjamo", "yet")
LETTERS = "가나다라마바사아자차카타파하정캡슐환자처방내복회일총량코드금액합계약품명단위수용법mgTABcap"


def load(folder: str) -> tuple[list[tuple[np.ndarray, np.ndarray]], set[int]]:
    """Pages in gray with a bit for each class of a pixel, and the numbers of those that a program shows."""
    pages = []
    for path in sorted(glob.glob(os.path.join(folder, "*-layout.png"))):
        page = cv2.imread(path.replace("-layout", ""), cv2.IMREAD_GRAYSCALE)
        print_, columns, rows, foreign = cv2.split(cv2.imread(path, cv2.IMREAD_UNCHANGED))  # OpenCV exchanges red and blue
        maps = ((rows, ROWS), (columns, COLUMNS), (print_, PRINT), (foreign, FOREIGN))
        pages.append((page, sum((one > 100).astype(np.uint8) * bit for one, bit in maps).astype(np.uint8)))
    with open(os.path.join(folder, "screens.txt")) as file:
        return pages, {int(line) for line in file}


def scalable(path: str) -> bool:
    try:
        return all(ImageFont.truetype(path, size).getlength("가") > 0 for size in (9, 23, 150))
    except OSError:
        return False


class Crops:
    """Endless crops: `crop()` gives the gray pixels and a bit for each class of a pixel, both SIZE x SIZE."""

    def __init__(self, pages: list[tuple[np.ndarray, np.ndarray]], is_screen: list[bool], seed: int):
        self.pages, self.is_screen = pages, is_screen
        self.rng, self.noise = random.Random(seed), np.random.default_rng(seed)
        files = [f for root in FONT_ROOTS for f in glob.glob(f"{root}/**/*.tt[fc]", recursive=True)]
        names = ("nanum", "un", "dotum", "batang", "lexi", "alee", "hline", "bm")
        self.fonts = sorted(f for f in files if os.path.basename(f).lower().startswith(names) and not any(h in os.path.basename(f).lower() for h in HELD_OUT))
        self.cache: dict = {}
        self.fonts = [f for f in self.fonts if scalable(f)]

    def font(self, size: int):
        key = (self.rng.choice(self.fonts), size)
        if key not in self.cache:
            self.cache[key] = ImageFont.truetype(*key)
        return self.cache[key]

    def crop(self) -> tuple[np.ndarray, np.ndarray]:
        r = self.rng
        index = r.randrange(len(self.pages))
        is_screen = self.is_screen[index]
        if r.random() < 0.25:
            page, labels = self.drawn_grid()
            is_screen = r.random() < 0.4
        else:
            page, labels = self.pages[index]
        image, labels = self.cut(page, labels, is_screen)
        if not is_screen:
            if r.random() < 0.4:
                self.other_side(image, labels)
            if r.random() < 0.3:
                self.marks(image, labels)
        if r.random() < 0.12:
            self.scratches(image)
        if not is_screen and r.random() < 0.15:
            self.edges(image, labels)
        image = self.light(image, is_screen)
        return image, labels

    def cut(self, page: np.ndarray, labels: np.ndarray, is_screen: bool) -> tuple[np.ndarray, np.ndarray]:
        r = self.rng
        h, w = page.shape
        scale = 1.0 if is_screen and r.random() < 0.7 else r.uniform(0.7, 1.35)
        # Where there is something on the page.
        for _ in range(8):
            cx, cy = r.uniform(0, w), r.uniform(0, h)
            x0, y0 = int(max(0, cx - SIZE / 2)), int(max(0, cy - SIZE / 2))
            if labels[y0 : y0 + SIZE : 4, x0 : x0 + SIZE : 4].any():
                break
        if scale == 1.0 and is_screen:
            return self.plain_cut(page, x0, y0, 255), self.plain_cut(labels, x0, y0, 0)
        angle = np.radians(r.gauss(0, 0.25))
        ys, xs = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
        dx, dy = (xs - SIZE / 2) / scale, (ys - SIZE / 2) / scale
        u = cx + dx * np.cos(angle) - dy * np.sin(angle)
        v = cy + dx * np.sin(angle) + dy * np.cos(angle)
        if not is_screen and r.random() < 0.5:
            u = u + r.uniform(0, 2.5) * np.sin(ys * 2 * np.pi / r.uniform(250, 1500) + r.uniform(0, 6.3)) + dy * r.gauss(0, 0.004)
            v = v + r.uniform(0, 3.5) * np.sin(xs * 2 * np.pi / r.uniform(250, 1500) + r.uniform(0, 6.3)) + dx * r.gauss(0, 0.004)
        u, v = u.astype(np.float32), v.astype(np.float32)
        if scale < 0.85:
            page = cv2.GaussianBlur(page[max(0, y0 - 300) : y0 + 700, max(0, x0 - 300) : x0 + 700], (0, 0), 0.35 / scale)
            u2, v2 = u - max(0, x0 - 300), v - max(0, y0 - 300)
            image = cv2.remap(page, u2, v2, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=255)
        else:
            image = cv2.remap(page, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=255)
        warped = np.zeros((SIZE, SIZE), np.uint8)
        x1, y1 = int(max(0, u.min() - 2)), int(max(0, v.min() - 2))
        part = labels[y1 : int(v.max()) + 3, x1 : int(u.max()) + 3]
        if part.size:
            for bit in (ROWS, COLUMNS, PRINT, FOREIGN):
                one = cv2.remap((part & bit).astype(np.float32), u - x1, v - y1, cv2.INTER_LINEAR)
                warped[one > 0.35 * bit] |= bit
        return image, warped

    def plain_cut(self, page: np.ndarray, x: int, y: int, fill: int) -> np.ndarray:
        out = np.full((SIZE, SIZE), fill, np.uint8)
        part = page[y : y + SIZE, x : x + SIZE]
        out[: part.shape[0], : part.shape[1]] = part
        return out

    def drawn_grid(self) -> tuple[np.ndarray, np.ndarray]:
        """A table of any make: rules of every weight and pattern, or only of one direction, and some text in its cells."""
        r = self.rng
        side = SIZE + 80
        ground = r.choice((255, 255, 250, 235, r.randint(150, 255)))
        page = Image.new("L", (side, side), ground)
        draw = ImageDraw.Draw(page)
        labels = np.zeros((side, side), np.uint8)
        size = r.randint(9, 30)
        height = max(size + 3, int(size * r.uniform(1.15, 3)))
        left, top = r.randint(-40, 120), r.randint(-40, 120)
        right, bottom = r.randint(side - 150, side + 60), r.randint(side - 150, side + 60)
        xs = [left]
        while xs[-1] < right:
            xs.append(xs[-1] + int(size * r.choice((2, 3, 4, 5, 8, 12))))
        ys = list(range(top, max(top + 2 * height, bottom), height))
        right, bottom = xs[-1], ys[-1]
        if r.random() < 0.35:  # fills of the header or of every second row
            fill = r.randint(120, 250)
            for i, y in enumerate(ys[:-1]):
                if i == 0 or (r.random() < 0.8 and i % 2 == 0 and fill > 200):
                    draw.rectangle((left, y, right, y + height), fill=fill)
        font = self.font(size)
        ink = r.choice((0, 0, 20, 60, r.randint(0, 120)))
        for y in ys[:-1]:
            for a, b in zip(xs, xs[1:]):
                if r.random() < 0.75:
                    n = r.randint(1, max(1, int((b - a) / size)))
                    text = "".join(r.choice(LETTERS) if r.random() < 0.5 else r.choice("0123456789.,") for _ in range(n))
                    at = (a + r.randint(0, 5), y + (height - size) // 2 + r.randint(-1, 1))
                    mask = Image.new("L", (side, size * 2), 0)
                    ImageDraw.Draw(mask).text((at[0], 2), text, font=font, fill=255)
                    page.paste(ink, (0, at[1] - 2), mask)
                    strip = np.asarray(mask) > 100
                    y0 = at[1] - 2
                    s0, s1 = max(0, -y0), min(strip.shape[0], side - y0)
                    if s1 > s0:
                        labels[y0 + s0 : y0 + s1][strip[s0:s1]] |= PRINT
        image = np.array(page)

        def rule(x1: int, y1: int, x2: int, y2: int, bit: int, look: tuple) -> None:
            level, width, dash = look
            x1, x2, y1, y2 = max(0, x1), min(side, x2), max(0, y1), min(side, y2)
            if bit == ROWS:
                labels[y1 : y1 + width, x1:x2] |= bit
                band = image[y1 : y1 + width, x1:x2]
            else:
                labels[y1:y2, x1 : x1 + width] |= bit
                band = image[y1:y2, x1 : x1 + width]
            on = np.ones(band.shape[1 if bit == ROWS else 0], bool)
            if dash:
                on = (np.arange(on.size) % sum(dash)) < dash[0]
            where = np.broadcast_to(on[None] if bit == ROWS else on[:, None], band.shape)
            band[where] = np.minimum(band[where], level) if ground > 200 else level

        def look() -> tuple:
            dash = None if r.random() < 0.7 else r.choice(((1, 1), (1, 2), (2, 2), (3, 2), (3, 3), (4, 3), (6, 4), (8, 4)))
            return (r.choice((0, 40, 100, 150, 190, 215, r.randint(0, 225))), r.choice((1, 1, 1, 1, 2, 2, 3, 4)), dash)

        kind = r.random()
        across, down, frame = look(), look(), look()
        if kind < 0.85:
            for i, y in enumerate(ys):
                if r.random() < 0.97:
                    rule(left, y, right, y, ROWS, frame if i in (0, len(ys) - 1) else across)
                    if r.random() < 0.02:
                        rule(left, y + 3, right, y + 3, ROWS, across)
        if kind < 0.7 or kind > 0.85:
            for i, x in enumerate(xs):
                if r.random() < 0.97:
                    start = top if r.random() < 0.8 else r.choice(ys)
                    rule(x, start, x, bottom, COLUMNS, frame if i in (0, len(xs) - 1) else down)
        return image, labels

    def other_side(self, image: np.ndarray, labels: np.ndarray) -> None:
        r = self.rng
        page, _ = self.pages[r.randrange(len(self.pages))]
        back = page[:, ::-1]
        y, x = r.randrange(max(1, page.shape[0] - SIZE)), r.randrange(max(1, page.shape[1] - SIZE))
        part = np.full((SIZE, SIZE), 255, np.uint8)
        cut = back[y : y + SIZE, x : x + SIZE]
        part[: cut.shape[0], : cut.shape[1]] = cut
        dark = cv2.GaussianBlur(1 - part.astype(np.float32) / 255, (0, 0), r.uniform(0.4, 1.6))
        strength = r.uniform(0.05, 0.33)
        image[:] = (image * (1 - strength * dark)).astype(np.uint8)
        labels[(dark > 0.4) & ((labels & (ROWS | COLUMNS | PRINT)) == 0)] |= FOREIGN

    def marks(self, image: np.ndarray, labels: np.ndarray) -> None:
        r = self.rng
        mask = np.zeros_like(image)
        kind = r.random()
        if kind < 0.4:  # pens
            color = r.randint(20, 140)
            for _ in range(r.randint(1, 5)):
                points = np.array([[r.randint(-20, SIZE + 20), r.randint(-20, SIZE + 20)]], np.int32)
                step = r.uniform(5, 40)
                for _ in range(r.randint(3, 25)):
                    points = np.vstack((points, points[-1] + [int(r.gauss(0, step)), int(r.gauss(0, step))]))
                if r.random() < 0.4:  # one long stroke
                    points = np.array([[r.randint(0, SIZE), r.randint(0, SIZE)], [r.randint(0, SIZE), r.randint(0, SIZE)]], np.int32)
                cv2.polylines(mask, [points.astype(np.int32)], r.random() < 0.1, 255, r.randint(1, 6), cv2.LINE_AA)
            strength = r.uniform(0.6, 1)
        elif kind < 0.75:  # seals
            color = r.randint(60, 170)
            size = r.randint(14, 40)
            canvas = Image.new("L", (size * 6, size * 6), 0)
            draw = ImageDraw.Draw(canvas)
            box = (size, size, size * 5, size * 5)
            (draw.ellipse if r.random() < 0.5 else draw.rectangle)(box, outline=255, width=r.randint(2, 5))
            for i in range(2):
                draw.text((size * 1.6, size * (1.4 + 1.6 * i)), "".join(r.choice("의원장인사병직") for _ in range(2)), font=self.font(int(size * 1.4)), fill=255)
            seal = np.asarray(canvas.rotate(r.uniform(-30, 30), resample=Image.BILINEAR))
            y, x = r.randint(-size * 3, SIZE - size * 3), r.randint(-size * 3, SIZE - size * 3)
            y1, y2, x1, x2 = max(0, y), min(SIZE, y + seal.shape[0]), max(0, x), min(SIZE, x + seal.shape[1])
            mask[y1:y2, x1:x2] = seal[y1 - y : y2 - y, x1 - x : x2 - x]
            strength = r.uniform(0.4, 0.95)
        else:  # a watermark
            color = r.randint(120, 200)
            size = r.randint(40, 160)
            canvas = Image.new("L", (SIZE * 2, SIZE * 2), 0)
            ImageDraw.Draw(canvas).text((r.randint(0, SIZE), r.randint(SIZE // 2, SIZE)), r.choice(("사 본", "COPY", "복사 금지", "원본대조필", "SAMPLE", "보관용 1234")), font=self.font(size), fill=255)
            seal = np.asarray(canvas.rotate(r.uniform(-45, 45), resample=Image.BILINEAR))
            mask[:] = seal[SIZE // 2 : SIZE // 2 + SIZE, SIZE // 2 : SIZE // 2 + SIZE]
            strength = r.uniform(0.3, 0.9)
        alpha = mask.astype(np.float32) / 255 * strength
        mixed = image + (color - image.astype(np.float32)) * alpha
        image[:] = np.minimum(image, mixed).astype(np.uint8)
        labels[mask > 110] |= FOREIGN

    def edges(self, image: np.ndarray, labels: np.ndarray) -> None:
        """The sheet ends, and the desk or the next sheet begins."""
        r = self.rng
        desk = np.full_like(image, r.randint(10, 255))
        if r.random() < 0.5:
            desk = np.clip(desk + cv2.GaussianBlur(self.noise.normal(0, 60, image.shape).astype(np.float32), (0, 0), r.uniform(0.5, 8)), 0, 255).astype(np.uint8)
        slope, at = r.gauss(0, 0.006), r.choice((r.uniform(0, 5), r.uniform(0, 60)))
        ys, xs = np.mgrid[0:SIZE, 0:SIZE]
        side = r.randrange(4)
        far = (xs, ys, SIZE - 1 - xs, SIZE - 1 - ys)[side]
        along = (ys, xs, ys, xs)[side]
        outside = far < at + slope * (along - SIZE / 2)
        image[outside] = desk[outside]
        labels[outside] = 0
        if r.random() < 0.5:  # the sheet's shadow or its cut
            near = ~outside & (far < at + slope * (along - SIZE / 2) + r.uniform(0.6, 3))
            image[near] = (image[near] * r.uniform(0.3, 0.95)).astype(np.uint8)

    def scratches(self, image: np.ndarray) -> None:
        r = self.rng
        for _ in range(r.randint(1, 12)):
            x, y = r.randrange(SIZE), r.randrange(SIZE)
            if r.random() < 0.5:
                cv2.line(image, (x, y), (x + r.randint(-60, 60), y + r.randint(-60, 60)), r.randint(200, 255), r.randint(1, 3))
            else:
                image[y : y + r.randint(1, 9), x : x + r.randint(2, 12)] = r.randint(220, 255)

    def light(self, image: np.ndarray, is_screen: bool) -> np.ndarray:
        r = self.rng
        if is_screen and r.random() < 0.65:
            return image
        image = image.astype(np.float32)
        if not is_screen:
            if r.random() < 0.5:
                dx, dy = r.uniform(-1, 1), r.uniform(-1, 1)
                ramp = dx * np.linspace(-0.5, 0.5, SIZE, dtype=np.float32)[None] + dy * np.linspace(-0.5, 0.5, SIZE, dtype=np.float32)[:, None]
                image *= np.clip(r.uniform(0.6, 1) + ramp * r.uniform(0, 0.4), 0.3, 1)
            if r.random() < 0.5:
                contrast = r.uniform(0.45, 1)
                image = image * contrast + 255 * (1 - contrast) * r.uniform(0.4, 0.8)
            if r.random() < 0.08:  # thermal print and toner run out along the columns
                image = 255 - (255 - image) * np.clip(1 + 0.6 * np.sin(np.arange(SIZE, dtype=np.float32)[None] / r.uniform(5, 60)), 0.25, 1)
            if r.random() < 0.75:
                image = cv2.GaussianBlur(image, (0, 0), r.uniform(0.3, 1.3))
            if r.random() < 0.25:
                image = image + r.uniform(0.5, 3) * (image - cv2.GaussianBlur(image, (0, 0), r.uniform(0.8, 1.6)))
            if r.random() < 0.75:
                image = image + self.noise.normal(0, r.uniform(1, 9), image.shape).astype(np.float32)
            if r.random() < 0.15:
                period, angle = r.uniform(2.2, 9), r.uniform(0, np.pi)
                phase = np.cos(angle) * np.arange(SIZE)[None] + np.sin(angle) * np.arange(SIZE)[:, None]
                image = image + (np.sin(phase * 2 * np.pi / period) * r.uniform(2, 12)).astype(np.float32)
            if r.random() < 0.04:  # a fax
                image = np.where(image > r.uniform(90, 200), 255.0, 0.0).astype(np.float32)
        image = np.clip(image, 0, 255).astype(np.uint8)
        if r.random() < 0.75:
            quality = r.randint(60, 95) if is_screen else r.randint(35, 90)
            image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE)
        return image


def targets(labels: np.ndarray) -> np.ndarray:
    return np.stack([(labels & bit) > 0 for bit in (ROWS, COLUMNS, PRINT, FOREIGN)]).astype(np.float32)
